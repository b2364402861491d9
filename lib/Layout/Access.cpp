/// Counting by enumeration: at most 32 lanes of 16 bytes.
#include "lib/Layout/Access.h"
#include <algorithm>
#include <set>

using namespace mlir::tile;

unsigned mlir::tile::bankWavefronts(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane) {
  unsigned lanesAtOnce = bytesPerLane <= 4 ? 32 : 128 / bytesPerLane, total = 0;
  for (unsigned first = 0; first < laneByteAddresses.size(); first += lanesAtOnce) {
    std::set<int64_t> words;
    for (int64_t address : laneByteAddresses.slice(first).take_front(lanesAtOnce))
      if (address >= 0)
        for (int64_t word = address / 4; word <= (address + bytesPerLane - 1) / 4; ++word)
          words.insert(word);
    unsigned perBank[32] = {}, worst = 0;
    for (int64_t word : words)
      worst = std::max(worst, ++perBank[word % 32]);
    total += worst;
  }
  return total;
}

unsigned mlir::tile::globalSectors(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane) {
  std::set<int64_t> sectors;
  for (int64_t address : laneByteAddresses)
    if (address >= 0)
      for (int64_t sector = address / 32; sector <= (address + bytesPerLane - 1) / 32; ++sector)
        sectors.insert(sector);
  return sectors.size();
}
