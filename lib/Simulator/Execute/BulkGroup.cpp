/// Committing and waiting for bulk groups. A wait is entitled to the completion of what it names, so it never blocks:
/// it makes the queue do it. What is left in the queue stays as late as the seed wishes.
#include "lib/Simulator/Core/BulkGroups.h"
#include "lib/Simulator/Core/WarpAsync.h"
#include "lib/Simulator/Execute/BulkCopy.h"

using namespace tilec;
using namespace tilec::sim;

static Outcome runCommit(Execution &x, const Operation &, LaneMask active) {
  BulkGroups &groups = x.warp->async->bulk;
  forLanes(active, [&](unsigned lane) {
    x.cluster->async.commit(*x.warp, AsyncOperation::Unit::Bulk, groups.next[lane], 1u << lane);
    ++groups.next[lane];
  });
  return Outcome::Next;
}

/// data[0]: how many of the latest groups may stay pending; data[1]: whether only reads are waited for.
static Outcome runWait(Execution &x, const Operation &op, LaneMask active) {
  BulkGroups &groups = x.warp->async->bulk;
  bool readsOnly = op.data[1] != 0;
  uint64_t done[warpSize] = {};
  forLanes(active,
           [&](unsigned lane) { done[lane] = groups.next[lane] > op.data[0] ? groups.next[lane] - op.data[0] : 0; });
  auto isMeant = [&](const AsyncOperation &operation) {
    return operation.warp == x.warp && operation.unit == AsyncOperation::Unit::Bulk &&
           operation.group < done[operation.lane];
  };
  if (readsOnly) {
    for (const std::unique_ptr<AsyncOperation> &operation : x.cluster->async.all())
      if (operation->read && isMeant(*operation))
        operation->read(x);
  } else {
    x.cluster->async.complete(isMeant);
  }
  if (!x.check)
    return Outcome::Next;
  forLanes(active, [&](unsigned lane) {
    auto reach = [&](Agent agent) {
      if (agent != noAgent && done[lane])
        x.warp->order.seen.reach(agent, static_cast<uint32_t>(done[lane]));
    };
    reach(groups.reads[lane]);
    if (!readsOnly)
      reach(groups.writes[lane]);
  });
  return Outcome::Next;
}

bool sim::bindBulkCommit(Binder &b) {
  b.take("commit_group");
  b.operation.run = runCommit;
  b.operation.kind = InstructionClass::BulkCopy;
  return b.finish();
}

bool sim::bindBulkWait(Binder &b) {
  b.take("wait_group");
  b.operation.data[1] = b.take("read");
  int64_t count = b.constant(0);
  if (count < 0)
    b.fail("the number of groups must not be negative, found " + std::to_string(count));
  b.operation.data[0] = static_cast<uint64_t>(count);
  b.operation.run = runWait;
  b.operation.kind = InstructionClass::BulkCopy;
  return b.finish();
}
