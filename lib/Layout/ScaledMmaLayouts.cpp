/// A scale belongs to a row of A or a column of B, so its layout is the operand's without K, and with the blocks in
/// registers. The instructions with block scales want one bit of the row in a lane instead.
#include "lib/Layout/ScaledMmaLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace mlir;
using namespace mlir::tile;

const MmaShape &tile::scaledFragmentShape() {
  static const MmaShape &shape = *allTargets()[0].findMma(ElementKind::I8, ElementKind::I8, ElementKind::I32);
  return shape;
}

static SmallVector<Basis> appendZero(ArrayRef<Basis> bases) {
  SmallVector<Basis> result;
  for (const Basis &basis : bases)
    result.push_back({basis[0], 0});
  return result;
}

/// The layout of rows with `blocks` beside each: the first `inner` bits of the block go before the rows in registers,
/// the others behind them.
static Layout withBlocks(const Layout &rows, int64_t blocks, unsigned inner, ArrayRef<Basis> lanes) {
  SmallVector<Basis> rowRegisters = appendZero(rows.registerBases()), registers, outer;
  const int64_t evenPart = blocks & -blocks;
  for (int64_t bit = 1; bit < evenPart; bit *= 2)
    (registers.size() < inner ? registers : outer).push_back({0, int32_t(bit)});
  // What a lane counts, registers do not.
  for (const Basis &basis : rowRegisters)
    if (!llvm::is_contained(lanes, basis))
      registers.push_back(basis);
  registers.append(outer);
  SmallVector<Digit> digits(rows.digits());
  if (blocks != evenPart)
    digits.push_back({1, unsigned(blocks / evenPart), Place::Register});
  std::string why;
  std::optional<Layout> layout =
      Layout::create({rows.extents()[0], blocks}, registers, lanes, appendZero(rows.warpBases()), digits, &why);
  assert(layout && "an operand's rows and their blocks are a layout");
  return *layout;
}

Layout tile::scaleOperandA(const Layout &operandA, int64_t blocks) {
  Layout rows = operandA.slice(1);
  return withBlocks(rows, blocks, /*inner=*/Layout::laneBits * 8, appendZero(rows.laneBases()));
}

Layout tile::scaleOperandB(const Layout &operandB, int64_t blocks) {
  Layout columns = operandB.slice(0);
  return withBlocks(columns, blocks, /*inner=*/Layout::laneBits * 8, appendZero(columns.laneBases()));
}

/// Blocks of four scales to a register.
static constexpr unsigned bitsOfWord = 2;

Layout tile::nativeScaleA(const Layout &operandA, int64_t blocks) {
  Layout rows = operandA.slice(1);
  SmallVector<Basis> lanes = appendZero(rows.laneBases());
  lanes[0] = {int32_t(scaledFragmentShape().m / 2), 0};
  return withBlocks(rows, blocks, bitsOfWord, lanes);
}

Layout tile::nativeScaleB(const Layout &operandB, int64_t blocks) {
  Layout columns = operandB.slice(0);
  return withBlocks(columns, blocks, bitsOfWord, appendZero(columns.laneBases()));
}

bool tile::holdsAlike(const Layout &layout, const Layout &expected) {
  auto warpDigits = [](const Layout &of) {
    SmallVector<Digit> digits;
    for (const Digit &digit : of.digits())
      if (digit.place == Place::Warp)
        digits.push_back(digit);
    return digits;
  };
  return layout.extents() == expected.extents() && layout.laneBases() == expected.laneBases() &&
         layout.warpBases() == expected.warpBases() && warpDigits(layout) == warpDigits(expected) &&
         layout.paddedExtents() == expected.paddedExtents();
}

Layout tile::withBatch(const Layout &layout, int64_t batch) {
  assert(batch >= 1);
  auto widen = [](ArrayRef<Basis> bases) {
    SmallVector<Basis> result;
    for (const Basis &basis : bases)
      result.emplace_back(basis).insert(result.back().begin(), 0);
    return result;
  };
  SmallVector<Basis> registers = widen(layout.registerBases());
  const int64_t evenPart = batch & -batch;
  for (int64_t bit = 1; bit < evenPart; bit *= 2)
    registers.emplace_back(layout.rank() + 1, 0)[0] = int32_t(bit);
  SmallVector<Digit> digits;
  for (Digit digit : layout.digits()) {
    if (digit.dim != Digit::replicated)
      ++digit.dim;
    digits.push_back(digit);
  }
  if (batch != evenPart)
    digits.push_back({0, unsigned(batch / evenPart), Place::Register});
  SmallVector<int64_t> extents(layout.extents());
  extents.insert(extents.begin(), batch);
  std::string why;
  std::optional<Layout> result =
      Layout::create(extents, registers, widen(layout.laneBases()), widen(layout.warpBases()), digits, &why);
  assert(result && "a batch in registers is a layout");
  return *result;
}

std::optional<Layout> tile::withoutBatch(const Layout &layout) {
  for (ArrayRef<Basis> bases : {layout.laneBases(), layout.warpBases()})
    for (const Basis &basis : bases)
      if (basis[0] != 0)
        return std::nullopt;
  for (const Digit &digit : layout.digits())
    if (digit.dim == 0 && digit.place == Place::Warp)
      return std::nullopt;
  // A register that moves along the batch and the tile at once belongs to neither.
  for (const Basis &basis : layout.registerBases())
    if (basis[0] != 0 && llvm::any_of(ArrayRef(basis).drop_front(), [](int32_t offset) { return offset != 0; }))
      return std::nullopt;
  return layout.slice(0);
}

SmallVector<SmallVector<unsigned>> tile::batchRegisters(const Layout &layout) {
  std::optional<Layout> single = withoutBatch(layout);
  assert(single && "threads must not divide the batch");
  SmallVector<SmallVector<unsigned>> result(layout.extents()[0]);
  for (unsigned reg = 0, e = layout.numRegisters(); reg < e; ++reg) {
    const int64_t index = layout.registerOffset(reg, 0);
    if (index >= int64_t(result.size()))
      continue;
    // A tile's registers keep their order; those that hold an element again are passed over.
    SmallVector<unsigned> &tile = result[index];
    const unsigned next = tile.size();
    bool isNext = next < single->numRegisters();
    for (unsigned dim = 0; isNext && dim < single->rank(); ++dim)
      isNext = single->registerOffset(next, dim) == layout.registerOffset(reg, dim + 1);
    if (isNext)
      tile.push_back(reg);
  }
  assert(llvm::all_of(result, [&](const auto &tile) { return tile.size() == single->numRegisters(); }) &&
         "each tile of the batch has all registers of one tile");
  return result;
}
