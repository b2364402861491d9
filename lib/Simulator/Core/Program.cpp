#include "lib/Simulator/Core/Program.h"

using namespace tilec::sim;

std::string Program::lineText(const Operation &operation) const {
  // The end that every function has without anything being written has no line.
  if (!operation.text || operation.text->location.line == 0)
    return "the end of the function";
  return ptxName + ":" + std::to_string(operation.text->location.line);
}

std::string Program::lineText(uint32_t number) const {
  return number < operations.size() ? lineText(operations[number]) : "the end of the function";
}
