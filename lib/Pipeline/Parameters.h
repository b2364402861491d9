/// Parameters of a kernel file, and their overriding from the command line.
///
/// A parameter is a top-level alias whose right side is one scalar literal or one scalar type:
///
///     #BM   = 128 : index       // tilec -D BM=64
///     !T    = bf16              // tilec -D T=f16
///     #BIAS = true              // tilec -D BIAS=false
///     #EPS  = 1.0e-5 : f32      // tilec -D EPS=1e-6
///
/// An override replaces that literal or type in the text before MLIR reads it: the declared type stays, so does
/// everything else, and thus the locations of all other lines. That is why this works on text: once parsed, aliases
/// are gone.
#ifndef TILEC_LIB_PIPELINE_PARAMETERS_H
#define TILEC_LIB_PIPELINE_PARAMETERS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace mlir::tile {

/// What a parameter's right side is.
enum class ParameterKind { Integer, Float, Bool, Type };

/// One definition of a parameter. Positions count from 1; columns count bytes.
struct Parameter {
  /// '#' for an attribute alias, '!' for a type alias.
  char sigil = '#';
  /// Without the sigil.
  std::string name;
  ParameterKind kind = ParameterKind::Integer;
  /// The literal or type as written, without the declared type: "128", "bf16", "true", "1.0e-5".
  std::string value;
  /// The declared type as written, "index" or "f32"; empty where there is none. May be an alias ("!T").
  std::string type;
  /// Where the name starts.
  unsigned line = 0, column = 0;
  /// The number of the `// -----` chunk, from 0.
  unsigned chunk = 0;
  /// Where `value` stands in the text, in bytes.
  size_t offset = 0;

  /// As a definition: "#BM = 128 : index".
  [[nodiscard]] std::string str() const;
};

/// Why overrideParameters() refused.
struct ParameterError {
  /// Without position, lower case, no full stop.
  std::string message;
  /// The definition that the message is about, or 1:1 where it is about the whole file or the command line.
  unsigned line = 1, column = 1;

  /// "FILE:LINE:COLUMN: error: MESSAGE", without a line end.
  [[nodiscard]] std::string str(llvm::StringRef fileName) const;
};

/// All parameters of `source`, in order. Text that MLIR would refuse gives what can be recognised; never fails. A
/// definition of the same name in another `// -----` chunk is listed again.
[[nodiscard]] std::vector<Parameter> listParameters(llvm::StringRef source);

/// `source` with the values that `definitions` give. Each definition is NAME=VALUE as it follows `-D`; the name may
/// carry its sigil, which tells `#T` from `!T` where a file has both. In every chunk that defines the name the value is
/// replaced; at least one must. Errors, in `error`: no '=', a name given twice, an unknown name (lists the known ones
/// with their values), a value of another kind or one that does not fit the declared type.
[[nodiscard]] FailureOr<std::string> overrideParameters(llvm::StringRef source, llvm::ArrayRef<std::string> definitions,
                                                        ParameterError &error);

} // namespace mlir::tile

#endif // TILEC_LIB_PIPELINE_PARAMETERS_H
