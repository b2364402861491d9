/// What the text of a memory instruction says of its access: space, elements, address, semantics. Sources: PTX ISA,
/// "Data Movement and Conversion Instructions" (ld, st, "Cache Operators", "Cache Eviction Priority Hints"), "Memory
/// Consistency Model".
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MEMORYFORM_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MEMORYFORM_H

#include "lib/Simulator/Core/Binder.h"
#include "lib/Simulator/Core/Memory.h"

namespace tilec::sim {

/// A register of 16 bytes.
struct Bits128 {
  uint64_t low, high;
};

/// What a memory instruction says of its access.
struct MemoryForm {
  AddressSpace space = AddressSpace::Generic;
  ptx::Type type = ptx::Type::None;
  /// Bytes and number of the elements of a lane, and their product, which is also the alignment.
  unsigned elementBytes = 0, elements = 1, bytes = 0, alignment = 1;
  /// The address: a row plus an offset. 32-bit registers and the spaces of 32-bit addresses wrap.
  Row base;
  int64_t offset = 0;
  bool wraps = false;
  /// In the parameter block, at `offset`, whatever the base.
  bool isKernelParameter = false;
  /// \name Memory consistency (PTX ISA, "Memory Consistency Model")
  /// @{
  /// volatile, relaxed or stronger.
  bool strong = false;
  bool acquire = false, release = false;
  /// Of scope .cta.
  bool forBlock = false;
  /// @}
};

/// Takes a state space and its sub-qualifier; Generic if there is none. The spaces that the instruction may name are
/// given as modifiers without the sub-qualifier ("shared", "global", …).
AddressSpace takeAddressSpace(Binder &b, std::initializer_list<std::string_view> allowed);
/// Takes cache operators, eviction priorities and prefetch sizes, which change nothing that a program can see. Returns
/// whether a cache-policy operand follows (`.L2::cache_hint`).
bool takeCacheHints(Binder &b);
/// Takes `.weak`, `.volatile`, `.mmio`, the semantics given ("relaxed", "acquire", …) and a scope, into the form.
void takeSemantics(Binder &b, MemoryForm &form, std::initializer_list<std::string_view> allowed);
/// Takes `.v2`, `.v4`, `.v8` and the type.
bool takeElements(Binder &b, MemoryForm &form);
/// Adds operand `i` as the access's address; false if it cannot be one. Says to the program that blocks may communicate
/// where a strong access to global memory makes that possible.
bool bindAddress(Binder &b, size_t i, MemoryForm &form);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MEMORYFORM_H
