/// membar, fence and griddepcontrol (PTX ISA, "membar, fence" and "griddepcontrol").
///
/// Scopes are read and not used: a fence of a narrower scope than the threads that rely on it is taken as wide enough.
#include "lib/Simulator/Core/Order.h"

#include "lib/Simulator/Execute/Barrier.h"

namespace tilec::sim {

// data[0]: what the fence does, bit by bit.
enum FenceEffect : uint64_t { Acquires = 1, Releases = 2, AsyncProxy = 4 };

static Outcome runFence(Execution &x, const Operation &op, LaneMask) {
  if (op.data[0] & Acquires)
    acquireFence(x);
  if (op.data[0] & AsyncProxy)
    asyncProxyFence(x);
  if (op.data[0] & Releases)
    releaseFence(x);
  return Outcome::Next;
}

static bool finishFence(Binder &b, uint64_t effect) {
  b.operation.data[0] = effect;
  b.operation.run = runFence;
  b.operation.kind = InstructionClass::Fence;
  return b.finish();
}

bool bindMembar(Binder &b) {
  if (b.take("proxy")) {
    if (b.take("alias"))
      return finishFence(b, 0);
    return b.fail("expected membar.proxy.alias");
  }
  if (b.takeOneOf({"cta", "gl", "sys"}) < 0)
    return b.fail("expected .cta, .gl or .sys");
  return finishFence(b, Acquires | Releases);
}

static bool takeScope(Binder &b) {
  return b.takeOneOf({"cta", "cluster", "gpu", "sys"}) >= 0 || b.fail("expected .cta, .cluster, .gpu or .sys");
}

/// fence.proxy.…: between ways to reach memory.
static bool bindProxyFence(Binder &b) {
  if (b.take("alias"))
    return finishFence(b, 0);
  if (b.take("async")) {
    b.require(90);
    b.takeOneOf({"global", "shared::cta", "shared::cluster"});
    return finishFence(b, AsyncProxy);
  }
  bool tensorMap = b.take("tensormap::generic");
  if (!tensorMap && !b.take("async::generic"))
    return b.fail("this proxy is not known");
  b.require(90);
  int semantics = b.takeOneOf({"acquire", "release"});
  if (semantics < 0)
    return b.fail("expected .acquire or .release");
  if (tensorMap) {
    if (!takeScope(b))
      return false;
    if (semantics == 0) {
      b.address(0);
      if (b.constant(1) != 128)
        return b.fail("the size must be 128");
    }
  } else {
    if (!b.take(semantics == 0 ? "sync_restrict::shared::cluster" : "sync_restrict::shared::cta") || !b.take("cluster"))
      return b.fail(semantics == 0 ? "expected .sync_restrict::shared::cluster.cluster"
                                   : "expected .sync_restrict::shared::cta.cluster");
  }
  return finishFence(b, (semantics == 0 ? Acquires : Releases) | AsyncProxy);
}

bool bindFence(Binder &b) {
  if (b.take("proxy"))
    return bindProxyFence(b);
  if (b.take("mbarrier_init")) {
    b.require(90);
    if (!b.take("release") || !b.take("cluster"))
      return b.fail("expected fence.mbarrier_init.release.cluster");
    return finishFence(b, Releases);
  }
  // fence.scope alone means acq_rel.
  int semantics = b.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  if (semantics >= 2)
    b.require(90);
  if ((semantics == 2 && b.take("sync_restrict::shared::cluster")) ||
      (semantics == 3 && b.take("sync_restrict::shared::cta"))) {
    if (!b.take("cluster"))
      return b.fail("expected .cluster");
  } else if (!takeScope(b)) {
    return false;
  }
  return finishFence(b, semantics == 2 ? Acquires : semantics == 3 ? Releases : Acquires | Releases);
}

/// Launches of the simulator follow each other, so what a dependent launch waits for is done before it starts.
static Outcome runNothing(Execution &, const Operation &, LaneMask) { return Outcome::Next; }

bool bindGridDependencyControl(Binder &b) {
  b.require(90);
  if (b.takeOneOf({"launch_dependents", "wait"}) < 0)
    return b.fail("expected .launch_dependents or .wait");
  b.operation.run = runNothing;
  b.operation.kind = InstructionClass::Other;
  return b.finish();
}

} // namespace tilec::sim
