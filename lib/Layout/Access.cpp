/// Counting by enumeration: at most 32 lanes of 16 bytes.
#include "lib/Layout/Access.h"
#include <algorithm>
#include <set>

using namespace mlir::tile;

/// Sums what `cost` says of the distinct words of each group of lanes that shared memory serves together.
template <typename Cost>
static unsigned sumOverGroups(mlir::ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane, Cost cost) {
  unsigned lanesAtOnce = bytesPerLane <= 4 ? 32 : 128 / bytesPerLane, total = 0;
  for (unsigned first = 0; first < laneByteAddresses.size(); first += lanesAtOnce) {
    std::set<int64_t> words;
    for (int64_t address : laneByteAddresses.slice(first).take_front(lanesAtOnce))
      if (address >= 0)
        for (int64_t word = address / 4; word <= (address + bytesPerLane - 1) / 4; ++word)
          words.insert(word);
    total += cost(words);
  }
  return total;
}

unsigned mlir::tile::bankWavefronts(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane) {
  return sumOverGroups(laneByteAddresses, bytesPerLane, [](const std::set<int64_t> &words) {
    unsigned perBank[32] = {}, worst = 0;
    for (int64_t word : words)
      worst = std::max(worst, ++perBank[word % 32]);
    return worst;
  });
}

unsigned mlir::tile::leastBankWavefronts(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane) {
  return sumOverGroups(laneByteAddresses, bytesPerLane,
                       [](const std::set<int64_t> &words) { return unsigned((words.size() + 31) / 32); });
}

unsigned mlir::tile::globalSectors(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane) {
  std::set<int64_t> sectors;
  for (int64_t address : laneByteAddresses)
    if (address >= 0)
      for (int64_t sector = address / 32; sector <= (address + bytesPerLane - 1) / 32; ++sector)
        sectors.insert(sector);
  return sectors.size();
}

unsigned mlir::tile::distinctBytes(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane) {
  std::set<int64_t> bytes;
  for (int64_t address : laneByteAddresses)
    if (address >= 0)
      for (unsigned i = 0; i < bytesPerLane; ++i)
        bytes.insert(address + i);
  return bytes.size();
}
