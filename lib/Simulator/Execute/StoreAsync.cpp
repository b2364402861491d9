/// st.async and red.async: stores and reductions into shared memory of the cluster that count towards an mbarrier there
/// (PTX ISA, "Data Movement and Conversion Instructions: st.async", "Parallel Synchronization …: red.async"). The forms
/// for global memory (`.mmio`) are refused.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/AtomicFamilies.h"
#include "lib/Simulator/Execute/Mbarrier.h"
#include "lib/Simulator/Execute/MemoryFamilies.h"
#include "lib/Simulator/Execute/WarpAccess.h"

using namespace tilec;
using namespace tilec::sim;

namespace {
struct AsyncForm {
  MemoryForm memory, barrier;
  /// Null for st.async.
  AtomicCombine combine = nullptr;
  bool bitwise = false;
};

/// A lane's elements: bits and undefined bits.
struct Values {
  uint64_t bits[4] = {}, undefined[4] = {};
};
} // namespace

/// The group of operations that belong to none.
constexpr uint64_t withoutGroup = ~uint64_t(0) - 1;

/// Moves one lane's values.
static void perform(const AsyncForm &form, Place place, const Values &values, bool check) {
  unsigned bytes = form.memory.elementBytes;
  UndefinedBits *undefined = check ? place.region->undefined.get() : nullptr;
  for (unsigned i = 0; i < form.memory.elements; ++i) {
    std::byte *at = place.bytes() + i * bytes;
    uint64_t result = values.bits[i], resultUndefined = values.undefined[i];
    if (form.combine) {
      uint64_t old = 0, oldUndefined = 0;
      std::memcpy(&old, at, bytes);
      if (undefined)
        undefined->read(place.offset + i * bytes, &oldUndefined, bytes);
      result = form.combine(old, result);
      resultUndefined |= oldUndefined;
      if (resultUndefined && !form.bitwise)
        resultUndefined = ~uint64_t(0);
    }
    std::memcpy(at, &result, bytes);
    if (undefined)
      undefined->write(place.offset + i * bytes, &resultUndefined, bytes);
  }
}

static Outcome runAsync(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<AsyncForm>();
  AccessKind kind = form.combine ? AccessKind::Atomic : AccessKind::Write;
  WarpAccess access, barrier;
  resolve(x, op, active, form.memory, kind, access);
  barrier.lanes = 0;
  if (access.lanes)
    resolve(x, op, access.lanes, form.barrier, AccessKind::Atomic, barrier);
  countAccess(x, op, access, /*isStore=*/true);
  forLanes(barrier.lanes, [&](unsigned lane) {
    Place place = access.place(lane), object = barrier.place(lane);
    if (place.region != object.region || place.region->space != ptx::Space::Shared) {
      x.report(FindingKind::InvalidOperand, op, lane,
               "the destination and the mbarrier must lie in the shared memory of one block");
      return;
    }
    Values values;
    for (unsigned i = 0; i < form.memory.elements; ++i) {
      Row row = op.source(2 + i);
      values.bits[i] = x.value(row, lane);
      if (x.check)
        values.undefined[i] = x.undefinedBits(row, lane);
    }
    if (x.check)
      recordAsyncAccess(x, op, place, form.memory.bytes, kind, Proxy::Generic, mbarrierChain(x, object));
    AsyncOperation operation;
    operation.warp = x.warp;
    operation.op = &op;
    operation.lane = lane;
    operation.unit = AsyncOperation::Unit::Bulk;
    operation.group = withoutGroup;
    operation.perform = [&form, &op, place, object, values](Execution &later) {
      perform(form, place, values, later.check);
      completeTransaction(later, op, object, form.memory.bytes, nullptr);
    };
    x.cluster->async.add(x, std::move(operation));
  });
  return Outcome::Next;
}

/// Spaces, completion, elements and operands `[a], b, [mbar]`, after what comes before.
static bool bindOperands(Binder &b, AsyncForm &form) {
  if (b.has("mmio") || b.has("global"))
    return b.fail("asynchronous stores to global memory are not supported");
  form.memory.space = b.take("shared::cluster") ? AddressSpace::SharedCluster : AddressSpace::Generic;
  form.barrier.space = form.memory.space;
  b.take("mbarrier::complete_tx::bytes");
  if (!takeElements(b, form.memory))
    return false;
  return form.memory.bytes <= 16 || b.fail("expected at most 16 bytes");
}

static bool finish(Binder &b, AsyncForm &form) {
  ptx::Type type = form.memory.type;
  form.barrier.bytes = form.barrier.alignment = 8;
  if (!bindAddress(b, 0, form.memory) || !bindAddress(b, 2, form.barrier))
    return false;
  if (b.sources(1, type) != form.memory.elements)
    return b.fail("expected " + std::to_string(form.memory.elements) + " values");
  b.operation.run = runAsync;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

bool tilec::sim::bindStoreAsync(Binder &b) {
  AsyncForm form;
  b.take("async");
  b.take("weak");
  if (!b.require(90) || !bindOperands(b, form))
    return false;
  if (form.memory.elementBytes != 4 && form.memory.elementBytes != 8)
    return b.fail("expected elements of 32 or 64 bits");
  b.operation.kind = InstructionClass::Store;
  return finish(b, form);
}

/// red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type [a], b, [mbar];
bool tilec::sim::bindReductionAsync(Binder &b) {
  AsyncForm form;
  b.take("async");
  b.take("relaxed");
  b.take("cluster");
  int op = b.takeOneOf({"add", "and", "or", "xor", "inc", "dec", "min", "max"});
  if (op < 0)
    return b.fail("expected a reduction");
  if (!b.require(90) || !bindOperands(b, form))
    return false;
  auto atomic = static_cast<AtomicOp>(op);
  ptx::Type type = form.memory.type;
  bool isFloat = type >= ptx::Type::F16;
  std::string fault = checkAtomicType(atomic, type, form.memory.elements, false);
  if (isFloat || !fault.empty())
    return b.fail(fault.empty() ? "the operation is not defined for floats" : fault);
  form.combine = atomicCombine(atomic, type, /*inGlobal=*/false);
  form.bitwise = atomic == AtomicOp::And || atomic == AtomicOp::Or || atomic == AtomicOp::Xor;
  b.operation.kind = InstructionClass::Atomic;
  return finish(b, form);
}
