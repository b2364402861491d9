/// What atom, red and red.async compute on one element.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_ATOMICFAMILIES_H
#define TILEC_LIB_SIMULATOR_EXECUTE_ATOMICFAMILIES_H

#include "lib/Simulator/Core/Instructions.h"

#include <string>

namespace tilec::sim {

/// In the order in which the binds read their names.
enum class AtomicOp : uint8_t { Add, And, Or, Xor, Increment, Decrement, Minimum, Maximum, Exchange, CompareExchange };

/// The new content from the old one and the operand, as bits of the element's type.
using AtomicCombine = uint64_t (*)(uint64_t old, uint64_t operand);

/// What is wrong with an operation on that type; empty: nothing. `noFlush`: `.noftz` is written.
std::string checkAtomicType(AtomicOp op, ptx::Type type, unsigned elements, bool noFlush);
/// Null for the exchanges. Additions of f32 in global memory flush subnormal inputs and results to zero of the same
/// sign (PTX ISA, "atom", semantics of .add).
AtomicCombine atomicCombine(AtomicOp op, ptx::Type type, bool inGlobal);

/// red.async: StoreAsync.cpp.
bool bindReductionAsync(Binder &b);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_ATOMICFAMILIES_H
