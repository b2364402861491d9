/// Placeholder until the family is in.
#ifndef TILEC_LIB_SIMULATOR_CORE_MBARRIERS_H
#define TILEC_LIB_SIMULATOR_CORE_MBARRIERS_H
namespace tilec::sim {
class Mbarriers {};
} // namespace tilec::sim
#endif
