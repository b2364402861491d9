/// The tables that a generated header holds for each kernel. They are constants without constructors to run, and all
/// work on them is done by the library, so that headers compile fast and stay the same when the work improves. The
/// parameters of an entry are fixed in lib/Codegen/KernelInterface.h.
#ifndef TILEC_LIB_RUNTIME_KERNELTABLE_H
#define TILEC_LIB_RUNTIME_KERNELTABLE_H

#include "lib/Runtime/Argument.h"
#include "lib/Runtime/Device.h"

namespace tilec {

/// Stands for an extent or stride that only the call knows.
inline constexpr int64_t dynamicSize = INT64_MIN;

/// An array in a table.
template <typename T> struct Span {
  const T *items;
  size_t count;

  const T *begin() const { return items; }
  const T *end() const { return items + count; }
  const T &operator[](size_t i) const { return items[i]; }
};

/// An argument that a launcher takes; dead ones are not listed.
struct ArgumentInfo {
  const char *name;
  bool isView;
  ElementType type;
  int rank;
  /// Declared alignment of the base pointer in bytes; 0: that of the element.
  int64_t alignBytes;
  /// Static values or dynamicSize.
  int64_t extents[maxRank];
  int64_t strides[maxRank];

  /// Whether steps along this axis must keep the alignment. Kernels move vectors along the last axis whose stride is
  /// declared as 1; where there is one, the steps along all others must, also where they happen to be 1 in a call.
  bool mustKeepAlignment(int axis) const {
    int contiguous = contiguousAxis();
    return contiguous >= 0 && axis != contiguous;
  }
  /// The last axis whose stride is declared as 1, or -1.
  int contiguousAxis() const {
    for (int dim = rank; dim-- > 0;)
      if (strides[dim] == 1)
        return dim;
    return -1;
  }
};

/// Whether steps of `stride` elements of `bits` bits keep an address a multiple of `align` bytes.
inline bool strideKeeps(int64_t stride, int64_t align, int64_t bits) {
  // stride * bits may overflow; its remainder modulo align * 8 is that of the remainders' product.
  return stride % (align * 8) * bits % (align * 8) == 0;
}

/// An entry of an image, and what it takes for granted; see KernelVariant.
struct VariantInfo {
  const char *symbol;
  int64_t alignBytes;
  int64_t maxIndex;
  uint32_t threads;
  uint32_t sharedBytes;
  /// As ptxas reported; -1: not known.
  int registers;
  int spillBytes;
  /// One per argument, where not every view needs `alignBytes`; else empty.
  Span<int64_t> alignments = {nullptr, 0};

  /// What it asks of the view that is argument number `argument`; 0: the element's own size.
  int64_t alignmentOf(size_t argument) const { return argument < alignments.count ? alignments[argument] : alignBytes; }
};

/// Code for one target; either image may be empty.
struct ImageInfo {
  const char *arch;
  int sm;
  /// 'a': runs on that SM only; 'f': on later ones of the family; 0: on all later ones.
  char feature;
  const CodeImage *ptx;
  const CodeImage *cubin;
  /// major * 10 + minor.
  int ptxVersion;
  /// As cuDriverGetVersion counts; 0: not known.
  int minDriver;
  int cubinMinDriver;
  Span<VariantInfo> variants;
};

/// What a configuration's expressions give for one call.
struct SpaceValues {
  bool applies = true;
  Index extents[maxRank];
  Index workspaceBytes;
};

/// Evaluates a configuration's expressions in tables made at run time, where no function was compiled for them.
class SpaceEvaluator {
public:
  virtual ~SpaceEvaluator() = default;
  virtual void evaluate(const Argument *arguments, SpaceValues &values) const = 0;
};

/// A set of parameters; see KernelConfiguration.
struct ConfigurationInfo {
  const char *name;
  /// Text of the predicate, for reports; empty: none.
  const char *predicate;
  /// Texts of the extents and the steps, one per dimension of the program space.
  Span<const char *> extents;
  Span<int64_t> steps;
  /// Whether the entry's last parameter is the workspace.
  bool hasWorkspace;
  void (*evaluate)(const Argument *arguments, SpaceValues &values);
  Span<ImageInfo> images;
  /// Instead of `evaluate`, where it is not null.
  const SpaceEvaluator *evaluator = nullptr;

  void valuesFor(const Argument *arguments, SpaceValues &values) const {
    if (evaluator)
      evaluator->evaluate(arguments, values);
    else
      evaluate(arguments, values);
  }
};

/// A kernel.
struct KernelTable {
  const char *name;
  Span<ArgumentInfo> arguments;
  Span<ConfigurationInfo> configurations;
};

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_KERNELTABLE_H
