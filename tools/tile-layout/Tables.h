/// Layouts as tables of text, which both formats of the report print.
#ifndef TOOLS_TILE_LAYOUT_TABLES_H
#define TOOLS_TILE_LAYOUT_TABLES_H

#include "lib/Layout/ScaleLayout.h"
#include "tools/tile-layout/Survey.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mlir::tile {

/// Cells with labels. `note` says what was cut away, and is empty where nothing was.
struct Table {
  std::vector<std::string> columns, rows;
  std::vector<std::vector<std::string>> cells;
  std::string note;
  /// Aligned columns, each line after `indent`.
  void print(raw_ostream &os, StringRef indent) const;
};

/// Who holds each element: "T<lane>:<register> (w<warp>)", the first of several holders. Columns are the last
/// dimension, rows the others; a tile of one dimension is folded into lines. Cut to a window unless `full`.
[[nodiscard]] Table registerTable(const Layout &layout, bool full);

/// Where each element lies: "<byte offset> b<bank>", a column for every 16 bytes along the fastest dimension.
[[nodiscard]] Table sharedTable(const SharedLayout &layout, bool full);

/// The byte offset of each scale, rows by blocks.
[[nodiscard]] Table scaleTable(const ScaleMatrix &scales, bool full);

/// How the swizzle moves 16-byte units, as a formula of the row.
[[nodiscard]] std::string swizzleFormula(const SharedLayout &layout);
/// The scales of a view as a matrix; extents that are known at run time are taken as one tile of the interleaved order.
[[nodiscard]] ScaleMatrix scalesOf(MxViewType type);
/// "row_major", "mn_major", "interleaved_128x4".
[[nodiscard]] StringRef nameOf(ScaleOrder order);
/// "128x64xbf16".
[[nodiscard]] std::string describe(ArrayRef<int64_t> shape, Type element);
/// The attribute as a source would write it.
[[nodiscard]] std::string describe(Attribute attribute);

/// The whole report of one kernel or of the command line's layouts.
void printText(const KernelReport &report, bool full, raw_ostream &os);
/// All reports, as one JSON value.
void printJson(ArrayRef<KernelReport> reports, bool full, raw_ostream &os);
/// Scales given on the command line.
void printScales(const ScaleMatrix &scales, bool full, bool json, raw_ostream &os);

} // namespace mlir::tile

#endif
