/// Placeholder until the family is in.
#ifndef TILEC_LIB_SIMULATOR_CORE_CLUSTERBARRIER_H
#define TILEC_LIB_SIMULATOR_CORE_CLUSTERBARRIER_H
namespace tilec::sim {
class ClusterBarrier {};
} // namespace tilec::sim
#endif
