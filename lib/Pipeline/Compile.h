/// From the text of a kernel file to what the user asked for: the compiler as a library.
#ifndef LIB_PIPELINE_COMPILE_H
#define LIB_PIPELINE_COMPILE_H

#include "lib/Codegen/KernelInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <functional>
#include <string>
#include <vector>

namespace mlir::tile {

/// What is emitted: a stage of the road, or an output for the host.
enum class Emit { Tile, Planned, NVVM, LLVM, PTX, Cubin, Header, Json };

struct CompileOptions {
  Emit emit = Emit::PTX;
  /// Targets by name; several only for Header and Json.
  std::vector<std::string> targets{"sm_80"};
  /// `NAME=VALUE`, as after -D.
  std::vector<std::string> definitions;
  /// Configurations of a header or sidecar, tried in this order at launch: `NAME=VALUE …`, on top of `definitions`, and
  /// optionally `if PREDICATE` over the shapes (grammar of KernelInterface.h): "BM=64 BN=64 if dim(A, 0) <= 64".
  std::vector<std::string> configurations;
  /// Namespace around the kernels in the header.
  std::string nameSpace;
  /// The file's name as outputs mention it; no path.
  std::string sourceName;
  /// Name of a pass after which the IR is printed to standard error; empty: none.
  std::string printAfter;
  /// Optimisation level of LLVM's part, see PtxOptions.
  unsigned optimizationLevel = 2;
  /// `.loc` lines in PTX.
  bool lineInfo = false;
  /// Whether kernels for the host get machine code beside PTX, where ptxas is at hand.
  bool assemble = true;
  /// Called with the name of each stage and the seconds that it took.
  std::function<void(StringRef stage, double seconds)> onStage;
  /// Called with a line of progress for the user who asked for it (-v).
  std::function<void(const Twine &line)> onProgress;
};

/// Registers the dialects that kernels are made of and all translations.
void registerCompiler(DialectRegistry &registry);

/// Compiles `source`. Every failure has been diagnosed through `context` (with its place in the source) when this
/// returns; the result is text or, for Cubin, bytes. The same input gives the same bytes. `context` must have been made
/// with registerCompiler()'s dialects.
FailureOr<std::string> compile(StringRef source, StringRef fileName, const CompileOptions &options,
                               MLIRContext &context);

/// The kernels of `source` with their code, as the header and the sidecar print them; for tools that launch what they
/// compile. `emit` counts for nothing. Fails as compile does.
FailureOr<std::vector<KernelInterface>> compileKernels(StringRef source, StringRef fileName,
                                                       const CompileOptions &options, MLIRContext &context);

} // namespace mlir::tile

#endif
