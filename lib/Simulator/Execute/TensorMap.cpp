/// Changing tensor maps on the device. Source: PTX ISA, `tensormap.replace`, `tensormap.cp_fenceproxy`.
#include "lib/Simulator/Tma/TensorMap.h"
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

using namespace tilec;
using namespace tilec::sim;

namespace {

enum class Field : uint8_t {
  GlobalAddress,
  Rank,
  BoxDim,
  GlobalDim,
  GlobalStride,
  ElementStride,
  Type,
  Interleave,
  SwizzleMode,
  SwizzleAtom,
  Fill
};

struct ReplaceForm {
  Field field = Field::Rank;
  AddressSpace space = AddressSpace::Generic;
  AddressOperand map;
  unsigned ordinal = 0;
  Row value;
};

struct CopyForm {
  AddressOperand destination, source;
};

uint64_t addressIn(const Execution &x, const AddressOperand &operand, unsigned lane) {
  uint64_t sum = x.value(operand.base, lane) + static_cast<uint64_t>(operand.offset);
  return operand.base.bytes == 4 ? static_cast<uint32_t>(sum) : sum;
}

/// The table "Tensormap new_val validity" numbers types in another order than the driver does.
TensorType typeOfNumber(uint64_t number) {
  static const TensorType types[] = {
      TensorType::U8,      TensorType::U16,      TensorType::U32,       TensorType::S32,
      TensorType::U64,     TensorType::S64,      TensorType::F16,       TensorType::F32,
      TensorType::F32Ftz,  TensorType::F64,      TensorType::BF16,      TensorType::TF32,
      TensorType::TF32Ftz, TensorType::U4Align8, TensorType::U4Align16, TensorType::U6Align16};
  return types[number % tensorTypes];
}

bool isWide(TensorSwizzle swizzle) { return swizzle >= TensorSwizzle::B128; }

/// Why the value cannot be; empty: it has been written to the fields. Other rules are checked when the map is used,
/// since a map may be changed field by field.
std::string replaceField(TensorFields &map, const ReplaceForm &form, uint64_t value) {
  unsigned i = form.ordinal;
  switch (form.field) {
  case Field::GlobalAddress:
    map.globalAddress = value;
    return {};
  case Field::Rank:
    if (value >= maxTensorRank)
      return "the rank minus 1 must be 0 to 4, but is " + std::to_string(value);
    map.rank = static_cast<uint32_t>(value) + 1;
    return {};
  case Field::BoxDim:
    if (value == 0 || value > 256)
      return "box_dim must be 1 to 256, but is " + std::to_string(value);
    map.boxDim[i] = static_cast<uint32_t>(value);
    return {};
  case Field::GlobalDim:
    if (value == 0)
      return "global_dim must not be 0";
    map.globalDim[i] = value;
    return {};
  case Field::GlobalStride:
    map.globalStrides[i] = value;
    return {};
  case Field::ElementStride:
    if (value == 0 || value > 8)
      return "element_stride must be 1 to 8, but is " + std::to_string(value);
    map.elementStrides[i] = static_cast<uint32_t>(value);
    return {};
  case Field::Type:
    map.type = typeOfNumber(value);
    return {};
  case Field::Interleave:
    map.interleave = static_cast<TensorInterleave>(value);
    return {};
  case Field::SwizzleMode:
    // The atom is kept where the mode was and is 128B.
    if (value < 3 || !isWide(map.swizzle))
      map.swizzle = static_cast<TensorSwizzle>(value);
    return {};
  case Field::SwizzleAtom:
    if (!isWide(map.swizzle))
      return value == 0 ? std::string() : "an atom of more than 16B needs swizzle mode 128B";
    map.swizzle = static_cast<TensorSwizzle>(static_cast<unsigned>(TensorSwizzle::B128) + value);
    return {};
  case Field::Fill:
    map.fill = static_cast<TensorFill>(value);
    return {};
  }
  return {};
}

void replaceIn(Execution &x, const Operation &op, const ReplaceForm &form, unsigned lane) {
  Place place = locate(x, op, lane, form.space, addressIn(x, form.map, lane), tensorMapBytes, tensorMapAlignment,
                       AccessKind::Write);
  if (!place)
    return;
  unsigned char bytes[tensorMapBytes], undefined[tensorMapBytes] = {};
  readMemory(x, op, lane, place, bytes, undefined, tensorMapBytes);
  for (unsigned char bits : undefined)
    if (x.check && bits) {
      x.report(FindingKind::Undefined, op, lane, "the tensor map depends on undefined bits");
      return;
    }
  TensorFields map;
  std::string text = readMap(bytes, map);
  if (text.empty() && map.mode != TensorMode::Tiled)
    text = std::string("the tensor map must be of mode tiled, but is ") + tensorModeName(map.mode);
  if (text.empty())
    text = replaceField(map, form, x.value(form.value, lane));
  if (!text.empty()) {
    x.report(FindingKind::InvalidOperand, op, lane, text);
    return;
  }
  writeMap(bytes, map);
  writeMemory(x, op, lane, place, bytes, nullptr, tensorMapBytes);
}

Outcome runReplace(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<ReplaceForm>();
  for (unsigned i = 0; i < op.sources; ++i)
    active = x.requireDefined(op, op.source(i), active, "an operand of tensormap.replace");
  forLanes(active, [&](unsigned lane) { replaceIn(x, op, form, lane); });
  return Outcome::Next;
}

/// All threads of the warp execute it together and name the same places, so it happens once.
Outcome runCopy(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<CopyForm>();
  if (active != x.warp->alive) {
    x.report(FindingKind::InvalidOperand, op, firstLane(active),
             "all threads of the warp must execute the instruction together");
    return Outcome::Next;
  }
  for (unsigned i = 0; i < op.sources; ++i)
    if (x.requireDefined(op, op.source(i), active, "an address of tensormap.cp_fenceproxy") != active)
      return Outcome::Next;
  unsigned lane = firstLane(active);
  uint64_t to = addressIn(x, form.destination, lane), from = addressIn(x, form.source, lane);
  bool same = true;
  forLanes(active, [&](unsigned other) {
    same &= addressIn(x, form.destination, other) == to && addressIn(x, form.source, other) == from;
  });
  if (!same) {
    x.report(FindingKind::InvalidOperand, op, lane, "all threads of the warp must name the same addresses");
    return Outcome::Next;
  }
  Place source =
      locate(x, op, lane, AddressSpace::SharedBlock, from, tensorMapBytes, tensorMapAlignment, AccessKind::Read);
  Place destination =
      locate(x, op, lane, AddressSpace::Global, to, tensorMapBytes, tensorMapAlignment, AccessKind::Write);
  if (!source || !destination)
    return Outcome::Next;
  unsigned char bytes[tensorMapBytes], undefined[tensorMapBytes] = {};
  readMemory(x, op, lane, source, bytes, undefined, tensorMapBytes);
  writeMemory(x, op, lane, destination, bytes, x.check ? undefined : nullptr, tensorMapBytes);
  x.event();
  return Outcome::Next;
}

bool bindReplace(Binder &b) {
  ReplaceForm form;
  if (!b.take("tile"))
    return b.fail("expected .tile");
  int field = b.takeOneOf({"global_address", "rank", "box_dim", "global_dim", "global_stride", "element_stride",
                           "elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode"});
  if (field < 0)
    return b.fail("expected the name of a field");
  form.field = static_cast<Field>(field);
  static const AddressSpace spaces[] = {AddressSpace::Global, AddressSpace::SharedBlock, AddressSpace::SharedBlock};
  int space = b.takeOneOf({"global", "shared::cta", "shared"});
  if (space >= 0)
    form.space = spaces[space];
  ptx::Type wanted =
      form.field == Field::GlobalAddress || form.field == Field::GlobalStride ? ptx::Type::B64 : ptx::Type::B32;
  if (!b.take("b1024") || b.takeType() != wanted)
    return b.fail(std::string("expected .b1024.") + ptx::typeName(wanted));
  form.map = b.address(0);
  size_t next = 1;
  if (form.field >= Field::BoxDim && form.field <= Field::ElementStride) {
    int64_t ordinal = b.constant(next++), most = form.field == Field::GlobalStride ? 3 : 4;
    if (ordinal < 0 || ordinal > most)
      return b.fail("the ordinal must be 0 to " + std::to_string(most) + ", found " + std::to_string(ordinal));
    form.ordinal = static_cast<unsigned>(ordinal);
  }
  if (form.field >= Field::Type) {
    // How many values each of the enumerated fields has; swizzle mode 4 (96B) is of sm_103a alone.
    static const int64_t counts[] = {16, 3, 4, 4, 2};
    int64_t value = b.constant(next), count = counts[field - static_cast<int>(Field::Type)];
    if (value < 0 || value >= count)
      return b.fail("the new value must be 0 to " + std::to_string(count - 1) + ", found " + std::to_string(value));
    bool isNew = form.field == Field::SwizzleAtom || (form.field == Field::Type && value >= 13);
    if (isNew && !b.require(100))
      return false;
  }
  form.value = b.source(next, wanted);
  b.operation.run = runReplace;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

bool bindCopyFence(Binder &b) {
  CopyForm form;
  for (const char *modifier : {"global", "shared::cta", "tensormap::generic", "release", "sync", "aligned"})
    if (!b.take(modifier))
      return b.fail(std::string("expected .") + modifier);
  if (b.takeOneOf({"cta", "cluster", "gpu", "sys"}) < 0)
    return b.fail("expected a scope");
  form.destination = b.address(0);
  form.source = b.address(1);
  if (b.constant(2) != tensorMapBytes)
    return b.fail("the size must be 128, found " + std::to_string(b.constant(2)));
  b.operation.run = runCopy;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

bool bindTensorMap(Binder &b) {
  b.operation.kind = InstructionClass::BulkCopy;
  if (!b.require(90))
    return false;
  if (b.take("cp_fenceproxy"))
    return bindCopyFence(b);
  if (!b.take("replace"))
    return b.fail("expected .replace or .cp_fenceproxy");
  if (!b.targetHasFeatures())
    return b.fail("tensormap.replace needs a target with features such as sm_90a, the module is for " +
                  b.builder().module().target);
  return bindReplace(b);
}

} // namespace

void sim::addTensorMapInstructions(InstructionTable &table) { table["tensormap"] = bindTensorMap; }
