/// Every kernel that a compiler wrote for the simulated programs decodes: no form of an instruction that it uses is
/// missing.
#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace tilec;
using namespace tilec::sim;

static std::vector<std::filesystem::path> ptxFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(TILEC_SOURCE_DIR "/test/Simulator/programs/cuda"))
    if (entry.path().extension() == ".ptx")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether the kernel's module has an opcode for which no family is there (a whole family, not a form).
static bool hasUnknownOpcode(const ptx::Module &module) {
  for (const auto &function : module.functions)
    for (const ptx::Instruction &instruction : function->instructions)
      if (!instructions().count(instruction.opcode))
        return true;
  return false;
}

TEST(Decode, CompiledKernels) {
  unsigned kernels = 0;
  for (const auto &file : ptxFiles()) {
    SCOPED_TRACE(file.filename().string());
    std::ifstream stream(file);
    std::stringstream content;
    content << stream.rdbuf();
    auto text = std::make_shared<const std::string>(content.str());
    ptx::Error error;
    std::shared_ptr<const ptx::Module> module = ptx::parse(*text, error);
    ASSERT_TRUE(module) << error.location.line << ": " << error.message;
    const mlir::tile::Target *target = mlir::tile::lookupTarget(module->target);
    ASSERT_TRUE(target) << module->target;
    if (hasUnknownOpcode(*module))
      continue;
    ProgramBuilder builder(module, text, *target);
    for (const auto &function : module->functions)
      if (function->isKernel && function->hasBody) {
        EXPECT_TRUE(builder.build(*function, error)) << error.location.line << ": " << error.message;
        ++kernels;
      }
  }
  EXPECT_GT(kernels, 0u);
}
