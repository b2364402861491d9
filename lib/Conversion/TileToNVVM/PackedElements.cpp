// Four bits: even and odd codes of a chunk are masked out at once and interleaved by byte permutations, 5 instructions
// for 8 elements. Six bits: a word's 24 bits are taken out of the chunks, cut into halves of 12 and those into 6, 6
// instructions for 4 elements. Packing runs backwards.
#include "lib/Conversion/TileToNVVM/PackedElements.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

PackedParts tile::packedParts(unsigned bits, unsigned elements) {
  return bits == 6 ? PackedParts{3, elements / 4} : PackedParts{1, elements * bits / 8};
}

Value tile::packedBytes(Emitter &emitter, Value elements, unsigned bits) {
  if (bits >= 8)
    return emitter.mul(elements, emitter.constant(elements.getType(), bits / 8));
  if (auto known = elements.getDefiningOp<LLVM::ConstantOp>())
    return emitter.constant(elements.getType(),
                            cast<IntegerAttr>(known.getValue()).getValue().getSExtValue() * bits / 8);
  // The division first, which is exact, so that nothing overflows.
  ScalarBuilder s(emitter.b);
  return bits == 4 ? s.ashr(elements, 1) : emitter.mul(s.ashr(elements, 2), emitter.constant(elements.getType(), 3));
}

//===----------------------------------------------------------------------===//
// Parts and chunks
//===----------------------------------------------------------------------===//

SmallVector<Value> tile::chunksOf(Emitter &emitter, ArrayRef<Value> parts, unsigned partBytes) {
  if (partBytes == 4)
    return SmallVector<Value>(parts);
  ScalarBuilder s(emitter.b);
  SmallVector<Value> chunks;
  for (auto [i, part] : llvm::enumerate(parts)) {
    unsigned bit = i * partBytes * 8;
    Value wide = part.getType().isInteger(32) ? part : s.zext(part, emitter.b.getI32Type());
    if (bit % 32 == 0)
      chunks.push_back(wide);
    else
      chunks.back() = s.bitOr(chunks.back(), s.shl(wide, bit % 32));
  }
  return chunks;
}

SmallVector<Value> tile::partsOf(Emitter &emitter, ArrayRef<Value> chunks, unsigned partBytes, unsigned count) {
  if (partBytes == 4)
    return SmallVector<Value>(chunks);
  ScalarBuilder s(emitter.b);
  SmallVector<Value> parts;
  for (unsigned i = 0; i < count; ++i) {
    unsigned bit = i * partBytes * 8;
    Value chunk = chunks[bit / 32];
    parts.push_back(s.trunc(bit % 32 ? s.lshr(chunk, bit % 32) : chunk, emitter.b.getI16Type()));
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Chunks and words
//===----------------------------------------------------------------------===//

/// 24 bits of the chunks from `bit` on, others may be above them.
static Value bitsAt(Emitter &emitter, ArrayRef<Value> chunks, unsigned bit) {
  ScalarBuilder s(emitter.b);
  Value chunk = chunks[bit / 32];
  if (bit % 32 == 0)
    return chunk;
  Value low = s.lshr(chunk, bit % 32);
  return bit % 32 + 24 <= 32 ? low : s.bitOr(low, s.shl(chunks[bit / 32 + 1], 32 - bit % 32));
}

SmallVector<Value> tile::unpackElements(Emitter &emitter, ArrayRef<Value> chunks, unsigned bits, unsigned count) {
  ScalarBuilder s(emitter.b);
  SmallVector<Value> words;
  if (bits == 4) {
    for (unsigned i = 0; i < count; i += 8) {
      Value chunk = chunks[i / 8];
      Value even = s.bitAnd(chunk, s.i32(0x0f0f0f0f)), odd = s.bitAnd(s.lshr(chunk, 4), s.i32(0x0f0f0f0f));
      words.push_back(emitter.permuteBytes(even, odd, 0x5140));
      if (i + 4 < count)
        words.push_back(emitter.permuteBytes(even, odd, 0x7362));
    }
    return words;
  }
  for (unsigned i = 0; i < count; i += 4) {
    Value run = bitsAt(emitter, chunks, i * 6);
    // 0x00dcba, digits of 6 bits, to 12 bits per half, and those to 6 per byte.
    Value halves = s.bitOr(s.bitAnd(run, s.i32(0xfff)), s.bitAnd(s.shl(run, 4), s.i32(0x0fff0000)));
    words.push_back(s.bitOr(s.bitAnd(halves, s.i32(0x003f003f)), s.bitAnd(s.shl(halves, 2), s.i32(0x3f003f00))));
  }
  return words;
}

Value tile::packNibbles(Emitter &emitter, Value low, Value high) {
  ScalarBuilder s(emitter.b);
  Value even = emitter.permuteBytes(low, high, 0x6420), odd = emitter.permuteBytes(low, high, 0x7531);
  return s.bitOr(even, s.shl(odd, 4));
}

SmallVector<Value> tile::packElements(Emitter &emitter, ArrayRef<Value> words, unsigned bits, unsigned count) {
  ScalarBuilder s(emitter.b);
  SmallVector<Value> chunks;
  if (bits == 4) {
    for (unsigned i = 0; i < count; i += 8)
      chunks.push_back(packNibbles(emitter, words[i / 4], i + 4 < count ? words[i / 4 + 1] : words[i / 4]));
    return chunks;
  }
  for (unsigned i = 0; i < count; i += 4) {
    Value word = words[i / 4];
    Value halves = s.bitOr(s.bitAnd(word, s.i32(0x003f003f)), s.bitAnd(s.lshr(word, 2), s.i32(0x0fc00fc0)));
    Value run = s.bitOr(s.bitAnd(halves, s.i32(0xfff)), s.bitAnd(s.lshr(halves, 4), s.i32(0x00fff000)));
    unsigned bit = i * 6;
    if (bit % 32 == 0) {
      chunks.push_back(run);
      continue;
    }
    chunks.back() = s.bitOr(chunks.back(), s.shl(run, bit % 32));
    if (bit % 32 + 24 > 32)
      chunks.push_back(s.lshr(run, 32 - bit % 32));
  }
  return chunks;
}

//===----------------------------------------------------------------------===//
// Words and fragments
//===----------------------------------------------------------------------===//

Value tile::codeWord(Emitter &emitter, const Fragment &fragment, unsigned first, unsigned count) {
  ScalarBuilder s(emitter.b);
  Type i32 = emitter.b.getI32Type();
  if (fragment.lanes == 4 && first % 4 + count <= 4) {
    Value word = s.bitcast(fragment.words[first / 4], i32);
    return first % 4 ? s.lshr(word, first % 4 * 8) : word;
  }
  Value word;
  for (unsigned i = 0; i < count; i += std::min(fragment.lanes, count)) {
    Value part = fragment.words[(first + i) / fragment.lanes];
    part = s.zext(s.bitcast(part, emitter.b.getIntegerType(8 * fragment.lanes)), i32);
    word = i ? s.bitOr(word, s.shl(part, 8 * i)) : part;
  }
  return word;
}

Fragment tile::fragmentOfCodes(Emitter &emitter, ArrayRef<SmallVector<Value>> runs, unsigned count, unsigned lanes) {
  ScalarBuilder s(emitter.b);
  Type four = VectorType::get({4}, emitter.b.getI8Type());
  Fragment result;
  result.lanes = lanes;
  SmallVector<Value> elements;
  for (ArrayRef<Value> run : runs)
    for (auto [i, word] : llvm::enumerate(run)) {
      Value bytes = s.bitcast(word, four);
      if (lanes == 4 && count % 4 == 0) {
        result.words.push_back(bytes);
        continue;
      }
      for (unsigned j = 0; j < std::min<unsigned>(4, count - 4 * i); ++j)
        elements.push_back(LLVM::ExtractElementOp::create(emitter.b, bytes, emitter.i32(j)));
    }
  return elements.empty() ? result : emitter.pack(elements, lanes);
}
