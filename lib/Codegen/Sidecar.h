/// Prints the JSON sidecar: the facts of the launch header for hosts in other languages.
///
/// Schema, version 1. Absent optional values are left out; sizes are bytes, strides are elements; "?" is dynamic:
///
///     {"tilec": 1, "source": "gemm.mlir",
///      "kernels": [{"name": "gemm", "doc": "…",
///        "arguments": [{"name": "A", "kind": "view", "type": "bf16", "extents": ["?", 64], "strides": ["?", 1],
///                       "align": 16, "readOnly": true, "dead": false, "doc": "…"},
///                      {"name": "n", "kind": "scalar", "type": "i32", "dead": false}],
///        "configurations": [{"name": "BM=128", "parameters": {"BM": "128"}, "predicate": "dim(A, 0) >= 128",
///          "space": {"extents": ["dim(C, 0)"], "steps": [128]}, "workspaceBytes": "0",
///          "entryParameters": [{"type": "u64", "of": "A", "is": "pointer"}, {"type": "i64", "of": "A", "is": "extent",
///                              "dim": 0}, {"type": "i64", "of": "A", "is": "stride", "dim": 0},
///                              {"type": "i32", "of": "n", "is": "scalar"}, {"type": "u64", "is": "workspace"}],
///          "images": [{"arch": "sm_80", "ptxVersion": 70, "minDriver": 11000, "ptx": "<hash>", "cubin": "<hash>",
///            "variants": [{"symbol": "gemm_fast", "align": 16, "maxIndex": 2146435071, "threads": 128,
///                          "sharedBytes": 49152, "registers": 168, "spillBytes": 0}]}]}]}],
///      "code": {"<hash>": {"ptx": "…text…"}, "<hash>": {"cubin": "…base64…"}}}
///
/// Expressions are those of KernelInterface.h. The code stands once, under a hash of its bytes.
#ifndef TILEC_LIB_CODEGEN_SIDECAR_H
#define TILEC_LIB_CODEGEN_SIDECAR_H

#include "lib/Codegen/KernelInterface.h"
#include "llvm/Support/Error.h"

namespace mlir::tile {

/// What goes into the sidecar besides the facts.
struct SidecarOptions {
  /// The name of the kernel's file; should not be an absolute path. May be empty.
  std::string source;
  /// Embed PTX and cubins under "code"; without, hosts load the files that were emitted beside it.
  bool embedCode = true;
};

/// The sidecar's text, two-space indented and ending in a newline. Fails on the same unsound interfaces as the header.
llvm::Expected<std::string> emitSidecar(const std::vector<KernelInterface> &kernels,
                                        const SidecarOptions &options = {});

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_SIDECAR_H
