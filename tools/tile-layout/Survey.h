/// What tile-layout reports: the layouts and memory ops of planned kernels, each distinct one once.
#ifndef TOOLS_TILE_LAYOUT_SURVEY_H
#define TOOLS_TILE_LAYOUT_SURVEY_H

#include "tools/tile-layout/Accesses.h"
#include <vector>

namespace mlir::tile {

/// A tile layout; `type` is the first tile that has it.
struct TileEntry {
  TileType type;
  /// Of the first value, "gemm.mlir:20:10", and the op that makes it; empty for layouts from the command line.
  std::string place, op;
  /// How many values have it.
  unsigned uses = 0;
};

/// A layout of a shared buffer; `type` is the first buffer that has it.
struct BufferEntry {
  SharedType type;
  std::string place, op;
  unsigned uses = 0;
};

/// Ops that cost the same on the same layouts.
struct AccessEntry {
  std::string place, op;
  /// Indices into the tiles and buffers of the report; negative where there is none.
  int tile = -1, otherTile = -1, buffer = -1;
  unsigned uses = 0;
  Access access;
};

/// Microscaled views that kernels take as arguments.
struct ScaleEntry {
  std::string place, name;
  MxViewType type;
};

/// One kernel, or what the command line gave.
struct KernelReport {
  std::string name, target;
  unsigned warps = 0;
  std::vector<TileEntry> tiles;
  std::vector<BufferEntry> buffers;
  std::vector<AccessEntry> accesses;
  std::vector<ScaleEntry> scales;

  /// The index of a tile's layout, which is added if it is new.
  int addTile(TileType type, const std::string &place, StringRef op);
  /// The index of a buffer's layout, which is added if it is new.
  int addBuffer(SharedType type, const std::string &place, StringRef op);
  /// Adds an op, or counts it with one that costs the same on the same layouts.
  void addAccess(AccessEntry entry);
};

/// Describes one kernel of a module that has been planned for `target`.
[[nodiscard]] KernelReport surveyKernel(KernelOp kernel, const Target &target);

} // namespace mlir::tile

#endif
