/// Binds of families that share opcodes or are split over several files. An opcode has one Bind in the table; `add` and
/// its like mean integers or floats by their type, so the table's Bind asks the type and calls one of these.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_FAMILIES_H
#define TILEC_LIB_SIMULATOR_EXECUTE_FAMILIES_H

#include "lib/Simulator/Core/Instructions.h"

namespace tilec::sim {

/// add, sub, mul, mad, div, min, max, abs, neg of integer types (PTX ISA, "Integer Arithmetic Instructions").
bool bindIntegerArithmetic(Binder &b);
/// The same opcodes and fma of f16, f16x2, bf16, bf16x2, f32, f32x2 and f64 ("Floating-Point Instructions").
bool bindFloatArithmetic(Binder &b);
/// add.cc, sub.cc, mad.cc and addc, subc, madc ("Extended-Precision Arithmetic Instructions").
bool bindCarryArithmetic(Binder &b);

/// \name Parts of addIntegerInstructions
/// @{
void addSharedArithmetic(InstructionTable &table);       // Arithmetic.cpp: opcodes of integers and floats
void addIntegerBitInstructions(InstructionTable &table); // IntegerBits.cpp: popc clz bfind brev bfe bfi fns szext bmsk
void addIntegerDotInstructions(InstructionTable &table); // IntegerDot.cpp: dp4a dp2a
/// @}
/// set and setp; part of addMoveInstructions.
void addCompareInstructions(InstructionTable &table);
/// \name Parts of addWarpInstructions
/// @{
void addShuffleInstructions(InstructionTable &table); // Shuffle.cpp: shfl
void addReduceInstructions(InstructionTable &table);  // Reduce.cpp: redux
/// @}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_FAMILIES_H
