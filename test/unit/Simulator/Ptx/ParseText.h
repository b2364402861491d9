/// Shared by the tests of the PTX parser: texts without the lines that every module starts with.
#ifndef TILEC_TEST_UNIT_SIMULATOR_PTX_PARSETEXT_H
#define TILEC_TEST_UNIT_SIMULATOR_PTX_PARSETEXT_H

#include "lib/Simulator/Ptx/Module.h"

#include <gtest/gtest.h>

namespace tilec::ptx {

/// What parsing gave: the module, or the error as "line:column: message".
struct Parsed {
  std::unique_ptr<Module> module;
  std::string error;

  const Function &function(std::string_view name = "f") const { return *module->findFunction(name); }
  const Instruction &instruction(size_t index = 0) const { return function().instructions.at(index); }
  const Operand &operand(size_t index) const { return instruction().operands.at(index); }
  const Variable &variable(size_t index = 0) const { return module->variables.at(index); }
};

/// Parses the text as it is.
inline Parsed parseWhole(std::string_view text) {
  Parsed result;
  Error error;
  result.module = parse(text, error);
  if (!result.module)
    result.error =
        std::to_string(error.location.line) + ":" + std::to_string(error.location.column) + ": " + error.message;
  return result;
}

/// Parses the text as what follows the head of a module; its first line counts as line 2.
inline Parsed parseModule(const std::string &text) {
  return parseWhole(".version 9.0 .target sm_90a .address_size 64\n" + text);
}

/// Parses statements in a function f with a few registers; the first line counts as line 3.
inline Parsed parseBody(const std::string &text) {
  return parseModule(".global .u32 array[8]; .func g() { ret; } .func f() { .reg .pred p, q; .reg .b32 %r<10>; "
                     ".reg .b64 %rd<10>; .reg .v4 .f32 quad;\n" +
                     text + "\n}");
}

} // namespace tilec::ptx

#endif // TILEC_TEST_UNIT_SIMULATOR_PTX_PARSETEXT_H
