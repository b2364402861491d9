#include "lib/Layout/FmaLayouts.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::tile;

Layout tile::fmaAccumulator(int64_t m, int64_t n, unsigned warpsM, unsigned warpsN) {
  return Layout::blocked({m, n}, /*perThread=*/{4, 4}, /*threads=*/{8, 4}, /*warps=*/{warpsM, warpsN},
                         /*order=*/{1, 0}, warpsM * warpsN);
}

/// The layout of one side's vector with K added as dimension `kDim`, all of it in registers.
static Layout withK(const Layout &side, int64_t k, unsigned kDim) {
  auto widen = [&](ArrayRef<Basis> bases) {
    SmallVector<Basis> result;
    for (const Basis &basis : bases)
      result.push_back(kDim == 1 ? Basis{basis[0], 0} : Basis{0, basis[0]});
    return result;
  };
  SmallVector<Basis> registers;
  int64_t evenPart = k & -k;
  for (int32_t bit = 1; bit < evenPart; bit *= 2)
    registers.push_back(kDim == 1 ? Basis{0, bit} : Basis{bit, 0});
  llvm::append_range(registers, widen(side.registerBases()));
  SmallVector<Digit> digits;
  for (Digit digit : side.digits()) {
    if (digit.dim != Digit::replicated)
      digit.dim = 1 - kDim;
    digits.push_back(digit);
  }
  if (k / evenPart > 1)
    digits.push_back({static_cast<int>(kDim), static_cast<unsigned>(k / evenPart), Place::Register});
  int64_t extent = side.extents()[0];
  SmallVector<int64_t> extents = kDim == 1 ? SmallVector<int64_t>{extent, k} : SmallVector<int64_t>{k, extent};
  return *Layout::create(extents, registers, widen(side.laneBases()), widen(side.warpBases()), digits);
}

Layout tile::fmaOperandA(int64_t k, const Layout &accumulator) { return withK(accumulator.slice(1), k, 1); }

Layout tile::fmaOperandB(int64_t k, const Layout &accumulator) { return withK(accumulator.slice(0), k, 0); }
