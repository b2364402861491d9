/// The parts of the memory family; addMemoryInstructions adds all of them.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MEMORYFAMILIES_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MEMORYFAMILIES_H

#include "lib/Simulator/Core/Instructions.h"

namespace tilec::sim {

void addLoadInstructions(InstructionTable &table);    // Load.cpp: ld ldu
void addStoreInstructions(InstructionTable &table);   // Store.cpp: st
void addAddressInstructions(InstructionTable &table); // Address.cpp: cvta isspacep mapa getctarank
/// st.async: StoreAsync.cpp.
bool bindStoreAsync(Binder &b);
void addCacheInstructions(InstructionTable &table); // Cache.cpp: prefetch discard applypriority createpolicy multimem

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MEMORYFAMILIES_H
