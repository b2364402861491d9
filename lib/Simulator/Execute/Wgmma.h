/// What wgmma's binding and its execution share.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_WGMMA_H
#define TILEC_LIB_SIMULATOR_EXECUTE_WGMMA_H

#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Execute/MatrixProduct.h"

namespace tilec::sim {

/// wgmma.mma_async as written. The operation's rows are: destinations the accumulators; sources the accumulators again,
/// A's fragment (or its descriptor), B's descriptor, metadata, scale-d.
struct WgmmaForm {
  /// A warp's part: m = 16.
  MatrixProduct product;
  bool aInRegisters = false;
  /// The contiguous dimension is K; else M or N.
  bool aIsKMajor = true, bIsKMajor = true;
  Row descriptorA, descriptorB, metadata, scaleD;
  const Row *accumulators = nullptr, *factors = nullptr;
  unsigned accumulatorCount = 0;
  unsigned selector = 0;
  bool scaleDNegated = false;
};

/// Issues the product of the executing warp: checks, records, hands it to the queue.
Outcome runWgmma(Execution &x, const Operation &op, LaneMask active);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_WGMMA_H
