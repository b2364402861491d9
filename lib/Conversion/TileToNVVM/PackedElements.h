/// Elements of 4 and 6 bits between memory, where they are packed without gaps, and registers, where each is a code in
/// the low bits of a byte. A granule is the elements that fill whole bytes: 2 of 4 bits, 4 of 6 bits.
///
/// A run of elements is a list of 32-bit *chunks* as it lies in memory, and a list of 32-bit *words* of four codes in
/// registers. Both begin with the lowest bits; what a last, partial one has above the run is undefined.
#ifndef LIB_CONVERSION_TILETONVVM_PACKEDELEMENTS_H
#define LIB_CONVERSION_TILETONVVM_PACKEDELEMENTS_H

#include "lib/Conversion/TileToNVVM/Emitter.h"

namespace mlir::tile {

/// How a run of elements is moved: `count` accesses of `bytes` bytes each, one after the other.
struct PackedParts {
  unsigned count, bytes;
};

/// The parts of `elements` elements (a power of two times the granule, or 8 bits and more: one part). Three of a
/// quarter as many bytes as elements for 6 bits, else one.
[[nodiscard]] PackedParts packedParts(unsigned bits, unsigned elements);

/// Whole bytes of a number of elements that is a multiple of the granule; an integer of the same type.
[[nodiscard]] Value packedBytes(Emitter &emitter, Value elements, unsigned bits);

/// Chunks from what parts of 1, 2 or 4 bytes hold in their low bits (i16 or i32, zeros above).
[[nodiscard]] SmallVector<Value> chunksOf(Emitter &emitter, ArrayRef<Value> parts, unsigned partBytes);
/// `count` parts of 1, 2 or 4 bytes (i16 or i32, zeros above) from chunks.
[[nodiscard]] SmallVector<Value> partsOf(Emitter &emitter, ArrayRef<Value> chunks, unsigned partBytes, unsigned count);

/// Words from the chunks of `count` elements of `bits` bits, a multiple of the granule, with zeros above the codes.
[[nodiscard]] SmallVector<Value> unpackElements(Emitter &emitter, ArrayRef<Value> chunks, unsigned bits,
                                                unsigned count);
/// Chunks from the words of `count` elements, a multiple of the granule; bits above the codes must be zero.
[[nodiscard]] SmallVector<Value> packElements(Emitter &emitter, ArrayRef<Value> words, unsigned bits, unsigned count);

/// The chunk (i32) of up to eight 4-bit codes in two words.
[[nodiscard]] Value packNibbles(Emitter &emitter, Value low, Value high);

/// A word of the codes in `count` (at most 4) registers of a fragment of i8 from `first` on.
[[nodiscard]] Value codeWord(Emitter &emitter, const Fragment &fragment, unsigned first, unsigned count);

/// The fragment with `lanes` bytes per word that holds these runs of `count` codes, a list of words each.
[[nodiscard]] Fragment fragmentOfCodes(Emitter &emitter, ArrayRef<SmallVector<Value>> runs, unsigned count,
                                       unsigned lanes);

} // namespace mlir::tile

#endif
