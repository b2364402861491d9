/// tile-layout's command line.
#ifndef TOOLS_TILE_LAYOUT_OPTIONS_H
#define TOOLS_TILE_LAYOUT_OPTIONS_H

#include "lib/Layout/ScaleLayout.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::tile {

/// The options of one run; no globals, and `--help` shows these only.
struct Options {
  llvm::cl::OptionCategory category{"Options"};
  llvm::cl::opt<std::string> input{llvm::cl::Positional, llvm::cl::desc("kernel.mlir (- is standard input)"),
                                   llvm::cl::cat(category)};
  llvm::cl::list<std::string> define{"D", llvm::cl::Prefix, llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category),
                                     llvm::cl::desc("Sets a parameter of the file, such as BM=64 or T=f16")};
  llvm::cl::opt<std::string> arch{
      "arch", llvm::cl::value_desc("target"), llvm::cl::cat(category),
      llvm::cl::desc("Target to plan or load for, sm_80 by default; not for a file that is planned already")};
  llvm::cl::opt<std::string> kernel{
      "kernel", llvm::cl::value_desc("name"), llvm::cl::cat(category),
      llvm::cl::desc("Only this kernel, as planned: with variants NAME and NAME__general")};
  llvm::cl::opt<std::string> layout{"layout", llvm::cl::value_desc("attribute"), llvm::cl::cat(category),
                                    llvm::cl::desc("#tile.layout<…> instead of a file; needs --shape and --type")};
  llvm::cl::opt<std::string> shared{
      "shared", llvm::cl::value_desc("attribute"), llvm::cl::cat(category),
      llvm::cl::desc("#tile.swizzle<…> instead of a file; with --layout also what moving costs")};
  llvm::cl::opt<std::string> scales{
      "scales", llvm::cl::value_desc("order"), llvm::cl::cat(category),
      llvm::cl::desc("row_major, mn_major or interleaved_128x4: block scales; --shape is rows x blocks")};
  llvm::cl::opt<std::string> shape{"shape", llvm::cl::value_desc("64x96"), llvm::cl::cat(category),
                                   llvm::cl::desc("Extents of the tile or buffer")};
  llvm::cl::opt<std::string> type{"type", llvm::cl::value_desc("bf16"), llvm::cl::cat(category),
                                  llvm::cl::desc("Element type of the tile or buffer")};
  llvm::cl::opt<std::string> format{"format", llvm::cl::value_desc("text|json"), llvm::cl::init("text"),
                                    llvm::cl::cat(category), llvm::cl::desc("Tables to read, or one JSON value")};
  llvm::cl::opt<bool> full{"full", llvm::cl::cat(category),
                           llvm::cl::desc("Whole tables instead of their first rows and columns")};

  // What the texts above say.
  bool isJson = false;
  ScaleOrder scaleOrder = ScaleOrder::RowMajor;
  SmallVector<int64_t> extents;
};

/// Fills `options`. False where the command line is wrong, with one line in `error`, or none where the user has been
/// told already; ends the process for --help and --version.
[[nodiscard]] bool parseCommandLine(int argc, char **argv, Options &options, std::string &error);

} // namespace mlir::tile

#endif
