// What depends on the thread: its number, its part of coordinates and of shared-memory addresses. All of it is emitted once,
// into the prologue.
#include "lib/Conversion/TileToNVVM/Emitter.h"

using namespace mlir;
using namespace mlir::tile;

Value Emitter::thread() {
  if (!threadValue)
    threadValue = inPrologue([&]() -> Value { return NVVM::ThreadIdXOp::create(b, b.getI32Type()); });
  return threadValue;
}

Value Emitter::lane() {
  if (!laneValue) {
    Value id = thread();
    laneValue = warps == 1 ? id : inPrologue([&]() -> Value { return LLVM::AndOp::create(b, id, i32(31)); });
  }
  return laneValue;
}

Value Emitter::warp() {
  if (!warpValue) {
    Value id = thread();
    warpValue = warps == 1 ? i32(0) : inPrologue([&]() -> Value { return LLVM::LShrOp::create(b, id, i32(5)); });
  }
  return warpValue;
}

Value Emitter::sharedBase() {
  if (!sharedValue)
    sharedValue = inPrologue([&]() -> Value {
      Value address = LLVM::AddressOfOp::create(b, sharedMemory);
      return LLVM::PtrToIntOp::create(b, b.getI32Type(), address);
    });
  return sharedValue;
}

namespace {
/// Sums contributions of single bits of a number: runs of bits that keep their distance become one shift and mask.
class BitSum {
public:
  BitSum(Emitter &emitter, bool exclusive) : emitter(emitter), exclusive(exclusive) {}

  /// Bit i of `number` contributes contributions[i] (XORed or added, see the constructor).
  void addBits(Value number, ArrayRef<int64_t> contributions) {
    for (unsigned i = 0; i < contributions.size();) {
      int64_t value = contributions[i];
      if (value == 0) {
        ++i;
        continue;
      }
      unsigned end = i + 1;
      if (llvm::isPowerOf2_64(value))
        while (end < contributions.size() && contributions[end] == value << (end - i))
          ++end;
      addRun(number, i, end, value);
      i = end;
    }
  }
  void addTerm(Value term) { combine(term); }
  Value result() { return sum ? sum : emitter.i32(0); }

private:
  /// Bits first…end-1 contribute value, 2·value, …
  void addRun(Value number, unsigned first, unsigned end, int64_t value) {
    ImplicitLocOpBuilder &b = emitter.b;
    Value bits = number;
    int64_t mask = (int64_t(1) << end) - (int64_t(1) << first);
    bits = LLVM::AndOp::create(b, bits, emitter.i32(mask));
    if (!llvm::isPowerOf2_64(value)) {
      // One bit with an odd contribution: bit · value.
      bits = emitter.mul(LLVM::LShrOp::create(b, bits, emitter.i32(first)), emitter.i32(value));
    } else if (unsigned shift = llvm::Log2_64(value); shift > first) {
      bits = LLVM::ShlOp::create(b, bits, emitter.i32(shift - first));
    } else if (shift < first) {
      bits = LLVM::LShrOp::create(b, bits, emitter.i32(first - shift));
    }
    combine(bits);
  }
  void combine(Value term) {
    if (!sum)
      sum = term;
    else if (exclusive)
      sum = LLVM::XOrOp::create(emitter.b, sum, term);
    else
      sum = LLVM::AddOp::create(emitter.b, sum, term);
  }

  Emitter &emitter;
  bool exclusive;
  Value sum;
};
} // namespace

/// Digit number `i` of the warp digits, whose radices come before it innermost.
static Value warpDigit(Emitter &emitter, unsigned warpBits, ArrayRef<unsigned> radices, unsigned i) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value rest = LLVM::LShrOp::create(b, emitter.warp(), emitter.i32(warpBits));
  for (unsigned j = 0; j < i; ++j)
    rest = LLVM::UDivOp::create(b, rest, emitter.i32(radices[j]));
  if (i + 1 == radices.size())
    return rest;
  return LLVM::URemOp::create(b, rest, emitter.i32(radices[i]));
}

/// Calls `visit` with each warp digit of a layout and its value in this thread, an i32.
static void visitWarpDigits(Emitter &emitter, const Layout &layout,
                            function_ref<void(const Digit &, function_ref<Value()>)> visit) {
  SmallVector<unsigned> radices;
  for (const Digit &digit : layout.digits())
    if (digit.place == Place::Warp)
      radices.push_back(digit.odd);
  unsigned i = 0;
  for (const Digit &digit : layout.digits()) {
    if (digit.place != Place::Warp)
      continue;
    visit(digit, [&]() { return warpDigit(emitter, layout.warpBases().size(), radices, i); });
    ++i;
  }
}

Value Emitter::threadCoordinate(const Layout &layout, unsigned dim) {
  Value &known = coordinates[{LayoutAttr::get(b.getContext(), layout), dim}];
  if (known)
    return known;
  Value laneNumber = lane(), warpNumber = warp();
  return known = inPrologue([&]() -> Value {
           BitSum sum(*this, /*exclusive=*/true);
           auto contributions = [&](ArrayRef<Basis> bases) {
             return llvm::map_to_vector(bases, [&](const Basis &basis) -> int64_t { return basis[dim]; });
           };
           sum.addBits(laneNumber, contributions(layout.laneBases()));
           sum.addBits(warpNumber, contributions(layout.warpBases()));
           Value result = sum.result();
           visitWarpDigits(*this, layout, [&](const Digit &digit, function_ref<Value()> value) {
             if (digit.dim == static_cast<int>(dim))
               result = add(result, mul(value(), i32(int64_t(1) << layout.bits(dim))));
           });
           return result;
         });
}

Value Emitter::position(const Layout &layout, unsigned dim, unsigned reg) {
  Value coordinate = threadCoordinate(layout, dim);
  int64_t registerOffset = layout.registerOffset(reg, dim);
  if (registerOffset == 0)
    return coordinate;
  Value &known = positions[{LayoutAttr::get(b.getContext(), layout), dim, registerOffset}];
  if (!known) {
    Value offset = i32(registerOffset);
    known = inPrologue([&]() -> Value {
      return layout.isAdditive(dim) ? add(coordinate, offset) : LLVM::XOrOp::create(b, coordinate, offset);
    });
  }
  return known;
}

Value Emitter::isLive(const Layout &layout, unsigned dim, unsigned reg) {
  if (!layout.hasDeadPositions(dim))
    return {};
  Value where = position(layout, dim, reg), extent = i32(layout.extents()[dim]);
  Value &known = livePositions[{LayoutAttr::get(b.getContext(), layout), dim, layout.registerOffset(reg, dim)}];
  if (!known)
    known = inPrologue(
        [&]() -> Value { return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::slt, where, extent); });
  return known;
}

Value Emitter::isFirstHolder(const Layout &layout) {
  unsigned lanes = layout.replicatedLanes(), warpMask = layout.replicatedWarpBits();
  bool digits = llvm::any_of(layout.digits(), [](const Digit &digit) { return digit.dim == Digit::replicated; });
  if (!lanes && !warpMask && !digits)
    return {};
  Value number = thread();
  return inPrologue([&]() -> Value {
    // Replicated bits of lane and warp as bits of the thread number.
    Value first;
    if (unsigned mask = lanes | (warpMask << Layout::laneBits)) {
      Value bits = LLVM::AndOp::create(b, number, i32(mask));
      first = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, bits, i32(0));
    }
    visitWarpDigits(*this, layout, [&](const Digit &digit, function_ref<Value()> value) {
      if (digit.dim == Digit::replicated)
        first = both(first, LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, value(), i32(0)));
    });
    return first;
  });
}

std::pair<Value, Value> Emitter::threadAddress(const ThreadAddress &address) {
  Value laneNumber = lane(), warpNumber = warp(), xored, added;
  added = inPrologue([&]() -> Value {
    BitSum exclusive(*this, true), sum(*this, false);
    auto part = [](ArrayRef<AddressTerm> terms, int64_t AddressTerm::*which) {
      return llvm::map_to_vector(terms, [&](const AddressTerm &term) { return term.*which; });
    };
    exclusive.addBits(laneNumber, part(address.laneBits, &AddressTerm::xorPart));
    exclusive.addBits(warpNumber, part(address.warpBits, &AddressTerm::xorPart));
    sum.addBits(laneNumber, part(address.laneBits, &AddressTerm::addPart));
    sum.addBits(warpNumber, part(address.warpBits, &AddressTerm::addPart));
    SmallVector<unsigned> radices;
    for (auto [radix, bytes] : address.warpDigits)
      radices.push_back(radix);
    for (auto [i, digit] : llvm::enumerate(address.warpDigits))
      if (digit.second)
        sum.addTerm(mul(warpDigit(*this, address.warpBits.size(), radices, i), i32(digit.second)));
    xored = exclusive.result();
    return sum.result();
  });
  return {xored, added};
}
