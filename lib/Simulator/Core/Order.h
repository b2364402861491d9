/// How threads come to be ordered: release and acquire through memory, fences, barriers (PTX ISA, "Memory Consistency
/// Model": release and acquire patterns, causality order).
///
/// Each place that was released to keeps the order published there; whoever acquires from it has seen what the releaser
/// had seen. A fence splits this in two: after a release fence, relaxed writes publish the order at the fence
/// (Warp::released); what relaxed reads gather (Warp::toAcquire) becomes the warp's own at an acquire fence.
///
/// Orders belong to warps, not lanes: what one lane acquires its warp has seen.
#ifndef TILEC_LIB_SIMULATOR_CORE_ORDER_H
#define TILEC_LIB_SIMULATOR_CORE_ORDER_H

#include "lib/Simulator/Core/Execution.h"

namespace tilec::sim {

/// What a write does to the order published at its place: a plain store replaces it, an atomic read-modify-write
/// continues the release sequence.
enum class Publish : uint8_t { Replace, Continue };

/// Who an access to global memory is made for: `.cta` reaches threads of the same block only.
enum class Reach : uint8_t { Block, Everywhere };

/// \name Through memory. Nothing happens where checks are off.
/// @{
/// ld.acquire, atom.acquire, atom.acq_rel.
void acquireFrom(Execution &x, Place place, Reach reach = Reach::Everywhere);
/// st.release (Replace), atom.release, atom.acq_rel, red.release (Continue).
void releaseTo(Execution &x, Place place, Publish publish = Publish::Continue, Reach reach = Reach::Everywhere);
/// ld.relaxed, ld.volatile, and the reading half of relaxed atomics.
void relaxedRead(Execution &x, Place place, Reach reach = Reach::Everywhere);
/// st.relaxed, st.volatile (Replace), and the writing half of relaxed atomics (Continue).
void relaxedWrite(Execution &x, Place place, Publish publish = Publish::Continue, Reach reach = Reach::Everywhere);
/// @}

/// \name Fences
/// @{
/// The halves of fence.acq_rel and of stronger fences.
void acquireFence(Execution &x);
void releaseFence(Execution &x);
/// fence.proxy.async: all that the warp has seen is visible to the async proxy from now on.
void asyncProxyFence(Execution &x);
/// @}

/// What a warp takes to a barrier and gets from it: its order, and what its fences would publish or gather, so that a
/// thread that fences, a barrier, and another thread's atomic make one pattern.
struct BarrierOrder {
  Order order, released;
  bool hasReleased = false;

  /// As if nobody had come.
  void clear();
};
/// The warp's part; its clock grows.
void contribute(Warp &warp, BarrierOrder &to);
/// Makes what all participants brought the warp's own; its clock grows.
void receive(Warp &warp, const BarrierOrder &from);

/// The warp's component grows (Execution::advanceClock, for a warp that is not the executing one).
void advanceClock(Warp &warp);

/// The block of the executing cluster whose shared memory the region is; null if it is none.
Block *blockOfShared(const Execution &x, const Region *region);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_ORDER_H
