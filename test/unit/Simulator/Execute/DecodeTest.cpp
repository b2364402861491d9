/// Every kernel that a compiler wrote for the simulated programs decodes: no form of an instruction that it uses is
/// missing.
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

/// Families that say of themselves that they are not there yet are not missing forms.
static bool isAnnounced(const std::string &message) { return message.find("not simulated yet") != std::string::npos; }

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
    ProgramBuilder builder(module, text, *target);
    for (const auto &function : module->functions)
      if (function->isKernel && function->hasBody) {
        bool decodes = builder.build(*function, error) != nullptr;
        EXPECT_TRUE(decodes || isAnnounced(error.message)) << error.location.line << ": " << error.message;
        kernels += decodes;
      }
  }
  EXPECT_GE(kernels, 60u);
}
