/// Parses each PTX file named on the command line and says what is in it, how long it took, or what is wrong with it:
/// the way to try the front end on what a compiler emits.
#include "lib/Simulator/Ptx/Module.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace tilec::ptx;

int main(int count, char **names) {
  int wrong = 0;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(names[i], std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file) {
      std::fprintf(stderr, "%s: error: cannot be read\n", names[i]);
      ++wrong;
      continue;
    }
    Error error;
    auto begin = std::chrono::steady_clock::now();
    std::unique_ptr<Module> module = parse(text, error);
    double milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (!module) {
      std::string line(lineOf(text, error.location.line));
      std::fprintf(stderr, "%s:%u:%u: error: %s\n%s\n", names[i], error.location.line, error.location.column,
                   error.message.c_str(), line.c_str());
      ++wrong;
      continue;
    }
    size_t instructions = 0, registers = 0;
    for (const auto &function : module->functions) {
      instructions += function->instructions.size();
      registers += function->registers.size();
    }
    std::printf("%s: %zu functions, %zu variables, %zu instructions, %zu registers, %.2f ms\n", names[i],
                module->functions.size(), module->variables.size(), instructions, registers, milliseconds);
  }
  return wrong != 0;
}
