/// Checks a KernelInterface once for both of its printers, and names types and targets.
#ifndef TILEC_LIB_CODEGEN_INTERFACECHECK_H
#define TILEC_LIB_CODEGEN_INTERFACECHECK_H

#include "lib/Codegen/KernelInterface.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::tile {

/// The host's counterpart of an element type.
struct HostType {
  /// MLIR's spelling.
  llvm::StringRef spelling;
  /// Enumerator of tilec::ElementType.
  llvm::StringRef enumerator;
  /// C++ type of elements and scalars.
  llvm::StringRef cpp;
  /// Bits of an element in memory; below 8 they lie packed.
  int bits;
  /// Bytes as a scalar parameter; 0: not allowed as a scalar.
  int scalarBytes;
};

/// The counterpart, or null for a type that has none.
const HostType *findHostType(llvm::StringRef spelling);

/// "sm_90a" is 90 and 'a', "sm_80" is 80 and '\0'.
struct ArchName {
  int sm = 0;
  char feature = 0;
};
std::optional<ArchName> parseArch(llvm::StringRef arch);

/// Success, or which kernel and which field is not sound, with expected and found.
llvm::Error checkInterface(const KernelInterface &kernel);

/// A configuration's label: its name, else "BM=128,BN=64" from its parameters, else "default".
std::string configurationLabel(const KernelConfiguration &configuration);

/// Identity of code by content, never 0.
uint64_t codeHash(llvm::StringRef bytes);

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_INTERFACECHECK_H
