// Intervals and divisors, computed together bottom-up over the definitions of a value. Loop-carried values are known
// where they stay what they were, count up by a constant, or go round a ring as slot numbers do.
#include "lib/Analysis/IndexFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tile;

static constexpr int64_t lowest = std::numeric_limits<int64_t>::min(), highest = std::numeric_limits<int64_t>::max();
/// What divides zero, as divisor() tells it; also the largest power of two that is kept.
static constexpr int64_t largestPower = int64_t(1) << 62;

//===----------------------------------------------------------------------===//
// Arithmetic on intervals and divisors
//===----------------------------------------------------------------------===//

namespace {
/// An exact result that may lie outside 64 bits.
using Wide = __int128;

/// Bounds and divisor before they are fitted to a type.
struct Exact {
  Wide lo, hi;
  int64_t divisor = 1;
};
} // namespace

static int64_t powerOfTwoIn(int64_t divisor) {
  if (divisor == 0)
    return 0;
  return std::min<int64_t>(int64_t(1) << llvm::countr_zero(uint64_t(divisor)), largestPower);
}

static int64_t productOfDivisors(int64_t a, int64_t b) {
  int64_t product;
  if (!llvm::MulOverflow(a, b, product))
    return product;
  unsigned bits = llvm::countr_zero(uint64_t(a)) + llvm::countr_zero(uint64_t(b));
  return int64_t(1) << std::min(bits, 62u);
}

/// The bounds of a type's values, read as signed. The two readings of i1 are both allowed.
static IndexRange rangeOfType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64)
    return {};
  if (integer.getWidth() == 1)
    return {-1, 1};
  return {-(int64_t(1) << (integer.getWidth() - 1)), (int64_t(1) << (integer.getWidth() - 1)) - 1};
}

/// The largest multiple of d at most x, the smallest one at least x.
static Wide roundDown(Wide x, int64_t d) { return x - ((x % d) + d) % d; }
static Wide roundUp(Wide x, int64_t d) { return -roundDown(-x, d); }

/// a / b rounded down, for b > 0.
static Wide floorDiv(Wide a, Wide b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

/// lo … hi of f over the corners of two intervals.
template <typename Function> static Exact corners(IndexRange a, IndexRange b, Function f) {
  Wide all[] = {f(Wide(a.lo), Wide(b.lo)), f(Wide(a.lo), Wide(b.hi)), f(Wide(a.hi), Wide(b.lo)),
                f(Wide(a.hi), Wide(b.hi))};
  return {std::min(std::min(all[0], all[1]), std::min(all[2], all[3])),
          std::max(std::max(all[0], all[1]), std::max(all[2], all[3]))};
}

//===----------------------------------------------------------------------===//
// IndexFacts: queries
//===----------------------------------------------------------------------===//

IndexFacts::IndexFacts(KernelOp kernel) : kernel(kernel) {
  auto attribute = kernel->getAttrOfType<IntegerAttr>("max_index");
  hasMaxIndex = static_cast<bool>(attribute);
  maxIndex = attribute ? attribute.getInt() : highest / 4;
}

IndexRange IndexFacts::range(Value value) { return fact(value).range; }

int64_t IndexFacts::divisor(Value value) {
  int64_t divisor = fact(value).divisor;
  return divisor ? divisor : largestPower;
}

bool IndexFacts::fits32(Value value) {
  return range(value).isWithin(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
}

IndexFacts::Fact IndexFacts::known(Value value) const {
  auto found = facts.find(value);
  return found != facts.end() ? found->second : Fact{rangeOfType(value.getType()), 1};
}

IndexFacts::Fact IndexFacts::fact(Value value) {
  // Post-order with a stack of our own: chains of definitions may be long. A value seen again while it is being
  // computed rests on itself, and counts as unknown there.
  SmallVector<std::pair<Value, bool>> stack{{value, false}};
  DenseSet<Value> open;
  while (!stack.empty()) {
    auto [top, expanded] = stack.back();
    if (expanded) {
      stack.pop_back();
      facts[top] = compute(top);
      continue;
    }
    if (facts.contains(top) || !open.insert(top).second) {
      stack.pop_back();
      continue;
    }
    stack.back().second = true;
    for (Value dependence : restsOn(top))
      stack.push_back({dependence, false});
  }
  return facts.lookup(value);
}

IndexFacts::Fact IndexFacts::compute(Value value) {
  if (!value.getType().isIntOrIndex())
    return {};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  return ofOperation(cast<OpResult>(value));
}

//===----------------------------------------------------------------------===//
// Values carried by loops
//===----------------------------------------------------------------------===//

namespace {
/// How a loop's carried value x changes: not at all, by `step`, or by `step` with a fresh start at `start` once it
/// reaches `limit`.
struct Recurrence {
  enum Kind { Unknown, Same, Step, Ring } kind = Unknown;
  Value step, start, limit;
  /// Whether the ring turns at `limit` exactly, so that only steps of 1 from below keep below it.
  bool exactly = false;
};
} // namespace

/// The other operand where `value` is x + other.
static Value addedTo(Value x, Value value) {
  auto add = value.getDefiningOp<arith::AddIOp>();
  if (!add)
    return {};
  return add.getLhs() == x ? add.getRhs() : add.getRhs() == x ? add.getLhs() : Value();
}

static Recurrence recurrence(BlockArgument x, Value next) {
  Recurrence result;
  if (next == x)
    result.kind = Recurrence::Same;
  else if ((result.step = addedTo(x, next)))
    result.kind = Recurrence::Step;
  auto select = next.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!compare)
    return result;
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  bool turnsOnTrue = llvm::is_contained({P::eq, P::sge, P::uge}, predicate);
  if (!turnsOnTrue && !llvm::is_contained({P::ne, P::slt, P::ult}, predicate))
    return result;
  Value counted = turnsOnTrue ? select.getFalseValue() : select.getTrueValue();
  Value step = addedTo(x, counted);
  if (!step || compare.getLhs() != counted)
    return result;
  return {Recurrence::Ring, step, turnsOnTrue ? select.getTrueValue() : select.getFalseValue(), compare.getRhs(),
          predicate == P::eq || predicate == P::ne};
}

/// The loop of a carried argument with the value that the next iteration has in its place.
static std::pair<scf::ForOp, Value> carrier(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument.getArgNumber() == 0)
    return {};
  return {loop, loop.getBody()->getTerminator()->getOperand(argument.getArgNumber() - 1)};
}

IndexFacts::Fact IndexFacts::ofCarried(BlockArgument argument) const {
  auto [loop, next] = carrier(argument);
  Fact first = known(loop.getInitArgs()[argument.getArgNumber() - 1]), unknown = {rangeOfType(argument.getType()), 1};
  Recurrence how = recurrence(argument, next);
  switch (how.kind) {
  case Recurrence::Unknown:
    return unknown;
  case Recurrence::Same:
    return first;
  case Recurrence::Step: {
    Fact step = known(how.step), lb = known(loop.getLowerBound()), ub = known(loop.getUpperBound()),
         by = known(loop.getStep());
    Fact result{unknown.range, std::gcd(first.divisor, step.divisor)};
    Wide trips = by.range.lo > 0 ? (Wide(ub.range.hi) - lb.range.lo + by.range.lo - 1) / by.range.lo : Wide(highest);
    trips = std::clamp<Wide>(trips, 0, highest);
    Wide lo = first.range.lo + std::min<Wide>(0, trips * step.range.lo),
         hi = first.range.hi + std::max<Wide>(0, trips * step.range.hi);
    if (lo >= unknown.range.lo && hi <= unknown.range.hi)
      result.range = {int64_t(lo), int64_t(hi)};
    else
      result.divisor = powerOfTwoIn(result.divisor);
    return result;
  }
  case Recurrence::Ring: {
    Fact step = known(how.step), start = known(how.start), limit = known(how.limit);
    bool rises = how.exactly ? step.range == IndexRange{1, 1} : step.range.lo >= 0;
    if (!limit.range.isConstant() || !rises || first.range.lo < 0 || start.range.lo < 0 ||
        std::max(first.range.hi, start.range.hi) >= limit.range.lo ||
        Wide(limit.range.hi) - 1 + step.range.hi > unknown.range.hi)
      return unknown;
    return {{std::min(first.range.lo, start.range.lo), limit.range.hi - 1},
            std::gcd(std::gcd(first.divisor, start.divisor), step.divisor)};
  }
  }
  return unknown;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Fits exact bounds to a type: where they exceed it the value may have wrapped. Bounds move inward to multiples of the
/// divisor.
static std::pair<IndexRange, int64_t> fitted(Exact exact, Type type) {
  IndexRange limits = rangeOfType(type);
  if (exact.lo > exact.hi)
    exact.hi = exact.lo;
  if (exact.lo < limits.lo || exact.hi > limits.hi)
    return {limits, powerOfTwoIn(exact.divisor)};
  if (exact.divisor > 1) {
    Wide lo = roundUp(exact.lo, exact.divisor), hi = roundDown(exact.hi, exact.divisor);
    if (lo <= hi && lo >= limits.lo && hi <= limits.hi)
      exact.lo = lo, exact.hi = hi;
  }
  if (exact.lo == exact.hi)
    exact.divisor = exact.lo == lowest ? largestPower : int64_t(exact.lo < 0 ? -exact.lo : exact.lo);
  return {{int64_t(exact.lo), int64_t(exact.hi)}, exact.divisor};
}

IndexFacts::Fact IndexFacts::ofCoordinate(unsigned index) {
  auto extents = cast<ExtentsOp>(kernel.getSpace().front().getTerminator());
  int64_t hi = std::min(known(extents.getExtents()[index]).range.hi, maxIndex) - 1;
  auto [range, divisor] =
      fitted({0, std::max<int64_t>(hi, 0), kernel.getSteps()[index]}, IndexType::get(kernel.getContext()));
  return {range, divisor};
}

IndexFacts::Fact IndexFacts::ofArgument(BlockArgument argument) {
  Fact unknown{rangeOfType(argument.getType()), 1};
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == kernel) {
    unsigned arguments = kernel.getNumKernelArguments();
    if (argument.getArgNumber() >= arguments)
      return ofCoordinate(argument.getArgNumber() - arguments);
    if (hasMaxIndex && argument.getType().isIndex())
      return {{-maxIndex, maxIndex}, 1};
    return unknown;
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return unknown;
  if (argument.getArgNumber() != 0)
    return ofCarried(argument);
  Fact lb = known(loop.getLowerBound()), ub = known(loop.getUpperBound()), step = known(loop.getStep());
  if (loop.getUnsignedCmp() && (lb.range.lo < 0 || ub.range.lo < 0))
    return unknown;
  // The body runs with values from lb to ub - 1 only.
  auto [range, divisor] = fitted({lb.range.lo, Wide(ub.range.hi) - 1, std::gcd(lb.divisor, step.divisor)},
                                 argument.getType());
  return {range, divisor};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

SmallVector<Value> IndexFacts::restsOn(Value value) {
  if (!value.getType().isIntOrIndex())
    return {};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == kernel) {
      unsigned arguments = kernel.getNumKernelArguments(), number = argument.getArgNumber();
      if (number < arguments)
        return {};
      return {cast<ExtentsOp>(kernel.getSpace().front().getTerminator()).getExtents()[number - arguments]};
    }
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return {};
    SmallVector<Value> result{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
    if (argument.getArgNumber() != 0) {
      Recurrence how = recurrence(argument, carrier(argument).second);
      result.push_back(loop.getInitArgs()[argument.getArgNumber() - 1]);
      for (Value part : {how.step, how.start, how.limit})
        if (part)
          result.push_back(part);
    }
    return result;
  }
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getRegionIterArg(number)};
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  if (op->getNumRegions() || isa<DimOp>(op))
    return {};
  return llvm::filter_to_vector(op->getOperands(), [](Value operand) { return operand.getType().isIntOrIndex(); });
}

/// A quotient by numbers of at least 1.
template <typename Round>
static Exact quotient(IndexRange a, int64_t divisorA, IndexRange b, Round round) {
  Exact result = corners(a, b, round);
  // (d · x) / c is exact where c divides d.
  if (b.isConstant() && divisorA % b.lo == 0)
    result.divisor = divisorA / b.lo;
  return result;
}

IndexFacts::Fact IndexFacts::ofOperation(OpResult result) const {
  Operation *op = result.getOwner();
  Type type = result.getType();
  Fact unknown{rangeOfType(type), 1};
  auto fit = [&](Exact exact) {
    auto [range, divisor] = fitted(exact, type);
    return Fact{range, divisor};
  };
  auto either = [&](Value x, Value y) {
    Fact a = known(x), b = known(y);
    return fit({std::min(a.range.lo, b.range.lo), std::max(a.range.hi, b.range.hi), std::gcd(a.divisor, b.divisor)});
  };
  unsigned number = result.getResultNumber();
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)) && constant.getSignificantBits() <= 64)
    return fit({constant.getSExtValue(), constant.getSExtValue(), 1});
  if (auto dim = dyn_cast<DimOp>(op)) {
    auto view = cast<ViewType>(dim.getView().getType());
    int64_t extent = view.getShape()[dim.getAxis()];
    // Packed elements fill whole bytes along the contiguous axis.
    int64_t granule = view.contiguousAxis() == dim.getAxis() ? granuleOf(view.getElementType()) : 1;
    return ShapedType::isDynamic(extent) ? fit({0, maxIndex, granule}) : fit({extent, extent, 1});
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return known(loop.getRegionIterArg(number));
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return either(branch.thenYield().getOperand(number), branch.elseYield().getOperand(number));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return either(select.getTrueValue(), select.getFalseValue());
  if (auto assume = dyn_cast<AssumeOp>(op)) {
    Fact fact = known(assume.getValue());
    if (auto range = assume.getRange())
      fact.range = {std::max(fact.range.lo, (*range)[0]), std::min(fact.range.hi, (*range)[1])};
    if (auto divisible = assume.getDivisible(); divisible && fact.divisor)
      fact.divisor = productOfDivisors(fact.divisor, *divisible / std::gcd(fact.divisor, int64_t(*divisible)));
    return fit({fact.range.lo, fact.range.hi, fact.divisor});
  }
  if (op->getNumRegions() || op->getNumOperands() == 0 || !op->getOperand(0).getType().isIntOrIndex())
    return unknown;

  Fact a = known(op->getOperand(0));
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op) ||
      (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op) && a.range.lo >= 0))
    return fit({a.range.lo, a.range.hi, a.divisor});
  if (op->getNumOperands() != 2 || isa<arith::CmpIOp>(op))
    return unknown;
  Fact b = known(op->getOperand(1));
  int64_t common = std::gcd(a.divisor, b.divisor);
  bool natural = a.range.lo >= 0 && b.range.lo >= 0, positiveB = b.range.lo >= 1;
  auto floor = [](Wide x, Wide y) { return floorDiv(x, y); };
  auto scaled = [&](Exact exact) {
    exact.divisor = a.divisor && b.divisor ? productOfDivisors(a.divisor, b.divisor) : 0;
    return fit(exact);
  };
  return TypeSwitch<Operation *, Fact>(op)
      .Case<arith::AddIOp>([&](auto) {
        return fit({Wide(a.range.lo) + b.range.lo, Wide(a.range.hi) + b.range.hi, common});
      })
      .Case<arith::SubIOp>([&](auto) {
        return fit({Wide(a.range.lo) - b.range.hi, Wide(a.range.hi) - b.range.lo, common});
      })
      .Case<arith::MulIOp>([&](auto) {
        return scaled(corners(a.range, b.range, [](Wide x, Wide y) { return x * y; }));
      })
      .Case<arith::ShLIOp>([&](auto) {
        if (!b.range.isWithin(0, 62))
          return unknown;
        b.range = {int64_t(1) << b.range.lo, int64_t(1) << b.range.hi};
        b.divisor = b.range.lo;
        return scaled(corners(a.range, b.range, [](Wide x, Wide y) { return x * y; }));
      })
      .Case<arith::FloorDivSIOp>([&](auto) {
        return positiveB ? fit(quotient(a.range, a.divisor, b.range, floor)) : unknown;
      })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) {
        if (!b.range.isWithin(0, 62) || (isa<arith::ShRUIOp>(op) && a.range.lo < 0))
          return unknown;
        return fit(quotient(a.range, a.divisor, {int64_t(1) << b.range.lo, int64_t(1) << b.range.hi}, floor));
      })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([&](auto) {
        if (!positiveB || (isa<arith::CeilDivUIOp>(op) && !natural))
          return unknown;
        return fit(quotient(a.range, a.divisor, b.range, [](Wide x, Wide y) { return -floorDiv(-x, y); }));
      })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) {
        if (!positiveB || (isa<arith::DivUIOp>(op) && !natural))
          return unknown;
        return fit(quotient(a.range, a.divisor, b.range, [](Wide x, Wide y) { return x / y; }));
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) {
        if (!positiveB)
          return unknown;
        if (a.range.lo >= 0 && a.range.hi < b.range.lo)
          return a;
        int64_t most = b.range.hi - 1;
        if (isa<arith::RemUIOp>(op) && !natural)
          return fit({0, most, powerOfTwoIn(common)});
        return fit({std::max(std::min<int64_t>(a.range.lo, 0), -most), std::max<int64_t>(0, std::min(most, a.range.hi)),
                    common});
      })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) {
        if (isa<arith::MinUIOp>(op) && !natural)
          return Fact{unknown.range, common};
        return fit({std::min(a.range.lo, b.range.lo), std::min(a.range.hi, b.range.hi), common});
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) {
        if (isa<arith::MaxUIOp>(op) && !natural)
          return Fact{unknown.range, common};
        return fit({std::max(a.range.lo, b.range.lo), std::max(a.range.hi, b.range.hi), common});
      })
      .Case<arith::AndIOp>([&](auto) {
        int64_t pa = powerOfTwoIn(a.divisor), pb = powerOfTwoIn(b.divisor);
        int64_t power = pa && pb ? std::max(pa, pb) : 0;
        if (a.range.lo < 0 && b.range.lo < 0)
          return Fact{unknown.range, power};
        int64_t hi = std::min(a.range.lo >= 0 ? a.range.hi : highest, b.range.lo >= 0 ? b.range.hi : highest);
        return fit({0, hi, power});
      })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) {
        if (!natural)
          return Fact{unknown.range, powerOfTwoIn(common)};
        uint64_t most = uint64_t(std::max(a.range.hi, b.range.hi));
        return fit({0, Wide(most ? llvm::NextPowerOf2(most) - 1 : 0), powerOfTwoIn(common)});
      })
      .Default([&](Operation *) { return unknown; });
}
