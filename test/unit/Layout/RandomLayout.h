/// Random well-formed layouts for law tests.
#ifndef TILEC_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H
#define TILEC_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H

#include "lib/Layout/Layout.h"
#include <algorithm>
#include <random>

namespace mlir::tile {

/// All bits of a tile dealt at random to registers, lanes and warps, mixed by random XORs when `mix`, with random odd
/// digits when `odd`; lanes and warps without a bit replicate. Deterministic for a generator state.
inline Layout randomLayout(std::mt19937 &random, unsigned rank, bool odd, bool mix, unsigned warpBits = 2) {
  auto pick = [&](unsigned n) { return unsigned(random() % n); };
  for (;;) {
    std::vector<Basis> bits;
    SmallVector<int64_t> extents;
    SmallVector<Digit> digits;
    for (unsigned dim = 0; dim < rank; ++dim) {
      unsigned dimBits = (odd ? 3 : 0) + pick(rank == 1 ? (odd ? 4 : 7) : rank == 2 && !odd ? 4 : 2);
      for (unsigned i = 0; i < dimBits; ++i) {
        Basis basis(rank, 0);
        basis[dim] = 1 << i;
        bits.push_back(basis);
      }
      int64_t extent = int64_t(1) << dimBits;
      if (odd && pick(2)) {
        unsigned digit = 3 + 2 * pick(2);
        digits.push_back({int(dim), digit, pick(3) ? Place::Register : Place::Warp});
        extent *= digit;
        if (pick(3) == 0 && extent > 8)
          extent -= 8; // dead positions
      }
      extents.push_back(extent);
    }
    std::shuffle(bits.begin(), bits.end(), random);
    if (mix)
      for (unsigned i = 0; i < bits.size(); ++i)
        for (unsigned dim = 0, j = pick(bits.size()); j != i && dim < rank && pick(2); ++dim)
          bits[i][dim] ^= bits[j][dim];
    SmallVector<Basis> places[3];
    unsigned room[3] = {16, 5, warpBits};
    for (const Basis &basis : bits) {
      unsigned place = pick(3);
      if (places[place].size() == room[place])
        place = 0;
      places[place].push_back(basis);
    }
    for (unsigned place : {1u, 2u}) {
      places[place].resize(room[place], Basis(rank, 0));
      std::shuffle(places[place].begin(), places[place].end(), random);
    }
    if (auto layout = Layout::create(extents, places[0], places[1], places[2], digits))
      return *layout;
  }
}

} // namespace mlir::tile
#endif // TILEC_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H
