/// Instructions about addresses: between a space's own and generic ones (cvta), which space a generic one lies in
/// (isspacep), shared memory of other blocks of the cluster (mapa, getctarank). Sources: PTX ISA, "Data Movement and
/// Conversion Instructions", sections of those names. How the windows lie is said in Core/Memory.h.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MemoryFamilies.h"
#include "lib/Simulator/Execute/MemoryForm.h"

#include "lib/Simulator/Core/Execution.h"

using namespace tilec;
using namespace tilec::sim;

/// The window of a space in generic addresses; 0: its addresses are generic ones.
static uint64_t windowOf(AddressSpace space) {
  switch (space) {
  case AddressSpace::SharedBlock:
  case AddressSpace::SharedCluster:
    return sharedWindow;
  case AddressSpace::Local:
    return localWindow;
  case AddressSpace::Parameter:
    return parameterWindow;
  default:
    return 0;
  }
}

/// A register, a variable, or a variable plus a constant, in brackets or not, as a source.
static bool addressSource(Binder &b, size_t i, ptx::Type type) {
  const ptx::Operand &operand = b.operand(i);
  if (operand.kind == ptx::Operand::Kind::Address)
    return b.fail("expected a register or a variable, found an address in brackets");
  b.source(operand, type);
  return true;
}

//===----------------------------------------------------------------------===//
// cvta
//===----------------------------------------------------------------------===//

template <typename Value> static Outcome runAddConstant(Execution &x, const Operation &op, LaneMask active) {
  Value *to = x.row<Value>(op.destination());
  const Value *from = x.row<Value>(op.source());
  auto added = static_cast<Value>(op.data[0]);
  forLanes(active, [&](unsigned lane) { to[lane] = from[lane] + added; });
  return Outcome::Next;
}

/// cvta.space.size p, a;  cvta.to.space.size p, a;  With 32-bit addresses, of which the windows' upper halves are no
/// part, both directions keep the bits.
static bool bindConvertAddress(Binder &b) {
  bool to = b.take("to");
  AddressSpace space = AddressSpace::Generic;
  // Parameters of a kernel alone have generic addresses (`.param` and `.param::entry`).
  if (b.take("param::entry") || b.take("param"))
    space = b.function.isKernel ? AddressSpace::Parameter : AddressSpace::Local;
  else
    space = takeAddressSpace(b, {"global", "shared", "local", "const"});
  if (space == AddressSpace::Generic)
    return b.fail("expected a state space");
  ptx::Type type = b.takeType();
  if (type != ptx::Type::U64 && type != ptx::Type::U32)
    return b.fail("expected .u32 or .u64");
  b.destination(0, type);
  if (!addressSource(b, 1, type))
    return false;
  uint64_t window = windowOf(space);
  b.operation.data[0] = to ? uint64_t(0) - window : window;
  b.operation.run = type == ptx::Type::U64 ? runAddConstant<uint64_t> : runAddConstant<uint32_t>;
  b.operation.propagate = propagateUpwards;
  b.operation.kind = InstructionClass::Integer;
  return b.finish();
}

//===----------------------------------------------------------------------===//
// isspacep
//===----------------------------------------------------------------------===//

static bool liesIn(Execution &x, AddressSpace space, uint64_t address) {
  uint64_t window = address & ~uint64_t(0xffffffff);
  switch (space) {
  case AddressSpace::Local:
    return window == localWindow;
  case AddressSpace::Parameter:
    return window == parameterWindow;
  case AddressSpace::SharedCluster:
    return window == sharedWindow;
  case AddressSpace::SharedBlock: {
    uint64_t selector = (address >> 24) & 0xff;
    return window == sharedWindow && (selector == 0 || selector - 1 == x.block->rank);
  }
  default:
    break;
  }
  // What lies in no window is global, but for constant variables, which are allocations of their own.
  if (window == localWindow || window == parameterWindow || window == sharedWindow)
    return false;
  Region *region = x.grid->memory->find(address);
  bool isConstant = region && region->space == ptx::Space::Constant;
  return isConstant == (space == AddressSpace::Constant);
}

static Outcome runIsSpace(Execution &x, const Operation &op, LaneMask active) {
  auto space = static_cast<AddressSpace>(op.data[0]);
  LaneMask result = 0;
  forLanes(active, [&](unsigned lane) {
    result |= static_cast<LaneMask>(liesIn(x, space, x.value(op.source(), lane))) << lane;
  });
  LaneMask &to = x.predicate(op.destination());
  to = (to & ~active) | result;
  return Outcome::Next;
}

static bool bindIsSpace(Binder &b) {
  AddressSpace space = AddressSpace::Parameter;
  if (!b.take("param::entry") && !b.take("param"))
    space = takeAddressSpace(b, {"global", "shared", "local", "const"});
  if (space == AddressSpace::Generic)
    return b.fail("expected a state space");
  b.destination(0, ptx::Type::Predicate);
  Row source = b.source(1, ptx::Type::None);
  if (source.bytes != 4 && source.bytes != 8)
    return b.fail("expected a register of 32 or 64 bits");
  b.operation.data[0] = static_cast<uint64_t>(space);
  b.operation.run = runIsSpace;
  b.operation.propagate = propagateAll;
  b.operation.kind = InstructionClass::Predicate;
  return b.finish();
}

//===----------------------------------------------------------------------===//
// mapa, getctarank
//===----------------------------------------------------------------------===//

/// Whether the value is an address of shared memory, generic (`isGeneric`) or not; reported if it is none.
static bool requireShared(Execution &x, const Operation &op, unsigned lane, uint64_t address, bool isGeneric) {
  if (address >> 32 == (isGeneric ? sharedWindow >> 32 : 0))
    return true;
  x.report(FindingKind::InvalidOperand, op, lane,
           isGeneric ? "expected a generic address of shared memory" : "expected an address of shared memory");
  return false;
}

static Outcome runMapAddress(Execution &x, const Operation &op, LaneMask active) {
  bool isGeneric = op.data[0] != 0;
  forLanes(active, [&](unsigned lane) {
    uint64_t address = x.value(op.source(0), lane), rank = x.value(op.source(1), lane);
    if (!requireShared(x, op, lane, address, isGeneric))
      return;
    if (rank >= x.cluster->blocks.size()) {
      x.report(FindingKind::InvalidOperand, op, lane,
               "block " + std::to_string(rank) + " of a cluster of " + std::to_string(x.cluster->blocks.size()));
      return;
    }
    x.setValue(op.destination(), lane, (address & ~uint64_t(0xff000000)) | (rank + 1) << 24);
  });
  return Outcome::Next;
}

static bool bindMapAddress(Binder &b) {
  bool isGeneric = !b.take("shared::cluster");
  ptx::Type type = b.takeType();
  if (type != ptx::Type::U32 && type != ptx::Type::U64)
    return b.fail("expected .u32 or .u64");
  if (isGeneric && type == ptx::Type::U32)
    return b.fail("generic addresses have 64 bits");
  if (!b.require(90))
    return false;
  b.destination(0, type);
  if (!addressSource(b, 1, type))
    return false;
  b.source(2, ptx::Type::U32);
  b.operation.data[0] = isGeneric;
  b.operation.run = runMapAddress;
  b.operation.propagate = propagateAll;
  b.operation.kind = InstructionClass::Integer;
  return b.finish();
}

static Outcome runBlockRank(Execution &x, const Operation &op, LaneMask active) {
  bool isGeneric = op.data[0] != 0;
  forLanes(active, [&](unsigned lane) {
    uint64_t address = x.value(op.source(), lane);
    if (!requireShared(x, op, lane, address, isGeneric))
      return;
    uint64_t selector = (address >> 24) & 0xff;
    x.setValue(op.destination(), lane, selector == 0 ? x.block->rank : selector - 1);
  });
  return Outcome::Next;
}

static bool bindBlockRank(Binder &b) {
  bool isGeneric = !b.take("shared::cluster");
  ptx::Type type = b.takeType();
  if (type != ptx::Type::U32 && type != ptx::Type::U64)
    return b.fail("expected .u32 or .u64");
  if (isGeneric && type == ptx::Type::U32)
    return b.fail("generic addresses have 64 bits");
  if (!b.require(90))
    return false;
  b.destination(0, ptx::Type::B32);
  if (!addressSource(b, 1, type))
    return false;
  b.operation.data[0] = isGeneric;
  b.operation.run = runBlockRank;
  b.operation.propagate = propagateAll;
  b.operation.kind = InstructionClass::Integer;
  return b.finish();
}

void tilec::sim::addAddressInstructions(InstructionTable &table) {
  table["cvta"] = bindConvertAddress;
  table["isspacep"] = bindIsSpace;
  table["mapa"] = bindMapAddress;
  table["getctarank"] = bindBlockRank;
}

void tilec::sim::addMemoryInstructions(InstructionTable &table) {
  addLoadInstructions(table);
  addStoreInstructions(table);
  addAddressInstructions(table);
  addCacheInstructions(table);
}
