/// Any text must parse or give a located error: libFuzzer looks for one that does neither. Built on demand only
/// (`ninja ptx_parse_fuzz`, with clang); run it as `ptx_parse_fuzz FOLDER test/unit/Simulator/Ptx/Inputs`.
#include "lib/Simulator/Ptx/Module.h"

#include <cstdlib>

using namespace tilec::ptx;

/// What the parser promises of operands, whatever the text was.
static void check(const Function &function, const Operand &operand) {
  if (operand.kind == Operand::Kind::Register && operand.reg >= function.registers.size())
    std::abort();
  if (operand.kind == Operand::Kind::Address && operand.elements.empty())
    std::abort();
  for (const Operand &part : operand.elements)
    check(function, part);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Error error;
  std::unique_ptr<Module> module = parse({reinterpret_cast<const char *>(data), size}, error);
  if (!module) {
    if (error.message.empty() || !error.location.line || !error.location.column)
      std::abort();
    return 0;
  }
  for (const auto &function : module->functions) {
    for (const Instruction &instruction : function->instructions)
      for (const Operand &operand : instruction.operands)
        check(*function, operand);
    for (const auto &label : function->labels)
      if (label.second > function->instructions.size())
        std::abort();
  }
  return 0;
}
