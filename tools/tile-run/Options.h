/// tile-run's command line.
#ifndef TOOLS_TILE_RUN_OPTIONS_H
#define TOOLS_TILE_RUN_OPTIONS_H

#include "lib/Runtime/Device.h"
#include "tools/tile-run/Values.h"
#include "llvm/Support/CommandLine.h"
#include <map>
#include <optional>
#include <string>

namespace tilec::run {

/// An --expect: a file, and how far each element may be from it, over the larger of it and 1.
struct Expectation {
  std::string path;
  double tolerance = 0;
};

/// The options of one run; no globals, and `--help` shows these only.
struct Options {
  llvm::cl::OptionCategory category{"Options"};
  llvm::cl::opt<std::string> input{llvm::cl::Positional, llvm::cl::desc("kernel.mlir or kernel.ptx"),
                                   llvm::cl::cat(category)};
  llvm::cl::opt<std::string> device{
      "device", llvm::cl::value_desc("sim:TARGET|gpu"), llvm::cl::cat(category),
      llvm::cl::desc("Where it runs; default: the simulated device, of sm_80 or of the PTX's own target")};
  llvm::cl::list<std::string> arg{"arg", llvm::cl::value_desc("value"), llvm::cl::cat(category),
                                  llvm::cl::desc("The next argument: A.npy, A.npy:bf16, zeros:f32:1024x512, ones:…, "
                                                 "random:f32:64x64:SEED, empty:f32:64, i32:5, f32:0.5, index:7")};
  llvm::cl::list<std::string> save{"save", llvm::cl::value_desc("I=OUT.npy"), llvm::cl::cat(category),
                                   llvm::cl::desc("Write the buffer of argument I (from 0) afterwards")};
  llvm::cl::list<std::string> expect{"expect", llvm::cl::value_desc("I=WANT.npy[:TOLERANCE]"), llvm::cl::cat(category),
                                     llvm::cl::desc("Compare the buffer of argument I afterwards, element by element")};
  llvm::cl::opt<std::string> kernel{"kernel", llvm::cl::value_desc("name"), llvm::cl::cat(category),
                                    llvm::cl::desc("Which kernel, where the file has several")};
  llvm::cl::opt<std::string> grid{"grid", llvm::cl::value_desc("X,Y,Z"), llvm::cl::cat(category),
                                  llvm::cl::desc("Blocks, for PTX without a sidecar")};
  llvm::cl::opt<std::string> block{"block", llvm::cl::value_desc("X,Y,Z"), llvm::cl::cat(category),
                                   llvm::cl::desc("Threads of a block")};
  llvm::cl::opt<std::string> cluster{"cluster", llvm::cl::value_desc("X,Y,Z"), llvm::cl::cat(category),
                                     llvm::cl::desc("Blocks of a cluster")};
  llvm::cl::opt<std::string> shared{"shared", llvm::cl::value_desc("bytes"), llvm::cl::cat(category),
                                    llvm::cl::desc("Dynamic shared memory of a block")};
  llvm::cl::list<std::string> define{"D", llvm::cl::Prefix, llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category),
                                     llvm::cl::desc("Sets a parameter of a .mlir file, such as BM=64 or T=f16")};
  llvm::cl::opt<std::string> check{"check", llvm::cl::value_desc("on|off"), llvm::cl::init("on"),
                                   llvm::cl::cat(category),
                                   llvm::cl::desc("The simulated device's checks; off is 1.6 to 4 times as fast")};
  llvm::cl::opt<std::string> seed{
      "seed", llvm::cl::value_desc("number"), llvm::cl::init("0"), llvm::cl::cat(category),
      llvm::cl::desc("Decides the order of warps and of asynchronous operations; 0 is the plainest")};
  llvm::cl::opt<std::string> seeds{"seeds", llvm::cl::value_desc("number"), llvm::cl::init("1"),
                                   llvm::cl::cat(category),
                                   llvm::cl::desc("Runs that many seeds, from --seed on, up to the first finding")};
  llvm::cl::opt<std::string> cores{"cores", llvm::cl::value_desc("number"), llvm::cl::init("0"),
                                   llvm::cl::cat(category),
                                   llvm::cl::desc("Threads of the host that simulate; default: all")};
  llvm::cl::opt<std::string> limit{
      "limit", llvm::cl::value_desc("number"), llvm::cl::init("0"), llvm::cl::cat(category),
      llvm::cl::desc("Ends a run after that many operations of all warps, as one that never ends")};
  llvm::cl::opt<bool> counters{"counters", llvm::cl::cat(category),
                               llvm::cl::desc("Print what the simulated device counted")};
  llvm::cl::opt<std::string> ptx{"ptx", llvm::cl::value_desc("file"), llvm::cl::cat(category),
                                 llvm::cl::desc("Write the PTX that a .mlir file became")};

  // What the texts above say.
  bool isGpu = false;
  /// Target to simulate; empty: not said.
  std::string target;
  bool isMlir = false, checks = true;
  Dim3 blocks = 0, threads = 0, clusterSize;
  bool hasGrid = false;
  uint32_t sharedBytes = 0;
  uint64_t firstSeed = 0, seedCount = 1;
  unsigned coreCount = 0;
  /// 0: none.
  uint64_t operationLimit = 0;
  /// By the argument's number.
  std::map<size_t, std::string> saved;
  std::map<size_t, Expectation> expected;
};

/// Fills `options`. False where the command line is wrong, with one line in `error`, or none where the user has been
/// told already; ends the process for --help and --version.
[[nodiscard]] bool parseCommandLine(int argc, char **argv, Options &options, std::string &error);

} // namespace tilec::run

#endif
