#include "lib/Layout/ScaleLayout.h"

using namespace mlir::tile;

static int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

std::optional<ScaleMatrix> ScaleMatrix::create(ScaleOrder order, int64_t rows, int64_t blocks, std::string *why) {
  constexpr int64_t most = int64_t(1) << 31;
  if (rows >= 1 && rows <= most && blocks >= 1 && blocks <= most)
    return ScaleMatrix(order, rows, blocks);
  if (why)
    *why = "expected 1 to 2147483648 rows and blocks, found " + std::to_string(rows) + "x" + std::to_string(blocks);
  return std::nullopt;
}

int64_t ScaleMatrix::paddedRows() const {
  return scaleOrder == ScaleOrder::Interleaved128x4 ? roundUp(numRows, tileRows) : numRows;
}

int64_t ScaleMatrix::paddedBlocks() const {
  return scaleOrder == ScaleOrder::Interleaved128x4 ? roundUp(numBlocks, tileBlocks) : numBlocks;
}

int64_t ScaleMatrix::offset(int64_t row, int64_t block) const {
  switch (scaleOrder) {
  case ScaleOrder::RowMajor:
    return row * numBlocks + block;
  case ScaleOrder::MNMajor:
    return block * numRows + row;
  case ScaleOrder::Interleaved128x4:
    break;
  }
  int64_t tile = row / tileRows * (paddedBlocks() / tileBlocks) + block / tileBlocks;
  // Rows 32 apart share 16 bytes, so that one 16-byte line feeds the four quarters of 128 rows.
  return tile * tileBytes + row % 32 * 16 + row / 32 % 4 * 4 + block % tileBlocks;
}

std::pair<int64_t, int64_t> ScaleMatrix::position(int64_t offset) const {
  switch (scaleOrder) {
  case ScaleOrder::RowMajor:
    return {offset / numBlocks, offset % numBlocks};
  case ScaleOrder::MNMajor:
    return {offset % numRows, offset / numRows};
  case ScaleOrder::Interleaved128x4:
    break;
  }
  int64_t tilesPerRow = paddedBlocks() / tileBlocks, tile = offset / tileBytes, in = offset % tileBytes;
  return {tile / tilesPerRow * tileRows + in / 4 % 4 * 32 + in / 16, tile % tilesPerRow * tileBlocks + in % 4};
}
