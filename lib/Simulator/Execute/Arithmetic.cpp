/// Opcodes that integers and floats share: the type decides whose Bind reads the rest.
#include "lib/Simulator/Execute/Families.h"

namespace tilec::sim {

static bool hasFloatType(const ptx::Instruction &instruction) {
  for (const std::string &modifier : instruction.modifiers)
    for (const char *name : {"f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2", "f64"})
      if (modifier == name)
        return true;
  return false;
}

static bool bindArithmetic(Binder &b) {
  return hasFloatType(b.instruction) ? bindFloatArithmetic(b) : bindIntegerArithmetic(b);
}

void addSharedArithmetic(InstructionTable &table) {
  for (const char *opcode : {"add", "sub", "mul", "mad", "div", "min", "max", "abs", "neg"})
    table[opcode] = bindArithmetic;
}

} // namespace tilec::sim
