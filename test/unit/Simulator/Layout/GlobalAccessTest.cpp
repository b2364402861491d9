/// What lib/Layout says of global memory against the simulated device: distinct sectors of every load and store of a
/// distributed tile.
#include "test/unit/Simulator/Layout/PlanKernel.h"

#include <random>

using namespace mlir::tile;
using llvm::SmallVector;
using tilec::sim::PlanKernel;

/// The tile at an offset of a row-major tensor with so many bytes from row to row: each thread moves its registers in
/// vectors as far as the layout's contiguity and the alignment allow. Dead positions are masked.
static void checkTile(const Layout &layout, unsigned elementBytes, int64_t pitch, int64_t begin) {
  SCOPED_TRACE(layout.str() + " pitch " + std::to_string(pitch) + " begin " + std::to_string(begin));
  unsigned vector = std::max(1u, std::min(layout.contiguity(layout.rank() - 1), 16 / elementBytes));
  while (vector > 1 && (pitch % (vector * elementBytes) || begin % (vector * elementBytes)))
    vector /= 2;
  PlanKernel kernel(layout.numWarps(), 16, /*check=*/false);
  // Cells up to a multiple of their alignment, as memory of the tensor.
  uint64_t tensor = kernel.newCells();
  while (kernel.newCells() < tensor + static_cast<uint64_t>(pitch * layout.paddedExtent(0) + begin)) {
  }
  for (unsigned reg = 0; reg < layout.numRegisters(); reg += vector) {
    PlanKernel::Addresses offsets;
    for (unsigned thread = 0; thread < kernel.threads; ++thread) {
      SmallVector<int64_t> position = layout.coordinates(reg, thread % 32, thread / 32);
      int64_t row = layout.rank() == 1 ? 0 : position[0];
      offsets.push_back(layout.isLive(position)
                            ? static_cast<int64_t>(tensor) + begin + row * pitch + position.back() * elementBytes
                            : -1);
    }
    kernel.accessGlobal(/*isStore=*/false, offsets, vector * elementBytes);
    kernel.accessGlobal(/*isStore=*/true, offsets, vector * elementBytes);
  }
  EXPECT_EQ(kernel.run(), "");
}

TEST(SimulatedGlobalAccess, sectors_of_tiles) {
  for (unsigned bytes : {1, 2, 4, 8})
    for (int64_t rows : {16, 24})
      for (int64_t columns : {32, 48, 176})
        for (unsigned warps : {1, 2})
          for (bool across : {false, true}) {
            SmallVector<unsigned> order = {across ? 0u : 1u, across ? 1u : 0u};
            Layout layout = Layout::coalesced({rows, columns}, order, bytes * 8, warps);
            int64_t row = columns * bytes;
            checkTile(layout, bytes, row, 0);
            checkTile(layout, bytes, row + 32 * bytes, 4 * bytes);
            checkTile(layout, bytes, row + bytes, bytes);
          }
}

TEST(SimulatedGlobalAccess, sectors_of_addresses_at_random) {
  std::mt19937 random(3);
  for (unsigned size : {1, 2, 4, 8, 16})
    for (unsigned range : {64, 512, 8192}) {
      PlanKernel kernel(2, 16, /*check=*/false);
      uint64_t begin = kernel.newCells();
      while (kernel.newCells() < begin + range) {
      }
      for (unsigned i = 0; i < 12; ++i) {
        PlanKernel::Addresses offsets;
        for (unsigned thread = 0; thread < kernel.threads; ++thread)
          offsets.push_back(random() % 4 == 0 ? -1 : static_cast<int64_t>(begin + random() % (range / size) * size));
        kernel.accessGlobal(/*isStore=*/i % 2 == 1, offsets, size);
      }
      EXPECT_EQ(kernel.run(), "");
    }
}
