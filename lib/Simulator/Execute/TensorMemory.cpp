/// The tcgen05 family (PTX ISA, "TensorCore 5th Generation Family Instructions"): allocation of tensor memory, loads
/// and stores between it and registers, copies from shared memory, and products that one thread issues for a block or a
/// pair of blocks. Not simulated yet, so every instruction of it is an error when the kernel is decoded.
///
/// The next step needs, beside the Binds here: a TensorMemory of 512 columns by 128 lanes of 32 bits in Block, with its
/// undefined bits; a unit of AsyncQueue for tcgen05.mma and tcgen05.cp, ordered per thread, that completes on mbarriers
/// by tcgen05.commit; and the descriptors of MatrixDescriptor.h with the swizzle modes of that family. Products go
/// through MatrixProduct.h as those of mma and wgmma do.
#include "lib/Simulator/Core/Instructions.h"

using namespace tilec::sim;

static bool bindTensorMemory(Binder &b) { return b.fail("tensor memory (tcgen05) is not simulated yet"); }

void tilec::sim::addTensorMemoryInstructions(InstructionTable &table) { table["tcgen05"] = bindTensorMemory; }
