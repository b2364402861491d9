/// tilec's command line.
#ifndef TOOLS_TILEC_OPTIONS_H
#define TOOLS_TILEC_OPTIONS_H

#include "lib/Pipeline/Compile.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::tile {

/// The options of one run; no globals, and `--help` shows these only.
struct Options {
  /// What is made, as --emit or the output's suffix says.
  Emit kind = Emit::PTX;
  llvm::cl::OptionCategory category{"Options"};
  llvm::cl::opt<std::string> input{llvm::cl::Positional, llvm::cl::desc("kernel.mlir (- is standard input)"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> output{"o", llvm::cl::desc("Output; its suffix chooses what is made: .ptx .cubin .h .ll .mlir .json"),
                              llvm::cl::value_desc("file"), llvm::cl::init("-"), llvm::cl::cat(category)};
  llvm::cl::list<std::string> arch{"arch", llvm::cl::CommaSeparated, llvm::cl::value_desc("targets"), llvm::cl::cat(category),
                             llvm::cl::desc("sm_80 (default), sm_89, sm_90a, sm_100a, sm_120a; several for .h and .json")};
  llvm::cl::list<std::string> define{"D", llvm::cl::Prefix, llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category),
                               llvm::cl::desc("Sets a parameter of the file, such as BM=64 or T=f16")};
  llvm::cl::list<std::string> config{"config", llvm::cl::value_desc("NAME=VALUE … [if PREDICATE]"), llvm::cl::cat(category),
                               llvm::cl::desc("A configuration of a header, tried in order at launch; several")};
  llvm::cl::opt<std::string> emit{"emit", llvm::cl::value_desc("what"), llvm::cl::cat(category),
                            llvm::cl::desc("tile, planned, nvvm, llvm, ptx, cubin, header or json; wins over the suffix")};
  llvm::cl::opt<std::string> nameSpace{"namespace", llvm::cl::value_desc("ns"), llvm::cl::cat(category),
                                 llvm::cl::desc("C++ namespace around the header's kernels")};
  llvm::cl::opt<bool> remarks{"remarks", llvm::cl::cat(category), llvm::cl::desc("Show what was not optimised and why")};
  llvm::cl::opt<bool> time{"time", llvm::cl::cat(category), llvm::cl::desc("Show the time of each stage, and LLVM's share")};
  llvm::cl::opt<bool> verbose{"v", llvm::cl::cat(category), llvm::cl::desc("Say what is done")};
  llvm::cl::opt<bool> lineInfo{"line-info", llvm::cl::cat(category), llvm::cl::desc("Lead from PTX to source lines (.loc)")};
  llvm::cl::opt<bool> parameters{"parameters", llvm::cl::cat(category), llvm::cl::desc("List the file's parameters and stop")};
  llvm::cl::opt<std::string> printAfter{"print-after", llvm::cl::value_desc("pass"), llvm::cl::cat(category),
                                  llvm::cl::desc("Print the IR after a pass, e.g. tile-stage, to standard error")};
};

/// Fills `options`. False where the command line is wrong, with one line in `error`, or none where the user has been told
/// already; ends the process for --help and --version.
[[nodiscard]] bool parseCommandLine(int argc, char **argv, Options &options, std::string &error);

} // namespace mlir::tile

#endif
