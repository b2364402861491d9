/// ptxas, NVIDIA's assembler: turns PTX into the machine code of one GPU and tells what it costs. It is optional: tilec
/// makes PTX without it, and the driver assembles that when it is loaded.
#ifndef TILEC_LIB_CODEGEN_PTXAS_H
#define TILEC_LIB_CODEGEN_PTXAS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::tile {

/// How ptxas is run.
struct PtxasOptions {
  /// The GPU, as in `-arch=sm_90a`.
  std::string chip = "sm_80";
  /// The executable; where empty, findPtxas() looks for it.
  std::string path;
  /// `-O`: 0 to 4; ptxas's own default is 3.
  unsigned optimizationLevel = 3;
  /// Keeps the `.loc` lines of the PTX for profilers.
  bool lineInfo = false;
  /// Passed on as they are.
  std::vector<std::string> extraArguments;
  /// After this ptxas is ended and the run is an error. Zero waits for ever.
  unsigned timeoutSeconds = 300;
};

/// What ptxas reports about one kernel. Sizes in bytes.
struct KernelResources {
  std::string name;
  unsigned registers = 0, barriers = 0;
  unsigned stackFrame = 0, spillStores = 0, spillLoads = 0;
  /// Static shared memory; what the launch asks for comes on top.
  unsigned sharedMemory = 0, constantMemory = 0;

  [[nodiscard]] bool spills() const { return spillStores || spillLoads; }
};

/// A warning, or one of the numbered advisories such as C7510 ("wgmma.mma_async instructions are serialized").
struct PtxasWarning {
  /// "C7510", or empty where ptxas gives no number.
  std::string code;
  std::string text;
  /// The line of the PTX, from 1, or 0 where ptxas names none.
  unsigned line = 0;
};

/// What a run gives.
struct PtxasResult {
  /// The machine code, an ELF file.
  std::string cubin;
  /// In the order of ptxas's report.
  std::vector<KernelResources> kernels;
  std::vector<PtxasWarning> warnings;
};

/// Finds ptxas: `TILEC_PTXAS` (the executable itself), `CUDA_HOME`/bin, `CUDA_PATH`/bin, /usr/local/cuda/bin, `PATH`,
/// then the nvidia-cuda-nvcc wheel. The error lists the places tried and the remedy.
llvm::Expected<std::string> findPtxas();

/// Assembles `ptx`. An error holds what ptxas said about the first thing it refused, with the PTX line and its text.
llvm::Expected<PtxasResult> runPtxas(StringRef ptx, const PtxasOptions &options = {});

/// Whether ptxas accepts `ptx` for `chip`; if not, `reason`, where given, says why.
bool assembles(StringRef ptx, StringRef chip, std::string *reason = nullptr);

/// Reads the report that `ptxas -v` writes to standard error; used by runPtxas().
void parsePtxasReport(StringRef report, PtxasResult &result);

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_PTXAS_H
