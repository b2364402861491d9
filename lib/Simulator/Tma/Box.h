/// Which bytes a tensor copy moves: the box that a tensor map and an instruction's coordinates name, as pieces that are
/// contiguous on both sides. Pure functions over numbers, so that they can be tested against brute force.
///
/// In shared memory a box is dense: elements along the innermost dimension first, then the next dimension, and so on.
/// A swizzle permutes chunks inside 128-byte lines; it acts on the bits of the shared *address*, so where the pattern
/// begins depends on the address alone and not on where the box begins.
///
/// Sources: PTX ISA, "Tensors" (tiled mode, im2col mode, im2col::w modes, swizzling modes), `cp.async.bulk.tensor`.
#ifndef TILEC_LIB_SIMULATOR_TMA_BOX_H
#define TILEC_LIB_SIMULATOR_TMA_BOX_H

#include "lib/Simulator/Tma/TensorMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilec::sim {

/// How an instruction walks the tensor: its load_mode.
enum class BoxMode : uint8_t { Tile, Gather4, Scatter4, Im2col, Im2colNoOffsets, Im2colW, Im2colW128 };
/// "tile", "tile::gather4", …
const char *boxModeName(BoxMode mode);

/// What an instruction says beside the map.
struct BoxRequest {
  BoxMode mode = BoxMode::Tile;
  /// The number in `.1d` … `.5d`.
  unsigned rank = 1;
  /// Innermost first; for gather4 and scatter4 a column and four rows.
  int32_t coordinates[5] = {0, 0, 0, 0, 0};
  /// Im2col: offsets along W, H, D. Im2colW and Im2colW128: wHalo and wOffset.
  uint16_t offsets[3] = {0, 0, 0};
  /// Whether the box is written to the tensor. An H200 writes whole units of 16 bytes then: what follows a row's last
  /// element in its unit is inside.
  bool store = false;
};

/// Bytes that are contiguous in shared memory and, where they are inside the tensor, in global memory.
struct BoxPiece {
  /// Where they lie in global memory; of no meaning where `inside` is not set.
  uint64_t global = 0;
  /// Offset from the first byte of the box, of the place after swizzling.
  int32_t shared = 0;
  uint32_t bytes = 0;
  /// Whether the bytes belong to elements of the tensor; if not, a load fills them and a store leaves them.
  bool inside = false;
};

/// A box, cut into pieces that stay whole.
struct Box {
  /// In the order in which the box lies in shared memory before swizzling.
  std::vector<BoxPiece> pieces;
  /// Bytes that the box takes in shared memory: what a load counts towards its mbarrier.
  uint32_t bytes = 0;
};

/// The address at which a byte lies that belongs at `address` without swizzling.
/// Worked example: with B128, byte 0 of line 3 (address 384) goes to 384 ^ (3 << 4) = 432.
uint64_t swizzleAddress(TensorSwizzle swizzle, uint64_t address);
/// The size of the chunks that stay whole.
unsigned swizzleAtom(TensorSwizzle swizzle);

/// The box of a legal map (see checkFields) at `sharedAddress`. Returns why the instruction and the map do not go
/// together, or an empty text.
std::string enumerateBox(const TensorFields &map, const BoxRequest &request, uint64_t sharedAddress, Box &box);

/// Why the simulator does not know what this map does in a copy (layouts of which the ISA says too little), or empty.
std::string unknownLayout(const TensorFields &map, const BoxRequest &request);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_TMA_BOX_H
