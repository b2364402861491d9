/// The last step of the compiler: a module in the LLVM and NVVM dialects becomes PTX text.
///
/// The road is MLIR → LLVM IR → our own list of LLVM passes → LLVM's NVPTX back end. LLVM's default pipelines are not
/// used: they contain passes that are wrong for GPU code (jump threading can duplicate convergent barriers) or that
/// cost time for nothing, as ptxas optimises and schedules the result once more.
#ifndef TILEC_LIB_CODEGEN_PTX_H
#define TILEC_LIB_CODEGEN_PTX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include <functional>
#include <string>

namespace mlir::tile {

/// What translateToPtx() makes and what it tells on the way.
struct PtxOptions {
  /// The processor as LLVM names it, for instance "sm_80" or "sm_90a".
  std::string chip = "sm_80";

  /// The PTX ISA version, major * 10 + minor: 78 is PTX 7.8. It bounds the drivers that accept the text.
  unsigned isaVersion = 78;

  /// 0 translates as it stands; 1 and above run our list of LLVM passes and the optimising back end.
  unsigned optimizationLevel = 2;

  /// Flushes f32 denormals to zero, in our code and in libdevice's.
  bool flushDenormals = false;

  /// Writes `.loc` lines that lead from PTX to the user's file. The module's locations must be file positions.
  bool lineInfo = false;

  /// The libdevice file; where empty, findLibdevice() looks for it. Read only if a `__nv_` function is called.
  std::string libdevicePath;

  /// Called after each stage with its name ("llvm-translate", "llvm-libdevice", "llvm-optimize", "llvm-codegen") and
  /// the wall-clock seconds that it took.
  std::function<void(StringRef stage, double seconds)> onStage;

  /// If set, receives the optimised LLVM IR as text, as it enters the back end.
  std::string *llvmIR = nullptr;
};

/// Registers what the translation to LLVM IR needs; translateToPtx() does it itself where it is missing, which is not
/// allowed while the context is used by other threads.
void registerPtxTranslations(DialectRegistry &registry);

/// Translates `module`, which must hold nothing but the LLVM and NVVM dialects, to PTX text. The result depends on the
/// module and the options alone. The module's `llvm.data_layout`, `llvm.target_triple` and, with `lineInfo`, its debug
/// scopes are set on the way. Every failure, also a fatal error inside LLVM, is one diagnostic at the module or at the
/// line that it concerns.
FailureOr<std::string> translateToPtx(ModuleOp module, const PtxOptions &options = {});

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_PTX_H
