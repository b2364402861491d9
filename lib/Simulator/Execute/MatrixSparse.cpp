/// Which bits of which lane tell the places of what a sparse row keeps: the metadata figures of the PTX ISA ("Matrix
/// fragments for multiply-accumulate operation with sparse matrix A", also those of wgmma).
#include "lib/Simulator/Execute/MatrixFragment.h"

using namespace tilec;
using namespace tilec::sim;

namespace {
/// Where the nibble of a chunk of a row is.
struct MetadataPlace {
  unsigned lane, shift;
};
} // namespace

/// Rows i and i + 8 share a quad. With 4 chunks in a row one thread holds both rows, with 8 a pair of threads does,
/// with 16 all four. Of 16-bit and 32-bit elements a register holds 4 chunks of row i in its low half and 4 of row i +
/// 8 in its high half; of narrower elements 8 chunks of one row.
static MetadataPlace metadataPlace(const MatrixProduct &p, unsigned selector, unsigned row, unsigned chunk) {
  unsigned quad = row % 8 * 4, upper = row / 8, chunks = p.k / p.chunk();
  if (chunks == 4)
    return {quad + selector, 16 * upper + 4 * chunk};
  if (p.bits >= 16)
    return {quad + 2 * selector + chunk / 4, 16 * upper + 4 * (chunk % 4)};
  return {quad + 2 * selector + upper + 2 * (chunk / 8), 4 * (chunk % 8)};
}

void tilec::sim::decodeMetadata(Execution &x, const Operation &op, const MatrixProduct &p, const uint32_t *words,
                                unsigned selector, bool ordered, SparseColumns &columns) {
  for (unsigned i = 0; i < p.m; ++i)
    for (unsigned chunk = 0; chunk < p.k / p.chunk(); ++chunk) {
      MetadataPlace place = metadataPlace(p, selector, i, chunk);
      unsigned nibble = words[place.lane] >> place.shift & 15;
      if (!decodeChunk(p, i, chunk, nibble, ordered, columns))
        x.report(FindingKind::InvalidOperand, op, place.lane,
                 std::string("sparsity metadata 0x") + "0123456789abcdef"[nibble] + " of row " + std::to_string(i) +
                     ", chunk " + std::to_string(chunk) + " has no meaning",
                 {ordered ? "indices must differ and ascend" : "indices must differ"});
    }
}
