/// Special registers (PTX ISA, chapter "Special Registers") that do not change while a warp runs. Clocks change and are
/// read by `mov` itself.
#ifndef TILEC_LIB_SIMULATOR_CORE_SPECIALREGISTERS_H
#define TILEC_LIB_SIMULATOR_CORE_SPECIALREGISTERS_H

#include "lib/Simulator/Core/Machine.h"

#include <string_view>

namespace tilec::sim {

/// Whether the register changes while a warp runs (PTX ISA, "%clock", "%globaltimer" and their halves).
bool isClock(std::string_view name);
/// Writes the register's value for each lane into its row.
void writeSpecialRegister(Warp &warp, std::string_view name, Row row);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_SPECIALREGISTERS_H
