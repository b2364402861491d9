/// Bulk copies and reductions of contiguous bytes. Source: PTX ISA, `cp.async.bulk`, `cp.reduce.async.bulk`,
/// `cp.async.bulk.prefetch`.
#include "lib/Simulator/Execute/BulkCopy.h"

#include "lib/Simulator/Core/ProgramBuilder.h"

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Addresses of bulk copies and their sizes are multiples of this.
static constexpr unsigned bulkUnit = 16;

/// Both ends of a copy of `bytes` bytes; false after a report.
static bool locateEnds(Execution &x, const Operation &op, const BulkForm &form, unsigned lane, uint32_t bytes,
                       BulkTransfer::Piece &piece) {
  AddressSpace from = form.path == BulkPath::GlobalToShared ? AddressSpace::Global : AddressSpace::SharedBlock;
  AddressSpace to = form.path == BulkPath::SharedToGlobal ? AddressSpace::Global
                    : form.toCluster                      ? AddressSpace::SharedCluster
                                                          : AddressSpace::SharedBlock;
  bool reduces = form.reduction != BulkReduction::None;
  piece.bytes = bytes;
  piece.from = locate(x, op, lane, from, addressIn(x, form.source, lane), bytes, bulkUnit, AccessKind::Read);
  if (!piece.from)
    return false;
  piece.to = locate(x, op, lane, to, addressIn(x, form.destination, lane), bytes, bulkUnit,
                    reduces ? AccessKind::Atomic : AccessKind::Write);
  if (!piece.to)
    return false;
  if (form.path == BulkPath::SharedToCluster && piece.to.region == &x.block->shared) {
    x.report(FindingKind::InvalidOperand, op, lane,
             "the destination must be in the shared memory of another block of the cluster, but is in the block's own");
    return false;
  }
  return true;
}

static void issue(Execution &x, const Operation &op, const BulkForm &form, unsigned lane) {
  auto bytes = static_cast<uint32_t>(x.value(form.size, lane));
  if (bytes % bulkUnit) {
    x.report(FindingKind::InvalidOperand, op, lane,
             "size must be a multiple of 16 bytes, but is " + std::to_string(bytes));
    return;
  }
  BulkTransfer transfer;
  BulkTransfer::Piece piece;
  if (form.path == BulkPath::Prefetch) {
    if (bytes)
      locate(x, op, lane, AddressSpace::Global, addressIn(x, form.source, lane), bytes, bulkUnit, AccessKind::Read);
    return;
  }
  // A copy of nothing still names a place.
  if (!locateEnds(x, op, form, lane, bytes ? bytes : 1, piece))
    return;
  piece.bytes = bytes;
  if (bytes)
    transfer.pieces.push_back(piece);
  transfer.countedBytes = bytes;
  transfer.reduction = form.reduction;
  transfer.type = form.type;
  if (form.byteMasked)
    transfer.byteMask = static_cast<uint16_t>(x.value(form.byteMask, lane));
  if (!resolveDestinations(x, op, form, lane, piece.to.region, transfer))
    return;
  countTransfer(x, op, form, transfer);
  issueTransfer(x, op, lane, std::move(transfer));
}

static Outcome runBulk(Execution &x, const Operation &op, LaneMask active) {
  const BulkForm &form = op.detailAs<BulkForm>();
  for (unsigned i = 0; i < op.sources; ++i)
    active = x.requireDefined(op, op.source(i), active, "an operand of the bulk copy");
  forLanes(active, [&](unsigned lane) { issue(x, op, form, lane); });
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool sim::takePath(Binder &b, BulkForm &form) {
  // The destination is written first, so the order tells loads from stores.
  std::string_view spaces[2];
  unsigned found = 0;
  for (const std::string &modifier : b.instruction.modifiers)
    if (modifier == "global" || modifier == "shared::cta" || modifier == "shared::cluster")
      if (found < 2)
        spaces[found++] = modifier;
  if (found < 2)
    return b.fail("expected the spaces of destination and source");
  b.take(spaces[0]);
  b.take(spaces[1]);
  form.toCluster = spaces[0] == "shared::cluster";
  if (spaces[1] == "global" && spaces[0] != "global")
    form.path = BulkPath::GlobalToShared;
  else if (spaces[0] == "global" && spaces[1] == "shared::cta")
    form.path = BulkPath::SharedToGlobal;
  else if (form.toCluster && spaces[1] == "shared::cta")
    form.path = BulkPath::SharedToCluster;
  else
    return b.fail("no bulk copy goes from " + std::string(spaces[1]) + " to " + std::string(spaces[0]));
  if (form.path == BulkPath::GlobalToShared && !form.toCluster && b.ptxVersion() < 86)
    return b.fail("a destination in shared::cta needs PTX 8.6");
  return true;
}

bool sim::takeCompletion(Binder &b, const BulkForm &form) {
  if (form.path == BulkPath::SharedToGlobal)
    return b.take("bulk_group") || b.fail("a copy to global memory needs .bulk_group");
  return b.take("mbarrier::complete_tx::bytes") ||
         b.fail("a copy to shared memory needs .mbarrier::complete_tx::bytes");
}

BulkReduction sim::takeReduction(Binder &b) {
  int number = b.takeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  return static_cast<BulkReduction>(number + 1);
}

void sim::takePolicy(Binder &b, size_t next) {
  if (b.take("L2::cache_hint"))
    b.source(next, ptx::Type::B64);
}

static bool bindPrefetch(Binder &b, BulkForm &form) {
  form.path = BulkPath::Prefetch;
  if (!b.take("L2") || !b.take("global"))
    return b.fail("expected .L2.global");
  form.source = b.address(0);
  form.size = b.source(1, ptx::Type::B32);
  takePolicy(b, 2);
  return true;
}

static bool takeReductionType(Binder &b, BulkForm &form) {
  form.reduction = takeReduction(b);
  if (form.reduction == BulkReduction::None)
    return b.fail("expected a reduction operation");
  bool keepsSubnormals = b.take("noftz");
  form.type = b.takeType();
  bool half = form.type == ptx::Type::F16 || form.type == ptx::Type::BF16;
  if (keepsSubnormals != (half && form.reduction == BulkReduction::Add))
    return b.fail(keepsSubnormals ? ".noftz is for .add of f16 and bf16" : ".add of f16 and bf16 needs .noftz");
  if (form.path == BulkPath::GlobalToShared)
    return b.fail("no bulk reduction reads global memory");
  if (!isLegalReduction(form.reduction, form.type, form.path == BulkPath::SharedToCluster))
    return b.fail(std::string("no bulk reduction ") + bulkReductionName(form.reduction) + " of ." +
                  ptx::typeName(form.type) + " to this destination");
  return true;
}

static bool bindLinear(Binder &b, BulkForm &form, bool reduces) {
  if (!takePath(b, form) || !takeCompletion(b, form))
    return false;
  if (reduces) {
    if (!takeReductionType(b, form))
      return false;
    // Blocks that reduce to one place see each other's sums, and float sums depend on the order.
    if (form.path == BulkPath::SharedToGlobal)
      b.builder().program().blocksCommunicate = true;
  }
  form.destination = b.address(0);
  form.source = b.address(1);
  form.size = b.source(2, ptx::Type::B32);
  size_t next = 3;
  if (form.path != BulkPath::SharedToGlobal)
    form.barrier = b.address(next++);
  if (b.take("multicast::cluster")) {
    if (form.path != BulkPath::GlobalToShared || !form.toCluster)
      return b.fail(".multicast::cluster goes from global to shared::cluster");
    form.multicast = true;
    form.blockMask = b.source(next++, ptx::Type::B16);
  }
  if (b.has("L2::cache_hint"))
    takePolicy(b, next++);
  if (b.take("cp_mask")) {
    if (form.path != BulkPath::SharedToGlobal || reduces)
      return b.fail(".cp_mask goes from shared::cta to global");
    if (!b.require(100))
      return false;
    form.byteMasked = true;
    form.byteMask = b.source(next++, ptx::Type::B16);
  }
  return true;
}

bool sim::bindBulkCopy(Binder &b) {
  if (!b.require(90))
    return false;
  if (b.has("tensor"))
    return bindTensorCopy(b);
  bool reduces = b.take("reduce");
  if (!b.take("async") || !b.take("bulk"))
    return b.fail("expected .async.bulk");
  if (b.has("commit_group"))
    return bindBulkCommit(b);
  if (b.has("wait_group"))
    return bindBulkWait(b);
  BulkForm form;
  form.sm = b.targetSM();
  if (!(b.take("prefetch") ? bindPrefetch(b, form) : bindLinear(b, form, reduces)))
    return false;
  b.operation.run = runBulk;
  b.operation.kind = InstructionClass::BulkCopy;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}
