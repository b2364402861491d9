/// What is launched: a kernel of ours with its launch table, or an entry of PTX text with a grid by hand.
#ifndef TOOLS_TILE_RUN_KERNEL_H
#define TOOLS_TILE_RUN_KERNEL_H

#include "lib/Codegen/LaunchTable.h"
#include "tools/tile-run/Options.h"
#include <memory>

namespace tilec::run {

/// A kernel, and all that is needed to launch it.
struct Kernel {
  /// Null: launched by hand.
  std::unique_ptr<mlir::tile::LaunchTable> table;
  /// The entry's name, and the PTX text with the name that reports give it.
  std::string symbol, ptx, ptxName;
  /// Bytes of the entry's parameters, in order, where it is launched by hand.
  std::vector<uint64_t> parameterBytes;
};

/// Reads the file that the options name, for a device of `target`, and finds the kernel. False with `error`, which is
/// empty where the compiler has said what is wrong.
[[nodiscard]] bool loadKernel(const Options &options, const std::string &target, Kernel &kernel, std::string &error);

/// The target that a PTX file is for; empty with `error` where it cannot be read.
[[nodiscard]] std::string targetOfPtx(const std::string &path, std::string &error);

} // namespace tilec::run

#endif
