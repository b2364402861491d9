/// Placeholder until the family is in.
#ifndef TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H
#define TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H
namespace tilec::sim {
struct WarpAsync {};
} // namespace tilec::sim
#endif
