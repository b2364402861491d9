/// cvt between the twelve plain number types (PTX ISA, "cvt"): which roundings and modifiers belong to which pair, and
/// the registers, which may be wider than the type: a source is cut, a result is extended, by its sign for signed
/// integers and by zeros for all others ("Operand Size Exceeding Instruction-Type Size").
#include "lib/Simulator/Execute/Conversion.h"

#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Execute/FloatForm.h"

namespace tilec::sim {
namespace {

struct NumberName {
  const char *name;
  NumberType number;
  ptx::Type type;
};
constexpr NumberName numbers[] = {
    {"u8", NumberType::U8, ptx::Type::U8},    {"u16", NumberType::U16, ptx::Type::U16},
    {"u32", NumberType::U32, ptx::Type::U32}, {"u64", NumberType::U64, ptx::Type::U64},
    {"s8", NumberType::S8, ptx::Type::S8},    {"s16", NumberType::S16, ptx::Type::S16},
    {"s32", NumberType::S32, ptx::Type::S32}, {"s64", NumberType::S64, ptx::Type::S64},
    {"f16", NumberType::F16, ptx::Type::F16}, {"bf16", NumberType::BF16, ptx::Type::BF16},
    {"f32", NumberType::F32, ptx::Type::F32}, {"f64", NumberType::F64, ptx::Type::F64},
};
const NumberName *findNumber(const std::string &name) {
  for (const NumberName &number : numbers)
    if (name == number.name)
      return &number;
  return nullptr;
}

/// Whether `to` lacks numbers of the float type `from`: then a rounding must be written.
bool losesPrecision(NumberType to, NumberType from) {
  if (to == from)
    return false;
  return numberBits(to) < numberBits(from) || (numberBits(to) == 16 && numberBits(from) == 16);
}

/// Takes the rounding and checks that the pair wants one ("Rounding Notes" of cvt).
bool takeRounding(Binder &b, NumberType to, NumberType from, ConvertMode &mode) {
  int integral = b.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  bool rounded = takeFloatRounding(b, mode.rounding);
  if (integral >= 0) {
    if (rounded)
      return b.fail("expects one rounding");
    if (!isFloat(from) || (isFloat(to) && to != from))
      return b.fail("an integer rounding is allowed from a floating-point type to an integer or to itself only");
    constexpr Rounding byNumber[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up};
    mode.rounding = byNumber[integral];
    mode.toIntegral = true;
    return true;
  }
  if (isFloat(from) && !isFloat(to))
    return b.fail("expects an integer rounding: .rni, .rzi, .rmi or .rpi");
  bool wanted = isFloat(to) && (!isFloat(from) || losesPrecision(to, from));
  // Assemblers take a rounding from bf16 to wider types as well, where it changes nothing.
  bool harmless = rounded && from == NumberType::BF16 && numberBits(to) > 16;
  if (wanted != rounded && !harmless)
    return b.fail(wanted ? "expects a rounding: .rn, .rz, .rm or .rp"
                         : "a rounding is not allowed where every value can be represented");
  if (harmless)
    mode.rounding = Rounding::NearestEven;
  return true;
}

/// Registers declared with a floating-point type hold values of just that width, for floating-point types; those
/// declared as integers serve integer types ("Relaxed Type-checking Rules" for source and destination operands).
bool checkRegister(Binder &b, const ptx::Operand &operand, Row row, NumberType number) {
  if (operand.kind != ptx::Operand::Kind::Register)
    return true;
  const ptx::Register &reg = b.function.registers[operand.reg];
  bool untyped = isOneOf(reg.type, {ptx::Type::B8, ptx::Type::B16, ptx::Type::B32, ptx::Type::B64});
  bool typedFloat = isOneOf(
      reg.type, {ptx::Type::F16, ptx::Type::BF16, ptx::Type::F16x2, ptx::Type::BF16x2, ptx::Type::F32, ptx::Type::F64});
  std::string start = "register '" + reg.name + "' of type ." + ptx::typeName(reg.type);
  if (!untyped && typedFloat != isFloat(number))
    return b.fail(start +
                  (typedFloat ? " where an integer is expected" : " where a floating-point number is expected"));
  if (typedFloat && 8 * row.bytes != numberBits(number))
    return b.fail(start + " is wider than the instruction's type");
  return true;
}

/// Whether a value of `from` may be outside the range that .sat clamps to; if not, .sat is illegal.
bool canSaturate(NumberType to, NumberType from) {
  if (to == NumberType::BF16 || from == NumberType::BF16)
    return false;
  if (isFloat(to) || isFloat(from))
    return true;
  if (isSigned(from) && !isSigned(to))
    return true;
  int room = numberBits(to) - (isSigned(to) && !isSigned(from) ? 1 : 0);
  return numberBits(from) > room;
}

/// Bits of a result that may be undefined: an extension by zeros is defined.
template <bool extendsSign> void propagateResult(Execution &x, const Operation &op, LaneMask active) {
  uint64_t mask = extendsSign ? ~uint64_t(0) : op.data[0];
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t { return x.undefinedBits(op.source(), lane) ? mask : 0; });
}
/// A source wider than its type: the bits above count for nothing.
template <bool extendsSign> void propagateCutResult(Execution &x, const Operation &op, LaneMask active) {
  uint64_t mask = extendsSign ? ~uint64_t(0) : op.data[0];
  setShadow(x, op, active,
            [&](unsigned lane) -> uint64_t { return x.undefinedBits(op.source(), lane) & op.data[1] ? mask : 0; });
}

uint64_t lowBits(int bits) { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }

bool bindPlain(Binder &b, const NumberName &to, const NumberName &from) {
  PlainConversion c;
  c.to = to.number;
  c.from = from.number;
  bool f32 = c.to == NumberType::F32 || c.from == NumberType::F32;
  bool toHalf = c.to == NumberType::F16 || c.to == NumberType::BF16;
  bool withBf16 = c.to == NumberType::BF16 || c.from == NumberType::BF16;
  if (!takeRounding(b, c.to, c.from, c.mode))
    return false;
  // Between bf16 and f32 since sm_80, all else with bf16 since sm_90.
  if (withBf16 && (!f32 || b.has("ftz")) && !b.require(90))
    return false;
  if (toHalf && c.from == NumberType::F32 && (b.has("relu") || b.has("satfinite"))) {
    c.mode.relu = b.take("relu");
    c.mode.satfinite = b.take("satfinite");
    if (c.mode.rounding == Rounding::Down || c.mode.rounding == Rounding::Up)
      return b.fail("expects the rounding .rn or .rz with .relu and .satfinite");
  } else {
    c.mode.ftz = f32 && b.take("ftz");
    c.mode.sat = canSaturate(c.to, c.from) && b.take("sat");
  }
  if (!expectOperands(b, 2))
    return false;
  // The relaxed rules do not name bf16.
  Row d = b.destination(0, to.type, c.to != NumberType::BF16);
  Row a = floatSource(b, 1, from.type, c.from != NumberType::BF16);
  if (!checkRegister(b, b.operand(0), d, c.to) || !checkRegister(b, b.operand(1), a, c.from))
    return false;
  c.toBytes = d.bytes;
  c.fromBytes = a.bytes;
  b.operation.kind = InstructionClass::Conversion;
  b.operation.data[0] = lowBits(numberBits(c.to));
  b.operation.data[1] = lowBits(numberBits(c.from));
  bool extendsSign = isSigned(c.to) && !isFloat(c.to);
  if (8u * a.bytes > static_cast<unsigned>(numberBits(c.from)))
    b.operation.propagate = extendsSign ? propagateCutResult<true> : propagateCutResult<false>;
  else
    b.operation.propagate = extendsSign ? propagateResult<true> : propagateResult<false>;
  if (!setFrequentConversion(b, c))
    setLanes(b, [c](const uint64_t *s) { return convert(c.to, c.from, s[0], c.mode); });
  return b.finish();
}

bool bindConversion(Binder &b) {
  b.operation.kind = InstructionClass::Conversion;
  if (b.take("pack"))
    return bindIntegerPack(b);
  const std::vector<std::string> &modifiers = b.instruction.modifiers;
  if (modifiers.size() < 2)
    return b.fail("expects two types");
  const std::string &to = modifiers[modifiers.size() - 2], &from = modifiers.back();
  const NumberName *toNumber = findNumber(to), *fromNumber = findNumber(from);
  bool packed = isPackedConversion(to, from);
  if (!packed && (!toNumber || !fromNumber))
    return b.fail("does not know a conversion to ." + to + " from ." + from);
  b.take(to);
  b.take(from);
  return packed ? bindPackedConversion(b, to, from) : bindPlain(b, *toNumber, *fromNumber);
}

} // namespace

void addConversionInstructions(InstructionTable &table) { table["cvt"] = bindConversion; }

} // namespace tilec::sim
