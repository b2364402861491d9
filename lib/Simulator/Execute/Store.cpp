/// st and st.bulk (PTX ISA, "Data Movement and Conversion Instructions: st, st.bulk"). A register that is wider than
/// the element gives its low bits. Lanes that store to one place are a race if they store different values; which value
/// stays is not defined, here it is the highest lane's.
#include "lib/Simulator/Core/Order.h"
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MemoryFamilies.h"
#include "lib/Simulator/Execute/WarpAccess.h"

#include <algorithm>
#include <vector>

using namespace tilec;
using namespace tilec::sim;

/// Row of element `i`; source 0 is the address.
static Row valueRow(const Operation &op, unsigned i) { return op.source(i + 1); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <typename Element, typename Value, unsigned elements>
static void storeValues(Execution &x, const Operation &op, const WarpAccess &access) {
  const Value *rows[elements];
  for (unsigned i = 0; i < elements; ++i)
    rows[i] = x.row<Value>(valueRow(op, i));
  auto put = [&](std::byte *to, unsigned lane) {
    Element values[elements];
    for (unsigned i = 0; i < elements; ++i)
      values[i] = static_cast<Element>(rows[i][lane]);
    std::memcpy(to, values, sizeof values);
  };
  if (access.consecutive) {
    std::byte *to = access.at(0);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      put(to + lane * sizeof(Element) * elements, lane);
  } else if (access.region) {
    std::byte *bytes = access.region->bytes;
    forLanes(access.lanes, [&](unsigned lane) { put(bytes + access.offsets[lane], lane); });
  } else {
    forLanes(access.lanes, [&](unsigned lane) { put(access.at(lane), lane); });
  }
}

static void storeAnyValues(Execution &x, const Operation &op, const MemoryForm &form, const WarpAccess &access) {
  forLanes(access.lanes, [&](unsigned lane) {
    for (unsigned i = 0; i < form.elements; ++i) {
      Row row = valueRow(op, i);
      std::memcpy(access.at(lane) + i * form.elementBytes, x.row<std::byte>(row) + lane * row.bytes, form.elementBytes);
    }
  });
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static void storeUndefined(Execution &x, const Operation &op, const MemoryForm &form, const WarpAccess &access) {
  bool mayBe = false;
  for (unsigned i = 0; i < form.elements; ++i)
    mayBe |= x.rowMayBeUndefined(valueRow(op, i));
  if (!mayBe)
    return setDefined(access);
  forLanes(access.lanes, [&](unsigned lane) {
    Place place = access.place(lane);
    if (!place.region->undefined)
      return;
    std::byte bits[32] = {};
    for (unsigned i = 0; i < form.elements; ++i) {
      Row row = valueRow(op, i);
      if (x.rowMayBeUndefined(row))
        std::memcpy(bits + i * form.elementBytes, undefinedAt(x, row, lane), form.elementBytes);
    }
    place.region->undefined->write(place.offset, bits, form.bytes);
  });
}

/// Whether two lanes store the same bits.
static bool sameValues(Execution &x, const Operation &op, const MemoryForm &form, unsigned a, unsigned b) {
  for (unsigned i = 0; i < form.elements; ++i) {
    Row row = valueRow(op, i);
    const std::byte *values = x.row<std::byte>(row);
    if (std::memcmp(values + a * row.bytes, values + b * row.bytes, form.elementBytes) != 0)
      return false;
  }
  return true;
}

/// The lanes without those whose place a higher lane stores to as well; such a pair with different values is reported.
/// Places are aligned to their size, so two lanes' places are equal or apart.
static LaneMask distinctLanes(Execution &x, const Operation &op, const MemoryForm &form, const WarpAccess &access) {
  uint64_t last = 0;
  bool ascending = !access.uniform;
  LaneMask before = 0;
  forLanes(access.lanes, [&](unsigned lane) {
    ascending &= before == 0 || access.addresses[lane] > last;
    last = access.addresses[lane];
    before |= 1u << lane;
  });
  if (ascending)
    return access.lanes;
  LaneMask distinct = access.lanes;
  // Places by a hash of the address: 64 slots for at most 32 lanes.
  constexpr unsigned slots = 64;
  int8_t holder[slots];
  std::memset(holder, -1, sizeof holder);
  forLanes(access.lanes, [&](unsigned lane) {
    Place place = access.place(lane);
    unsigned slot = static_cast<unsigned>(place.offset / form.bytes) % slots;
    for (; holder[slot] >= 0; slot = (slot + 1) % slots) {
      auto other = static_cast<unsigned>(holder[slot]);
      Place taken = access.place(other);
      if (taken.region != place.region || taken.offset != place.offset)
        continue;
      distinct &= ~(1u << other);
      if (!form.strong && !sameValues(x, op, form, other, lane))
        x.report(FindingKind::Race, op, lane,
                 "lanes " + std::to_string(other) + " and " + std::to_string(lane) +
                     " of the warp store different values to one place",
                 {"the other store is of " + x.threadText(other)});
      break;
    }
    holder[slot] = static_cast<int8_t>(lane);
  });
  return distinct;
}

/// Whether other threads can have a part in the access: not where all lanes store to memory of their own.
static bool isVisible(const WarpAccess &access) {
  if (access.region)
    return access.region->races != nullptr;
  bool visible = false;
  forLanes(access.lanes, [&](unsigned lane) { visible |= access.regions[lane]->space != ptx::Space::Local; });
  return visible;
}

template <typename Values> static Outcome store(Execution &x, const Operation &op, LaneMask active, Values moveValues) {
  const auto &form = op.detailAs<MemoryForm>();
  WarpAccess access;
  resolve(x, op, active, form, AccessKind::Write, access);
  LaneMask recorded = access.lanes;
  if (x.check && !access.consecutive && isVisible(access))
    recorded = distinctLanes(x, op, form, access);
  moveValues(form, access);
  countAccess(x, op, access, /*isStore=*/true);
  if (form.strong)
    x.event();
  if (!x.check || !access.lanes)
    return Outcome::Next;
  storeUndefined(x, op, form, access);
  recordLanes(x, op, access, recorded, AccessKind::Write, form.strong);
  Reach reach = form.forBlock ? Reach::Block : Reach::Everywhere;
  if (form.strong)
    forLanes(recorded, [&](unsigned lane) {
      if (form.release)
        releaseTo(x, access.place(lane), Publish::Replace, reach);
      else
        relaxedWrite(x, access.place(lane), Publish::Replace, reach);
    });
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

template <typename Element, typename Value, unsigned elements>
static Outcome runStore(Execution &x, const Operation &op, LaneMask active) {
  return store(x, op, active, [&](const MemoryForm &, const WarpAccess &access) {
    storeValues<Element, Value, elements>(x, op, access);
  });
}

static Outcome runStoreAny(Execution &x, const Operation &op, LaneMask active) {
  return store(x, op, active,
               [&](const MemoryForm &form, const WarpAccess &access) { storeAnyValues(x, op, form, access); });
}

template <typename Element, typename Value> static Handler handlerFor(unsigned elements) {
  switch (elements) {
  case 1:
    return runStore<Element, Value, 1>;
  case 2:
    return runStore<Element, Value, 2>;
  case 4:
    return runStore<Element, Value, 4>;
  default:
    return runStoreAny;
  }
}

static Handler chooseHandler(const MemoryForm &form, unsigned registerBytes) {
  switch (form.elementBytes << 4 | registerBytes) {
  case 0x11:
    return handlerFor<uint8_t, uint8_t>(form.elements);
  case 0x12:
    return handlerFor<uint8_t, uint16_t>(form.elements);
  case 0x14:
    return handlerFor<uint8_t, uint32_t>(form.elements);
  case 0x22:
    return handlerFor<uint16_t, uint16_t>(form.elements);
  case 0x24:
    return handlerFor<uint16_t, uint32_t>(form.elements);
  case 0x44:
    return handlerFor<uint32_t, uint32_t>(form.elements);
  case 0x48:
    return handlerFor<uint32_t, uint64_t>(form.elements);
  case 0x88:
    return handlerFor<uint64_t, uint64_t>(form.elements);
  default:
    return runStoreAny;
  }
}

/// st.bulk: `size` zero bytes from each lane's address.
static Outcome runStoreBulk(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<MemoryForm>();
  if (x.check) {
    active = x.requireDefined(op, op.source(0), active, "address");
    active = x.requireDefined(op, op.source(1), active, "size");
  }
  forLanes(active, [&](unsigned lane) {
    uint64_t address = x.value(form.base, lane) + static_cast<uint64_t>(form.offset);
    uint64_t size = x.value(op.source(1), lane);
    if (size == 0)
      return;
    if (size % 8 != 0 || size > uint64_t(1) << 24) {
      x.report(FindingKind::InvalidOperand, op, lane,
               "size must be a multiple of 8 and at most 16777216, got " + std::to_string(size));
      return;
    }
    Place place =
        locate(x, op, lane, form.space, address, static_cast<unsigned>(size), form.alignment, AccessKind::Write);
    if (!place)
      return;
    if (place.region->space != ptx::Space::Shared) {
      x.report(FindingKind::InvalidOperand, op, lane, "st.bulk writes shared memory only");
      return;
    }
    std::memset(place.bytes(), 0, size);
    if (!x.check)
      return;
    if (place.region->undefined)
      place.region->undefined->setDefined(place.offset, size);
    recordAccess(x, op, lane, place, size, AccessKind::Write, false);
  });
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Binds
//===----------------------------------------------------------------------===//

/// st.bulk{.weak}{.shared::cta} [a], size, initval;
static bool bindStoreBulk(Binder &b) {
  MemoryForm form;
  b.take("bulk");
  if (!b.require(100))
    return false;
  b.take("weak");
  form.space = takeAddressSpace(b, {"shared"});
  form.alignment = 8;
  if (!bindAddress(b, 0, form))
    return false;
  b.source(1, ptx::Type::B64);
  if (b.constant(2) != 0)
    return b.fail("the value that st.bulk fills with must be 0");
  b.operation.kind = InstructionClass::Store;
  b.operation.run = runStoreBulk;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

static bool bindStore(Binder &b) {
  if (b.has("bulk"))
    return bindStoreBulk(b);
  if (b.has("async"))
    return bindStoreAsync(b);
  MemoryForm form;
  takeSemantics(b, form, {"relaxed", "release"});
  form.space = takeAddressSpace(b, {"global", "shared", "local", "param"});
  // Kernels may not write their own parameters: what they write are those of calls.
  if (form.space == AddressSpace::Parameter)
    form.space = AddressSpace::Local;
  bool hasPolicy = takeCacheHints(b);
  if (!takeElements(b, form))
    return false;
  if (form.type >= ptx::Type::F16 && form.type <= ptx::Type::BF16x2)
    return b.fail(std::string("type .") + ptx::typeName(form.type) + " cannot be stored, use .b16 or .b32");
  if (!bindAddress(b, 0, form))
    return false;
  if (form.isKernelParameter)
    return b.fail("a parameter of the kernel cannot be written");
  bool mayBeWider = form.type != ptx::Type::F32 && form.type != ptx::Type::F64;
  std::vector<Row> rows;
  const ptx::Operand &value = b.operand(1);
  if (value.kind == ptx::Operand::Kind::Vector)
    for (const ptx::Operand &element : value.elements)
      rows.push_back(b.source(element, form.type, mayBeWider));
  else
    rows.push_back(b.source(value, form.type, mayBeWider));
  if (rows.size() != form.elements)
    return b.fail("expected " + std::to_string(form.elements) + " values, found " + std::to_string(rows.size()));
  if (hasPolicy)
    b.source(2, ptx::Type::B64);
  bool same = std::all_of(rows.begin(), rows.end(), [&](Row row) { return row.bytes == rows[0].bytes; });
  b.operation.kind = InstructionClass::Store;
  b.operation.run = same ? chooseHandler(form, rows[0].bytes) : runStoreAny;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

void tilec::sim::addStoreInstructions(InstructionTable &table) { table["st"] = bindStore; }
