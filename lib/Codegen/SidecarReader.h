/// Reads the JSON sidecar back, for tools that launch from files.
#ifndef TILEC_LIB_CODEGEN_SIDECARREADER_H
#define TILEC_LIB_CODEGEN_SIDECARREADER_H

#include "lib/Codegen/KernelInterface.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::tile {

/// The kernels of a sidecar's text (schema in Sidecar.h). Embedded PTX and cubins are put into the images; an image
/// whose code is not embedded has none. Fails, naming the place in the text, on what is not such a text.
llvm::Expected<std::vector<KernelInterface>> readSidecar(llvm::StringRef text);

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_SIDECARREADER_H
