/// What the compiler says, as command-line tools print it.
#ifndef LIB_PIPELINE_DIAGNOSTICS_H
#define LIB_PIPELINE_DIAGNOSTICS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace mlir::tile {

/// Prints diagnostics on standard error, one line each: "gemm.mlir:3:7: error: …", or "TOOL: error: …" where no place is
/// known; remarks only on demand. Variants and targets of one kernel are compiled from one text, so they often say the
/// same, which is said once.
void printDiagnostics(MLIRContext &context, StringRef tool, bool remarks);

} // namespace mlir::tile

#endif
