/// barrier.cluster.arrive and barrier.cluster.wait (PTX ISA, "barrier.cluster").
#include "lib/Simulator/Core/ClusterBarrier.h"

#include "lib/Simulator/Execute/Barrier.h"

namespace tilec::sim {

// data[0]: whether the arrival releases, or the wait acquires. data[1]: aligned.
static Outcome runClusterArrive(Execution &x, const Operation &op, LaneMask active) {
  if (op.data[1] && !warpIsTogether(x, op, active))
    return Outcome::Blocked;
  x.cluster->barrier->arrive(x, op, active, op.data[0] != 0);
  return Outcome::Next;
}

static Outcome runClusterWait(Execution &x, const Operation &op, LaneMask active) {
  if (op.data[1] && !warpIsTogether(x, op, active))
    return Outcome::Blocked;
  if (active != x.split->lanes)
    return x.branch(op, active, op.index);
  if (x.cluster->barrier->wait(x, op, active, op.data[0] != 0) != active)
    return x.waitFor(op, "cluster barrier");
  return Outcome::Next;
}

bool bindClusterBarrier(Binder &b) {
  b.require(90);
  int form = b.takeOneOf({"arrive", "wait"});
  if (form < 0)
    return b.fail("expected .arrive or .wait");
  if (form == 0) {
    b.operation.data[0] = !b.take("relaxed");
    if (b.operation.data[0])
      b.take("release");
    b.operation.run = runClusterArrive;
  } else {
    b.take("acquire");
    b.operation.data[0] = 1;
    b.operation.run = runClusterWait;
  }
  b.operation.data[1] = b.take("aligned");
  b.operation.kind = InstructionClass::Barrier;
  return b.finish();
}

} // namespace tilec::sim
