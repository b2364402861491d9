/// Comparisons (PTX ISA, "Comparison and Selection Instructions" and their half-precision forms): set, setp. A
/// comparison makes a mask of lanes; a function for each type and operator does that, and what follows (combining it
/// with a predicate, writing one predicate or two, or numbers) is the same for all.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

namespace tilec::sim {
namespace {

/// Ordered comparisons are false if an operand is NaN, unordered ones (…u) true.
enum class Relation { Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };

//===--- how operands are read ---===//

template <typename T> struct IntegerOperand {
  using Storage = T;
  static T load(T bits) { return bits; }
};
template <bool flush> struct SingleOperand {
  using Storage = uint32_t;
  static float load(uint32_t bits) {
    if (flush && (bits & 0x7f800000u) == 0)
      bits &= 0x80000000u;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};
struct DoubleOperand {
  using Storage = uint64_t;
  static double load(uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};
/// f16 as a number of the same order: its bits as a float with a wide exponent range, scaled, which is exact.
template <bool flush> struct HalfOperand {
  using Storage = uint16_t;
  static float load(uint16_t half) {
    uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    if (magnitude >= 0x7c00u) // infinities and NaN
      return SingleOperand<false>::load(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (flush && magnitude < 0x400u)
      magnitude = 0;
    // Subnormals are numbers of steps of 2^-24, others have exponent bias 15 instead of 127.
    if (magnitude < 0x400u) {
      float value = static_cast<float>(magnitude) * 0x1p-24f;
      return sign ? -value : value;
    }
    return SingleOperand<false>::load(sign | ((magnitude << 13) + ((127u - 15u) << 23)));
  }
};
struct BrainOperand {
  using Storage = uint16_t;
  static float load(uint16_t bits) { return SingleOperand<false>::load(uint32_t(bits) << 16); }
};
/// One half of a register with two.
template <typename Half, unsigned shift> struct PackedOperand {
  using Storage = uint32_t;
  static float load(uint32_t bits) { return Half::load(static_cast<uint16_t>(bits >> shift)); }
};

//===--- masks ---===//

template <Relation relation, typename T> bool holds(T a, T b) {
  switch (relation) {
  case Relation::Eq:
    return a == b;
  case Relation::Ne:
    return a < b || a > b;
  case Relation::Lt:
    return a < b;
  case Relation::Le:
    return a <= b;
  case Relation::Gt:
    return a > b;
  case Relation::Ge:
    return a >= b;
  case Relation::Equ:
    return !(a < b || a > b);
  case Relation::Neu:
    return !(a == b);
  case Relation::Ltu:
    return !(a >= b);
  case Relation::Leu:
    return !(a > b);
  case Relation::Gtu:
    return !(a <= b);
  case Relation::Geu:
    return !(a < b);
  case Relation::Num:
    return a == a && b == b;
  case Relation::Nan:
    return a != a || b != b;
  }
  return false;
}

using Compare = LaneMask (*)(const Execution &x, Row a, Row b);
template <typename Operand, Relation relation> LaneMask compare(const Execution &x, Row a, Row b) {
  using Storage = typename Operand::Storage;
  const Storage *left = x.row<Storage>(a), *right = x.row<Storage>(b);
  return maskOfLanes(
      [=](unsigned lane) { return holds<relation>(Operand::load(left[lane]), Operand::load(right[lane])); });
}

template <typename T> Compare integerCompare(Relation relation) {
  using O = IntegerOperand<T>;
  switch (relation) {
  case Relation::Eq:
    return compare<O, Relation::Eq>;
  case Relation::Ne:
    return compare<O, Relation::Neu>;
  case Relation::Lt:
    return compare<O, Relation::Lt>;
  case Relation::Le:
    return compare<O, Relation::Le>;
  case Relation::Gt:
    return compare<O, Relation::Gt>;
  case Relation::Ge:
    return compare<O, Relation::Ge>;
  default:
    return nullptr;
  }
}
template <typename O> Compare floatCompare(Relation relation) {
  switch (relation) {
  case Relation::Eq:
    return compare<O, Relation::Eq>;
  case Relation::Ne:
    return compare<O, Relation::Ne>;
  case Relation::Lt:
    return compare<O, Relation::Lt>;
  case Relation::Le:
    return compare<O, Relation::Le>;
  case Relation::Gt:
    return compare<O, Relation::Gt>;
  case Relation::Ge:
    return compare<O, Relation::Ge>;
  case Relation::Equ:
    return compare<O, Relation::Equ>;
  case Relation::Neu:
    return compare<O, Relation::Neu>;
  case Relation::Ltu:
    return compare<O, Relation::Ltu>;
  case Relation::Leu:
    return compare<O, Relation::Leu>;
  case Relation::Gtu:
    return compare<O, Relation::Gtu>;
  case Relation::Geu:
    return compare<O, Relation::Geu>;
  case Relation::Num:
    return compare<O, Relation::Num>;
  case Relation::Nan:
    return compare<O, Relation::Nan>;
  }
  return nullptr;
}

/// The comparison of a type; `high` for the upper half of two.
Compare compareOf(ptx::Type type, Relation relation, bool flush, bool high) {
  using Half = HalfOperand<false>;
  using Flushed = HalfOperand<true>;
  switch (type) {
  case ptx::Type::B16:
  case ptx::Type::U16:
    return integerCompare<uint16_t>(relation);
  case ptx::Type::S16:
    return integerCompare<int16_t>(relation);
  case ptx::Type::B32:
  case ptx::Type::U32:
    return integerCompare<uint32_t>(relation);
  case ptx::Type::S32:
    return integerCompare<int32_t>(relation);
  case ptx::Type::B64:
  case ptx::Type::U64:
    return integerCompare<uint64_t>(relation);
  case ptx::Type::S64:
    return integerCompare<int64_t>(relation);
  case ptx::Type::F32:
    return flush ? floatCompare<SingleOperand<true>>(relation) : floatCompare<SingleOperand<false>>(relation);
  case ptx::Type::F64:
    return floatCompare<DoubleOperand>(relation);
  case ptx::Type::F16:
    return flush ? floatCompare<Flushed>(relation) : floatCompare<Half>(relation);
  case ptx::Type::BF16:
    return floatCompare<BrainOperand>(relation);
  case ptx::Type::F16x2:
    if (flush)
      return high ? floatCompare<PackedOperand<Flushed, 16>>(relation)
                  : floatCompare<PackedOperand<Flushed, 0>>(relation);
    return high ? floatCompare<PackedOperand<Half, 16>>(relation) : floatCompare<PackedOperand<Half, 0>>(relation);
  case ptx::Type::BF16x2:
    return high ? floatCompare<PackedOperand<BrainOperand, 16>>(relation)
                : floatCompare<PackedOperand<BrainOperand, 0>>(relation);
  default:
    return nullptr;
  }
}

//===--- what follows a comparison ---===//

enum class Combine : uint8_t { None, And, Or, Xor };

struct Comparison {
  /// Of the value, or of the lower and the upper half.
  Compare compare[2] = {nullptr, nullptr};
  Combine combine = Combine::None;
  bool negated = false;
  /// Integers compared for equality: bits that are known to differ decide.
  bool equality = false;
  /// What set writes for true.
  uint32_t whenTrue = 0;

  bool packed() const { return compare[1] != nullptr; }
  LaneMask other(const Execution &x, const Operation &op) const {
    return combine == Combine::None ? 0 : x.predicate(op.source(2)) ^ (negated ? allLanes : 0);
  }
  LaneMask combined(LaneMask t, LaneMask c) const {
    switch (combine) {
    case Combine::None:
      return t;
    case Combine::And:
      return t & c;
    case Combine::Or:
      return t | c;
    case Combine::Xor:
      return t ^ c;
    }
    return t;
  }
};

void writePredicate(Execution &x, Row row, LaneMask active, LaneMask value) {
  LaneMask &to = x.predicate(row);
  to = (to & ~active) | (value & active);
}

Outcome runSetp(Execution &x, const Operation &op, LaneMask active) {
  const auto &how = op.detailAs<Comparison>();
  LaneMask t = how.compare[0](x, op.source(0), op.source(1));
  LaneMask second = how.packed() ? how.compare[1](x, op.source(0), op.source(1)) : ~t;
  LaneMask c = how.other(x, op);
  writePredicate(x, op.destination(0), active, how.combined(t, c));
  if (op.destinations == 2)
    writePredicate(x, op.destination(1), active, how.combined(second, c));
  return Outcome::Next;
}

Outcome runSet(Execution &x, const Operation &op, LaneMask active) {
  const auto &how = op.detailAs<Comparison>();
  LaneMask c = how.other(x, op);
  LaneMask low = how.combined(how.compare[0](x, op.source(0), op.source(1)), c);
  LaneMask high = how.packed() ? how.combined(how.compare[1](x, op.source(0), op.source(1)), c) : 0;
  forLanes(active, [&](unsigned lane) {
    uint32_t value = (low >> lane) & 1 ? how.whenTrue : 0;
    if ((high >> lane) & 1)
      value |= how.whenTrue << 16;
    x.setValue(op.destination(), lane, value);
  });
  return Outcome::Next;
}

/// Lanes whose comparison of one half (or of the whole) is not known. `bits`: the part of the operands that counts.
LaneMask unknownLanes(const Execution &x, const Operation &op, LaneMask active, uint64_t bits) {
  const auto &how = op.detailAs<Comparison>();
  LaneMask result = 0;
  forLanes(active, [&](unsigned lane) {
    uint64_t undefined = (x.undefinedBits(op.source(0), lane) | x.undefinedBits(op.source(1), lane)) & bits;
    bool decided = how.equality && ((x.value(op.source(0), lane) ^ x.value(op.source(1), lane)) & ~undefined) != 0;
    if (undefined && !decided)
      result |= 1u << lane;
  });
  return result;
}

/// Which lanes of a result are not known: a combination may be decided by one of its sides.
LaneMask unknownResult(const Execution &x, const Operation &op, LaneMask active, unsigned half) {
  const auto &how = op.detailAs<Comparison>();
  uint64_t part = !how.packed() ? ~uint64_t(0) : half ? 0xffff0000u : 0xffffu;
  LaneMask unknown = unknownLanes(x, op, active, part);
  if (how.combine == Combine::None)
    return unknown;
  LaneMask unknownOther = x.undefinedLanes(op.source(2), active);
  if (how.combine == Combine::Xor)
    return unknown | unknownOther;
  LaneMask t = how.compare[how.packed() ? half : 0](x, op.source(0), op.source(1)), c = how.other(x, op);
  if (half && !how.packed())
    t = ~t;
  // Of an `and`, a side that is known to be false decides; of an `or` one that is known to be true.
  LaneMask open =
      how.combine == Combine::And ? (t | unknown) & (c | unknownOther) : (~t | unknown) & (~c | unknownOther);
  return (unknown | unknownOther) & open;
}

void propagateSetp(Execution &x, const Operation &op, LaneMask active) {
  if (definedThroughout(x, op, active))
    return;
  LaneMask unknown[2] = {};
  for (unsigned i = 0; i < op.destinations; ++i)
    unknown[i] = unknownResult(x, op, active, i);
  for (unsigned i = 0; i < op.destinations; ++i) {
    x.setDefined(op.destination(i), active);
    x.setUndefined(op.destination(i), unknown[i]);
  }
}
void propagateSet(Execution &x, const Operation &op, LaneMask active) {
  bool packed = op.detailAs<Comparison>().packed();
  if (definedThroughout(x, op, active))
    return;
  LaneMask low = unknownResult(x, op, active, 0), high = packed ? unknownResult(x, op, active, 1) : 0;
  uint64_t part = packed ? 0xffffu : ~uint64_t(0);
  forLanes(active, [&](unsigned lane) {
    x.setUndefinedBits(op.destination(), lane, ((low >> lane) & 1 ? part : 0) | ((high >> lane) & 1 ? 0xffff0000u : 0));
  });
}

//===--- decoding ---===//

constexpr std::initializer_list<ptx::Type> comparedTypes = {
    ptx::Type::B16,   ptx::Type::B32,  ptx::Type::B64,    ptx::Type::U16, ptx::Type::U32,
    ptx::Type::U64,   ptx::Type::S16,  ptx::Type::S32,    ptx::Type::S64, ptx::Type::F16,
    ptx::Type::F16x2, ptx::Type::BF16, ptx::Type::BF16x2, ptx::Type::F32, ptx::Type::F64};

bool isPacked(ptx::Type type) { return isOneOf(type, {ptx::Type::F16x2, ptx::Type::BF16x2}); }
bool isFloat(ptx::Type type) {
  return isPacked(type) || isOneOf(type, {ptx::Type::F16, ptx::Type::BF16, ptx::Type::F32, ptx::Type::F64});
}

/// The relation is the first modifier; and the operators that exist only for some types.
bool readComparison(Binder &b, int relation, bool flush, ptx::Type type, Comparison &how) {
  if (relation < 0)
    return b.fail("expects a comparison such as .eq, .ne or .lt");
  bool isUnsigned = isOneOf(type, {ptx::Type::U16, ptx::Type::U32, ptx::Type::U64});
  bool bits = isOneOf(type, {ptx::Type::B16, ptx::Type::B32, ptx::Type::B64});
  if (flush && !isOneOf(type, {ptx::Type::F32, ptx::Type::F16, ptx::Type::F16x2}))
    return b.fail(std::string("has no .ftz for type .") + ptx::typeName(type));
  if (isOneOf(type, {ptx::Type::BF16, ptx::Type::BF16x2}) && !b.require(90))
    return false;
  // lo ls hi hs are lt le gt ge of unsigned types.
  constexpr int firstUnsigned = 14;
  if (relation >= firstUnsigned) {
    if (!isUnsigned)
      return b.fail(std::string("has .lo, .ls, .hi and .hs for unsigned types only, but got .") + ptx::typeName(type));
    relation = relation - firstUnsigned + static_cast<int>(Relation::Lt);
  }
  auto chosen = static_cast<Relation>(relation);
  if (bits && chosen != Relation::Eq && chosen != Relation::Ne)
    return b.fail(std::string("has only .eq and .ne for type .") + ptx::typeName(type));
  if (!isFloat(type) && chosen > Relation::Ge)
    return b.fail(std::string("has no unordered comparison for type .") + ptx::typeName(type));
  how.equality = !isFloat(type) && (chosen == Relation::Eq || chosen == Relation::Ne);
  how.compare[0] = compareOf(type, chosen, flush, false);
  if (isPacked(type))
    how.compare[1] = compareOf(type, chosen, flush, true);
  return true;
}

int takeRelation(Binder &b) {
  return b.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "lo",
                      "ls", "hi", "hs"});
}

/// Sources and the combination, after the destinations have been read.
bool finishComparison(Binder &b, ptx::Type type, Comparison how, Handler run, Propagator propagate) {
  b.source(1, type);
  b.source(2, type);
  if (how.combine != Combine::None)
    b.predicateSource(3, how.negated);
  b.operation.run = run;
  b.operation.propagate = propagate;
  b.operation.kind = InstructionClass::Predicate;
  b.operation.detail = b.builder().program().keep(how);
  return b.finish();
}

bool bindSetp(Binder &b) {
  Comparison how;
  int relation = takeRelation(b);
  how.combine = static_cast<Combine>(b.takeOneOf({"and", "or", "xor"}) + 1);
  bool flush = b.take("ftz");
  ptx::Type type = takeTypeOf(b, comparedTypes);
  if (type == ptx::Type::None || !readComparison(b, relation, flush, type, how) ||
      !expectOperands(b, how.combine == Combine::None ? 3 : 4))
    return false;
  const ptx::Operand &to = b.operand(0);
  if (to.kind == ptx::Operand::Kind::Pair && to.elements.size() == 2) {
    b.destination(to.elements[0], ptx::Type::Predicate);
    b.destination(to.elements[1], ptx::Type::Predicate);
  } else if (isPacked(type)) {
    return b.fail("expects two destinations p|q");
  } else {
    b.destination(0, ptx::Type::Predicate);
  }
  return finishComparison(b, type, how, runSetp, propagateSetp);
}

/// Whether set has the form, and what it writes for true.
bool readSetType(ptx::Type to, ptx::Type from, uint32_t &whenTrue) {
  bool half = isOneOf(from, {ptx::Type::F16, ptx::Type::BF16});
  switch (to) {
  case ptx::Type::U32:
  case ptx::Type::S32:
    whenTrue = isPacked(from) ? 0xffff : 0xffffffffu;
    return true;
  case ptx::Type::F32:
    whenTrue = 0x3f800000u;
    return !half && !isPacked(from);
  case ptx::Type::U16:
  case ptx::Type::S16:
    whenTrue = 0xffff;
    return half;
  case ptx::Type::F16:
    whenTrue = 0x3c00;
    return !isPacked(from);
  case ptx::Type::BF16:
    whenTrue = 0x3f80;
    return !isPacked(from);
  case ptx::Type::F16x2:
    whenTrue = 0x3c00;
    return from == to;
  case ptx::Type::BF16x2:
    whenTrue = 0x3f80;
    return from == to;
  default:
    return false;
  }
}

bool bindSet(Binder &b) {
  Comparison how;
  int relation = takeRelation(b);
  how.combine = static_cast<Combine>(b.takeOneOf({"and", "or", "xor"}) + 1);
  bool flush = b.take("ftz");
  ptx::Type to = b.takeType();
  ptx::Type from = takeTypeOf(b, comparedTypes);
  if (from == ptx::Type::None || !readComparison(b, relation, flush, from, how) ||
      !expectOperands(b, how.combine == Combine::None ? 3 : 4))
    return false;
  if (!readSetType(to, from, how.whenTrue))
    return b.fail(std::string("has no form with types .") + ptx::typeName(to) + "." + ptx::typeName(from));
  b.destination(0, to);
  return finishComparison(b, from, how, runSet, propagateSet);
}

} // namespace

void addCompareInstructions(InstructionTable &table) {
  table["set"] = bindSet;
  table["setp"] = bindSetp;
}

} // namespace tilec::sim
