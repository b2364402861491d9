/// What the host has to know about compiled kernels, in plain data: the compiler fills these structures once, and the
/// launch header and the JSON sidecar are two printings of the same facts. No MLIR type appears here, so the emitters
/// can be tested with values made by hand.
///
/// Index expressions. Extents of the program space, workspace sizes and predicates are strings in one neutral infix
/// grammar, which the header turns into C++ (names renamed where C++ reserves them, arithmetic checked for overflow)
/// and the sidecar hands on as it is:
///
///     expression := term (('+' | '-') term)*          term   := factor ('*' factor)*
///     factor     := integer | name | '-' factor | '(' expression ')' | 'dim' '(' view ',' integer ')'
///                 | ('floordiv' | 'ceildiv' | 'mod' | 'min' | 'max') '(' expression ',' expression ')'
///     predicate  := as expression, over comparisons ('<' '<=' '>' '>=' '==' '!='), '&&', '||' and '!'
///
/// A name is that of an integer or index scalar argument; division and mod round towards minus infinity. Dead
/// arguments must not occur.
///
/// Parameters of an entry, in order, for each argument that is not dead: a view passes its device pointer (u64), then
/// each dynamic extent (i64), then each dynamic stride (i64, in elements); a scalar passes its own type (index as i64,
/// f16 and bf16 as two bytes, i1 as one). When the configuration's `workspaceBytes` is not "0", the workspace pointer
/// (u64) follows last.
#ifndef TILEC_LIB_CODEGEN_KERNELINTERFACE_H
#define TILEC_LIB_CODEGEN_KERNELINTERFACE_H

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tile {

/// One argument as the author declared it.
struct KernelArgument {
  enum class Kind { View, Scalar };

  /// As in the source, without '%'. Any spelling that MLIR accepts; the header makes an identifier of it.
  std::string name;
  Kind kind = Kind::View;
  /// MLIR's spelling of the element or scalar type: "bf16", "f8E4M3FN", "i32", "index".
  std::string elementType;
  /// Views: one entry per dimension, the static value or nullopt for '?'. Their sizes are the rank.
  std::vector<std::optional<int64_t>> extents;
  /// Views: strides in elements, outermost first. A row-major view of rank 2 is typically {nullopt, 1}.
  std::vector<std::optional<int64_t>> strides;
  /// Views: alignment of the base pointer, in bytes, that the type declares; 0 means the element's own.
  int64_t alignBytes = 0;
  /// Views: the kernel never stores through it, so the header takes a View<const T, rank>.
  bool readOnly = false;
  /// Not used after folding: absent from the launcher's and the entry's signature, listed by the sidecar.
  bool dead = false;
  /// One line for the header's documentation; may be empty.
  std::string doc;

  size_t rank() const { return extents.size(); }
};

/// One entry point of an image. The first variant, in order, whose requirements hold is launched; so the fast one
/// stands first, and the last one should demand no more than the language guarantees.
struct KernelVariant {
  /// Name of the entry in the image.
  std::string symbol;
  /// Every view's base pointer, and every step but along its contiguous axis (the last one whose stride is declared as
  /// 1), is divisible by it. 16 for the fast variant; 0 means the element's own size.
  int64_t alignBytes = 0;
  /// Every extent and stride of every view, and every index scalar's magnitude, is at most this: 2^31 - 1 - 2^20 where index arithmetic has 32 bits.
  int64_t maxIndex = std::numeric_limits<int64_t>::max();
  /// Threads of a block.
  int32_t threads = 0;
  /// Dynamic shared memory of a block, in bytes.
  int64_t sharedBytes = 0;
  /// As ptxas reported, where it was at hand: registers of a thread, bytes spilled.
  std::optional<int32_t> registers;
  std::optional<int32_t> spillBytes;
  /// As `alignBytes`, for each argument that is not dead, where not every view needs as much: rows of four scales need 4.
  /// Scalars have 0. Empty: `alignBytes` for all.
  std::vector<int64_t> alignments = {};
};

/// The code of one configuration for one target.
struct KernelImage {
  /// PTX target name: "sm_80", "sm_90a".
  std::string arch;
  /// The PTX text; may be empty when there is a cubin. Kernels of one module give the same text: it is embedded once.
  std::string ptx;
  /// The ELF image by ptxas, exact for `arch`; empty where ptxas was not at hand.
  std::vector<uint8_t> cubin;
  /// PTX ISA version of the text as major * 10 + minor: 70 for 7.0, 86 for 8.6.
  int32_t ptxVersion = 0;
  /// The oldest driver that accepts the text, as cuDriverGetVersion counts: 12080 for CUDA 12.8. 0: not known.
  int32_t minDriver = 0;
  /// The same for the cubin; 0: not known.
  int32_t cubinMinDriver = 0;
  std::vector<KernelVariant> variants;
};

/// The space of programs. The grid is one-dimensional: the product over all dimensions of ceildiv(extent, step);
/// device code maps the linear index to coordinates.
struct ProgramSpace {
  /// Index expressions, one per dimension.
  std::vector<std::string> extents;
  /// Positive steps, one per dimension.
  std::vector<int64_t> steps;
};

/// A parameter as the kernel was compiled with, for reports and the tuner: {"BM", "128"}, {"T", "bf16"}.
struct KernelParameter {
  std::string name;
  std::string value;
};

/// One set of parameters, compiled for one or more targets. The first configuration whose predicate holds and that has
/// an image for the device is launched.
struct KernelConfiguration {
  /// Short label for reports, such as "BM=128,BN=128"; empty: made from the parameters.
  std::string name;
  std::vector<KernelParameter> parameters;
  /// Predicate over shapes in the grammar above; empty: always.
  std::string predicate;
  ProgramSpace space;
  /// Index expression: bytes of zeroed scratch memory.
  std::string workspaceBytes = "0";
  std::vector<KernelImage> images;
};

/// A kernel: one launcher in the header, one object in the sidecar.
struct KernelInterface {
  std::string name;
  std::string doc;
  std::vector<KernelArgument> arguments;
  std::vector<KernelConfiguration> configurations;
};

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_KERNELINTERFACE_H
