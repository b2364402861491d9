/// The instructions that the simulator knows: one table per family, from opcode to Bind.
#ifndef TILEC_LIB_SIMULATOR_CORE_INSTRUCTIONS_H
#define TILEC_LIB_SIMULATOR_CORE_INSTRUCTIONS_H

#include "lib/Simulator/Core/Binder.h"

#include <map>
#include <string_view>

namespace tilec::sim {

/// Opcode (the text before the first dot) to its Bind. Opcodes with several meanings (`mma`, `cp`, `fence`) have one
/// Bind that looks at the modifiers.
using InstructionTable = std::map<std::string_view, Bind>;

/// \name Families; each adds its opcodes
/// @{
void addIntegerInstructions(InstructionTable &table);    // Execute/Integer*.cpp
void addLogicInstructions(InstructionTable &table);      // Execute/Logic.cpp: and or xor not shl shr shf lop3 prmt …
void addMoveInstructions(InstructionTable &table);       // Execute/Move.cpp: mov selp slct set setp, pack and unpack
void addFloatInstructions(InstructionTable &table);      // Execute/Float*.cpp
void addConversionInstructions(InstructionTable &table); // Execute/Conversion*.cpp
void addControlInstructions(InstructionTable &table);    // Execute/Control.cpp, Call.cpp: bra brx call ret exit trap …
void addMemoryInstructions(InstructionTable &table);     // Execute/Load.cpp …: ld ldu st cvta isspacep prefetch mapa …
void addAtomicInstructions(InstructionTable &table);     // Execute/Atomic.cpp: atom red
void addWarpInstructions(InstructionTable &table);       // Execute/Warp.cpp …: shfl vote match redux activemask elect
void addBarrierInstructions(InstructionTable &table);  // Execute/Barrier.cpp: bar barrier fence membar griddepcontrol …
void addMbarrierInstructions(InstructionTable &table); // Execute/Mbarrier.cpp
void addCopyInstructions(InstructionTable &table);     // Execute/Copy*.cpp: cp, cp.async, cp.async.bulk
void addTensorMapInstructions(InstructionTable &table);    // Execute/TensorMap.cpp: tensormap
void addMatrixInstructions(InstructionTable &table);       // Execute/Matrix*.cpp: ldmatrix stmatrix movmatrix mma wmma
void addWgmmaInstructions(InstructionTable &table);        // Execute/Wgmma*.cpp
void addTensorMemoryInstructions(InstructionTable &table); // Execute/TensorMemory.cpp: tcgen05
/// @}

/// All of them; built once.
const InstructionTable &instructions();

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_INSTRUCTIONS_H
