/// ld and ldu (PTX ISA, "Data Movement and Conversion Instructions: ld, ld.global.nc, ldu"). Elements that are narrower
/// than their register are extended by sign or by zero. Cache operators and hints change nothing here; volatile,
/// relaxed and acquire matter to the race check only.
#include "lib/Simulator/Core/Order.h"
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MemoryFamilies.h"
#include "lib/Simulator/Execute/WarpAccess.h"

#include <algorithm>
#include <vector>

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <typename Element> static Element elementAt(const std::byte *from, unsigned i) {
  Element element;
  std::memcpy(&element, from + i * sizeof(Element), sizeof(Element));
  return element;
}

/// `Element` in memory, `Value` in the registers; `elements` of them in each lane.
template <typename Element, typename Value, unsigned elements>
static void loadValues(Execution &x, const Operation &op, const WarpAccess &access) {
  Value *rows[elements];
  for (unsigned i = 0; i < elements; ++i)
    rows[i] = x.row<Value>(op.destination(i));
  if (access.consecutive) {
    const std::byte *from = access.at(0);
    for (unsigned i = 0; i < elements; ++i)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        rows[i][lane] = static_cast<Value>(elementAt<Element>(from, lane * elements + i));
    return;
  }
  if (access.uniform) {
    for (unsigned i = 0; i < elements; ++i)
      std::fill_n(rows[i], warpSize, static_cast<Value>(elementAt<Element>(access.at(0), i)));
    return;
  }
  if (access.region) {
    const std::byte *bytes = access.region->bytes;
    forLanes(access.lanes, [&](unsigned lane) {
      for (unsigned i = 0; i < elements; ++i)
        rows[i][lane] = static_cast<Value>(elementAt<Element>(bytes + access.offsets[lane], i));
    });
    return;
  }
  forLanes(access.lanes, [&](unsigned lane) {
    for (unsigned i = 0; i < elements; ++i)
      rows[i][lane] = static_cast<Value>(elementAt<Element>(access.at(lane), i));
  });
}

/// Any widths, one element at a time.
static void loadAnyValues(Execution &x, const Operation &op, const MemoryForm &form, const WarpAccess &access) {
  bool isSigned = form.type >= ptx::Type::S8 && form.type <= ptx::Type::S64;
  forLanes(access.lanes, [&](unsigned lane) {
    for (unsigned i = 0; i < form.elements; ++i) {
      const std::byte *from = access.at(lane) + i * form.elementBytes;
      Row row = op.destination(i);
      std::byte *to = x.row<std::byte>(row) + lane * row.bytes;
      bool negative = isSigned && (from[form.elementBytes - 1] & std::byte{0x80}) != std::byte{0};
      std::byte filled[16];
      std::memset(filled, negative ? 0xff : 0, sizeof filled);
      std::memcpy(filled, from, form.elementBytes);
      std::memcpy(to, filled, row.bytes);
    }
  });
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The undefined bits of the lanes that read, and of `missing` lanes, whose access did not happen.
static void loadUndefined(Execution &x, const Operation &op, const MemoryForm &form, const WarpAccess &access,
                          LaneMask missing) {
  bool defined = isDefined(access);
  if (defined || missing)
    for (unsigned i = 0; i < form.elements; ++i) {
      if (defined)
        x.setDefined(op.destination(i), access.lanes);
      if (missing)
        x.setUndefined(op.destination(i), missing);
    }
  if (defined)
    return;
  bool isSigned = form.type >= ptx::Type::S8 && form.type <= ptx::Type::S64;
  for (unsigned i = 0; i < form.elements; ++i)
    prepareUndefined(x, op.destination(i));
  forLanes(access.lanes, [&](unsigned lane) {
    std::byte bits[32];
    readUndefined(access, lane, bits);
    for (unsigned i = 0; i < form.elements; ++i) {
      const std::byte *from = bits + i * form.elementBytes;
      Row row = op.destination(i);
      // Copies of an undefined sign are undefined; zeros are not.
      bool signUndefined = isSigned && (from[form.elementBytes - 1] & std::byte{0x80}) != std::byte{0};
      std::byte filled[16];
      std::memset(filled, signUndefined ? 0xff : 0, sizeof filled);
      std::memcpy(filled, from, form.elementBytes);
      std::memcpy(undefinedAt(x, row, lane), filled, row.bytes);
    }
  });
}

/// What strong reads do to the order; places that several lanes read are asked once.
static void order(Execution &x, const MemoryForm &form, const WarpAccess &access) {
  Reach reach = form.forBlock ? Reach::Block : Reach::Everywhere;
  uint64_t last = ~uint64_t(0);
  forLanes(access.lanes, [&](unsigned lane) {
    if (access.addresses[lane] == last)
      return;
    last = access.addresses[lane];
    if (form.acquire)
      acquireFrom(x, access.place(lane), reach);
    else
      relaxedRead(x, access.place(lane), reach);
  });
}

/// What every load does around the moving of values.
template <typename Values> static Outcome load(Execution &x, const Operation &op, LaneMask active, Values moveValues) {
  const auto &form = op.detailAs<MemoryForm>();
  WarpAccess access;
  resolve(x, op, active, form, AccessKind::Read, access);
  moveValues(form, access);
  if (LaneMask missing = active & ~access.lanes)
    for (unsigned i = 0; i < form.elements; ++i) {
      Row row = op.destination(i);
      forLanes(missing, [&](unsigned lane) { std::memset(x.row<std::byte>(row) + lane * row.bytes, 0, row.bytes); });
    }
  countAccess(x, op, access, /*isStore=*/false);
  if (form.strong)
    x.poll();
  if (!x.check)
    return Outcome::Next;
  loadUndefined(x, op, form, access, active & ~access.lanes);
  if (!access.lanes)
    return Outcome::Next;
  if (form.strong)
    order(x, form, access);
  recordLanes(x, op, access, access.lanes, AccessKind::Read, form.strong);
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

template <typename Element, typename Value, unsigned elements>
static Outcome runLoad(Execution &x, const Operation &op, LaneMask active) {
  return load(x, op, active, [&](const MemoryForm &, const WarpAccess &access) {
    loadValues<Element, Value, elements>(x, op, access);
  });
}

static Outcome runLoadAny(Execution &x, const Operation &op, LaneMask active) {
  return load(x, op, active,
              [&](const MemoryForm &form, const WarpAccess &access) { loadAnyValues(x, op, form, access); });
}

/// A parameter of the kernel: the same bytes for all lanes, always there and defined.
static Outcome runLoadParameter(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<MemoryForm>();
  bool isSigned = form.type >= ptx::Type::S8 && form.type <= ptx::Type::S64;
  for (unsigned i = 0; i < form.elements; ++i) {
    const std::byte *from = x.grid->parameters.bytes + form.offset + i * form.elementBytes;
    Row row = op.destination(i);
    bool negative = isSigned && (from[form.elementBytes - 1] & std::byte{0x80}) != std::byte{0};
    Bits128 value{negative ? ~uint64_t(0) : 0, 0};
    std::memcpy(&value, from, form.elementBytes);
    switch (row.bytes) {
    case 1:
      forLanes(active, [&](unsigned lane) { x.row<uint8_t>(row)[lane] = static_cast<uint8_t>(value.low); });
      break;
    case 2:
      forLanes(active, [&](unsigned lane) { x.row<uint16_t>(row)[lane] = static_cast<uint16_t>(value.low); });
      break;
    case 4:
      forLanes(active, [&](unsigned lane) { x.row<uint32_t>(row)[lane] = static_cast<uint32_t>(value.low); });
      break;
    case 8:
      forLanes(active, [&](unsigned lane) { x.row<uint64_t>(row)[lane] = value.low; });
      break;
    default:
      forLanes(active, [&](unsigned lane) { x.row<Bits128>(row)[lane] = value; });
      break;
    }
    if (x.check)
      x.setDefined(row, active);
  }
  return Outcome::Next;
}

template <typename Element, typename Value> static Handler handlerFor(unsigned elements) {
  switch (elements) {
  case 1:
    return runLoad<Element, Value, 1>;
  case 2:
    return runLoad<Element, Value, 2>;
  case 4:
    return runLoad<Element, Value, 4>;
  default:
    return runLoadAny;
  }
}

template <typename Element> static Handler handlerFor(unsigned registerBytes, unsigned elements) {
  switch (registerBytes) {
  case 2:
    if constexpr (sizeof(Element) <= 2)
      return handlerFor<Element, uint16_t>(elements);
    break;
  case 4:
    if constexpr (sizeof(Element) <= 4)
      return handlerFor<Element, uint32_t>(elements);
    break;
  case 8:
    return handlerFor<Element, uint64_t>(elements);
  }
  return runLoadAny;
}

static Handler chooseHandler(const MemoryForm &form, unsigned registerBytes) {
  bool isSigned = form.type >= ptx::Type::S8 && form.type <= ptx::Type::S64;
  switch (form.elementBytes) {
  case 1:
    return isSigned ? handlerFor<int8_t>(registerBytes, form.elements)
                    : handlerFor<uint8_t>(registerBytes, form.elements);
  case 2:
    return isSigned ? handlerFor<int16_t>(registerBytes, form.elements)
                    : handlerFor<uint16_t>(registerBytes, form.elements);
  case 4:
    return isSigned ? handlerFor<int32_t>(registerBytes, form.elements)
                    : handlerFor<uint32_t>(registerBytes, form.elements);
  case 8:
    return handlerFor<uint64_t>(registerBytes, form.elements);
  default:
    return runLoadAny;
  }
}

//===----------------------------------------------------------------------===//
// Binds
//===----------------------------------------------------------------------===//

/// Floating-point values fill their registers; integers and bits may be extended.
static bool mayBeExtended(ptx::Type type) { return type != ptx::Type::F32 && type != ptx::Type::F64; }

/// Operands of ld and ldu: `d, [a]` and the cache policy, after the modifiers are read.
static bool bindLoadOperands(Binder &b, MemoryForm form, bool hasPolicy) {
  if (form.type >= ptx::Type::F16 && form.type <= ptx::Type::BF16x2)
    return b.fail(std::string("type .") + ptx::typeName(form.type) + " cannot be loaded, use .b16 or .b32");
  std::vector<Row> rows;
  const ptx::Operand &destination = b.operand(0);
  if (destination.kind == ptx::Operand::Kind::Vector)
    for (const ptx::Operand &element : destination.elements)
      rows.push_back(b.destination(element, form.type, mayBeExtended(form.type)));
  else
    rows.push_back(b.destination(destination, form.type, mayBeExtended(form.type)));
  if (rows.size() != form.elements)
    return b.fail("expected " + std::to_string(form.elements) + " registers, found " + std::to_string(rows.size()));
  if (!bindAddress(b, 1, form))
    return false;
  if (hasPolicy)
    b.source(2, ptx::Type::B64);
  bool same = std::all_of(rows.begin(), rows.end(), [&](Row row) { return row.bytes == rows[0].bytes; });
  b.operation.kind = InstructionClass::Load;
  b.operation.run = form.isKernelParameter ? runLoadParameter : same ? chooseHandler(form, rows[0].bytes) : runLoadAny;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

static bool bindLoad(Binder &b) {
  MemoryForm form;
  takeSemantics(b, form, {"relaxed", "acquire"});
  bool nonCoherent = b.take("nc");
  form.space = takeAddressSpace(b, {"global", "shared", "local", "param", "const"});
  if (nonCoherent && (form.space != AddressSpace::Global || form.strong))
    return b.fail("'.nc' needs '.global' and a weak load");
  bool hasPolicy = takeCacheHints(b);
  b.take("unified");
  return takeElements(b, form) && bindLoadOperands(b, form, hasPolicy);
}

static bool bindLoadUniform(Binder &b) {
  MemoryForm form;
  form.space = takeAddressSpace(b, {"global"});
  return takeElements(b, form) && bindLoadOperands(b, form, false);
}

void tilec::sim::addLoadInstructions(InstructionTable &table) {
  table["ld"] = bindLoad;
  table["ldu"] = bindLoadUniform;
}
