/// Where the scale of each block lies in memory.
///
/// A matrix of R rows whose K is cut into blocks of 32 or 16 elements has R x B scales of one byte, B blocks to a row.
/// Three orders are in use:
///     row major           offset = row · B + block
///     M or N major        offset = block · R + row
///     interleaved 128x4   tiles of 128 rows by 4 blocks, 512 bytes each, one after the other along K and then along
///     the rows;
///                         in a tile: (row % 32) · 16 + (row / 32 % 4) · 4 + block % 4
/// The last is what matrix instructions with block scales and the vendor's libraries take (cuBLAS documentation, "1D
/// Block Scaling Factors Layout"). R is padded to a multiple of 128 there and B to one of 4; the padding belongs to the
/// buffer, and who fills the buffer writes it too, since an uninitialised scale may be a NaN.
///
/// Example: 256 x 8 scales, interleaved; row 165, block 6. Tile (165 / 128) · (8 / 4) + 6 / 4 = 3 begins at 1536; in it
/// row 37 and block 2: (37 % 32) · 16 + (37 / 32) · 4 + 2 = 86. Offset 1622.
#ifndef TILEC_LAYOUT_SCALELAYOUT_H
#define TILEC_LAYOUT_SCALELAYOUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mlir::tile {

/// The order of block scales; the same cases as the dialect's `scales` clause.
enum class ScaleOrder { RowMajor, MNMajor, Interleaved128x4 };

/// An immutable map from (row, block) to the byte offset of that block's scale.
class ScaleMatrix {
public:
  /// Rows and blocks of one tile of the interleaved order, and its bytes.
  static constexpr int64_t tileRows = 128, tileBlocks = 4, tileBytes = tileRows * tileBlocks;

  /// `rows` x `blocks` scales, each count at least 1 and at most 2^31. Nothing and the reason in `why` otherwise.
  [[nodiscard]] static std::optional<ScaleMatrix> create(ScaleOrder order, int64_t rows, int64_t blocks,
                                                         std::string *why = nullptr);

  [[nodiscard]] ScaleOrder order() const { return scaleOrder; }
  [[nodiscard]] int64_t rows() const { return numRows; }
  [[nodiscard]] int64_t blocks() const { return numBlocks; }
  /// Rows that the buffer has room for: a multiple of 128 where interleaved.
  [[nodiscard]] int64_t paddedRows() const;
  /// Blocks of a row that the buffer has room for: a multiple of 4 where interleaved.
  [[nodiscard]] int64_t paddedBlocks() const;
  /// Bytes of the buffer.
  [[nodiscard]] int64_t sizeBytes() const { return paddedRows() * paddedBlocks(); }

  /// The byte offset of a scale, inside the padded counts.
  [[nodiscard]] int64_t offset(int64_t row, int64_t block) const;
  /// The (row, block) whose scale is at a byte offset of the buffer; it may be padding.
  [[nodiscard]] std::pair<int64_t, int64_t> position(int64_t offset) const;
  /// Whether (row, block) has a scale, rather than being padding.
  [[nodiscard]] bool isLive(int64_t row, int64_t block) const { return row < numRows && block < numBlocks; }

private:
  ScaleMatrix(ScaleOrder order, int64_t rows, int64_t blocks) : scaleOrder(order), numRows(rows), numBlocks(blocks) {}
  ScaleOrder scaleOrder;
  int64_t numRows, numBlocks;
};

} // namespace mlir::tile
#endif // TILEC_LAYOUT_SCALELAYOUT_H
