/// Placeholder until the family is in.
#ifndef TILEC_LIB_SIMULATOR_CORE_BLOCKBARRIERS_H
#define TILEC_LIB_SIMULATOR_CORE_BLOCKBARRIERS_H
namespace tilec::sim {
class BlockBarriers {};
} // namespace tilec::sim
#endif
