#include "tools/tile-layout/Tables.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tile;

/// Rows and columns of a window.
static constexpr int64_t windowRows = 16, windowColumns = 8;

void Table::print(raw_ostream &os, StringRef indent) const {
  std::vector<size_t> widths(columns.size());
  size_t labels = 0;
  for (const std::string &row : rows)
    labels = std::max(labels, row.size());
  for (size_t c = 0; c < columns.size(); ++c) {
    widths[c] = columns[c].size();
    for (const auto &row : cells)
      widths[c] = std::max(widths[c], row[c].size());
  }
  auto line = [&](const std::string &label, const std::vector<std::string> &texts) {
    std::string text = label + std::string(labels - label.size(), ' ');
    for (size_t c = 0; c < texts.size(); ++c)
      text += "  " + texts[c] + std::string(widths[c] - texts[c].size(), ' ');
    os << indent << StringRef(text).rtrim() << "\n";
  };
  line("", columns);
  for (size_t r = 0; r < rows.size(); ++r)
    line(rows[r], cells[r]);
  if (!note.empty())
    os << indent << note << "\n";
}

/// "first 16 of 128 rows, 8 of 64 columns; --full has all", or nothing.
static std::string windowNote(int64_t rows, int64_t allRows, int64_t columns, int64_t allColumns,
                              StringRef columnName) {
  if (rows == allRows && columns == allColumns)
    return "";
  std::string text = "first ";
  if (rows < allRows)
    text += llvm::formatv("{0} of {1} rows", rows, allRows).str() + (columns < allColumns ? ", " : "");
  if (columns < allColumns)
    text += llvm::formatv("{0} of {1} {2}", columns, allColumns, columnName).str();
  return text + "; --full has all";
}

/// Row-major digits of `index`.
static SmallVector<int64_t> unflatten(int64_t index, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> result(extents.size());
  for (size_t i = extents.size(); i-- > 0; index /= extents[i])
    result[i] = index % extents[i];
  return result;
}

static int64_t product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

/// "5" or "1,5".
static std::string label(ArrayRef<int64_t> coordinates) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::interleaved(coordinates, ",");
  return text;
}

Table tile::registerTable(const Layout &layout, bool full) {
  Table table;
  bool isLine = layout.rank() == 1;
  ArrayRef<int64_t> extents = layout.extents();
  int64_t width = isLine ? std::min<int64_t>(extents[0], windowColumns) : extents.back();
  int64_t allRows = isLine ? extents[0] / width : product(extents.drop_back());
  int64_t columns = full ? width : std::min(width, windowColumns),
          rows = full ? allRows : std::min(allRows, windowRows);
  for (int64_t c = 0; c < columns; ++c)
    table.columns.push_back((isLine ? "+" : "") + std::to_string(c));
  for (int64_t r = 0; r < rows; ++r) {
    SmallVector<int64_t> position = isLine ? SmallVector<int64_t>{r * width} : unflatten(r, extents.drop_back());
    table.rows.push_back(label(position));
    if (!isLine)
      position.push_back(0);
    std::vector<std::string> &cells = table.cells.emplace_back();
    for (int64_t c = 0; c < columns; ++c) {
      std::optional<Holder> holder = layout.find(position);
      cells.push_back(holder ? llvm::formatv("T{0}:{1} (w{2})", holder->lane, holder->reg, holder->warp).str() : "-");
      ++position.back();
    }
  }
  table.note = windowNote(rows, allRows, columns, width, "columns");
  return table;
}

Table tile::sharedTable(const SharedLayout &layout, bool full) {
  Table table;
  unsigned fastest = layout.order().front();
  int64_t step = std::max<int64_t>(1, 16 / layout.elementBytes());
  int64_t units = (layout.extents()[fastest] + step - 1) / step;
  int64_t columns = full ? units : std::min(units, windowColumns);
  int64_t rows = full ? layout.numRows() : std::min(layout.numRows(), windowRows);
  for (int64_t c = 0; c < columns; ++c)
    table.columns.push_back(std::to_string(c * step));
  for (int64_t r = 0; r < rows; ++r) {
    // Rows count the other dimensions in `order`.
    SmallVector<int64_t> position(layout.rank()), others;
    int64_t rest = r;
    for (unsigned dim : layout.order().drop_front()) {
      position[dim] = rest % layout.extents()[dim];
      rest /= layout.extents()[dim];
    }
    for (unsigned dim = 0; dim < layout.rank(); ++dim)
      if (dim != fastest)
        others.push_back(position[dim]);
    table.rows.push_back(label(others));
    std::vector<std::string> &cells = table.cells.emplace_back();
    for (int64_t c = 0; c < columns; ++c) {
      position[fastest] = c * step;
      int64_t offset = layout.offset(position);
      cells.push_back(llvm::formatv("{0} b{1}", offset, offset / 4 % 32));
    }
  }
  table.note = windowNote(rows, layout.numRows(), columns, units, "columns");
  return table;
}

Table tile::scaleTable(const ScaleMatrix &scales, bool full) {
  Table table;
  int64_t columns = full ? scales.blocks() : std::min(scales.blocks(), windowColumns);
  int64_t rows = full ? scales.rows() : std::min(scales.rows(), windowRows);
  // The interleaved order shows itself at rows 32 and 128 only, so they are shown rather than the next ones.
  SmallVector<int64_t> shown;
  for (int64_t row = 0; row < rows; ++row)
    shown.push_back(row);
  bool picked = !full && scales.order() == ScaleOrder::Interleaved128x4 && scales.rows() > windowRows;
  if (picked) {
    shown.clear();
    for (int64_t row : {0, 1, 2, 3, 31, 32, 33, 63, 64, 96, 127, 128, 129, 160, 255, 256})
      if (row < scales.rows())
        shown.push_back(row);
  }
  for (int64_t block = 0; block < columns; ++block)
    table.columns.push_back(std::to_string(block));
  for (int64_t row : shown) {
    table.rows.push_back(std::to_string(row));
    std::vector<std::string> &cells = table.cells.emplace_back();
    for (int64_t block = 0; block < columns; ++block)
      cells.push_back(std::to_string(scales.offset(row, block)));
  }
  table.note = windowNote(shown.size(), scales.rows(), columns, scales.blocks(), "blocks");
  if (picked)
    table.note = llvm::formatv(
        "some of {0} rows{1}; --full has all", scales.rows(),
        columns < scales.blocks() ? llvm::formatv(", first {0} of {1} blocks", columns, scales.blocks()).str() : "");
  return table;
}

std::string tile::swizzleFormula(const SharedLayout &layout) {
  if (layout.swizzleBytes() <= 16)
    return "";
  // Offset bits 7 and up of a slab count 128 bytes, that is 128 / W rows; so many of them are XORed as a row has units.
  unsigned units = layout.swizzleBytes() / 16, rowsPerStep = 128 / layout.swizzleBytes();
  std::string row = rowsPerStep == 1 ? "row" : "row / " + std::to_string(rowsPerStep);
  return "16-byte unit u of a row lies at unit u ^ (" + row + " % " + std::to_string(units) + ") of its slab";
}

StringRef tile::nameOf(ScaleOrder order) {
  switch (order) {
  case ScaleOrder::RowMajor:
    return "row_major";
  case ScaleOrder::MNMajor:
    return "mn_major";
  case ScaleOrder::Interleaved128x4:
    break;
  }
  return "interleaved_128x4";
}

ScaleMatrix tile::scalesOf(MxViewType type) {
  int64_t rows = 1, blocks = 1;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    bool isBlocked = dim == type.getAxis();
    int64_t known = !ShapedType::isDynamic(extent) ? extent
                    : isBlocked                    ? ScaleMatrix::tileBlocks * type.getBlock()
                                                   : ScaleMatrix::tileRows;
    if (isBlocked)
      blocks = (known + type.getBlock() - 1) / type.getBlock();
    else
      rows *= known;
  }
  return *ScaleMatrix::create(static_cast<ScaleOrder>(type.getScales()), rows, blocks);
}

std::string tile::describe(ArrayRef<int64_t> shape, Type element) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t extent : shape)
    stream << (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) << "x";
  stream << element;
  return text;
}

std::string tile::describe(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static std::string plural(uint64_t count, StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

/// ", first at gemm.mlir:20:10 (tile.load), 4 values".
static std::string origin(StringRef place, StringRef op, unsigned uses) {
  if (op.empty())
    return "";
  return ", first at " + (place.empty() ? "an unknown place" : place.str()) + " (" + op.str() + "), " +
         plural(uses, "value");
}

/// "4 (4)", or one decimal where requests differ.
static std::string perRequest(uint64_t value, uint64_t least, uint64_t requests) {
  auto one = [&](uint64_t sum) {
    return sum % requests == 0 ? std::to_string(sum / requests) : llvm::formatv("{0:f1}", double(sum) / requests).str();
  };
  return one(value) + " (" + one(least) + ")";
}

static void printAccesses(const KernelReport &report, raw_ostream &os) {
  os << "\naccesses: wavefronts and sectors of one request, in parentheses the least for its bytes\n";
  for (const AccessEntry &entry : report.accesses) {
    const Access &access = entry.access;
    os << "\n  " << entry.op << (entry.place.empty() ? "" : " at " + entry.place);
    if (entry.uses > 1)
      os << " and " << plural(entry.uses - 1, "other");
    if (entry.otherTile >= 0)
      os << ", layout " << entry.otherTile << " to";
    if (entry.tile >= 0)
      os << (entry.otherTile >= 0 ? "" : ",") << " layout " << entry.tile;
    if (entry.buffer >= 0)
      os << ", buffer " << entry.buffer;
    os << "\n";
    Table table;
    table.columns = {"instruction", "vector", "per thread"};
    std::vector<std::string> cells = {access.instruction,
                                      access.vectorBytes ? plural(access.vectorBytes, "byte") : std::string("-"),
                                      std::to_string(access.perThread)};
    if (access.shared && access.shared->requests) {
      table.columns.push_back("wavefronts");
      cells.push_back(perRequest(access.shared->wavefronts, access.shared->least, access.shared->requests));
    }
    if (access.global && access.global->requests) {
      table.columns.insert(table.columns.end(), {"sectors", "bytes wasted"});
      cells.push_back(perRequest(access.global->sectors, access.global->least, access.global->requests));
      cells.push_back(llvm::formatv("{0} of {1}", access.global->wasted, 32 * access.global->sectors));
    }
    table.rows.push_back("");
    table.cells.push_back(cells);
    table.print(os, "  ");
    os << "    " << access.verdict << "\n";
  }
}

void tile::printText(const KernelReport &report, bool full, raw_ostream &os) {
  // A blank line before each section but the first.
  StringRef gap = "";
  auto begin = [&]() -> raw_ostream & {
    os << gap;
    gap = "\n";
    return os;
  };
  if (!report.name.empty())
    begin() << "kernel @" << report.name << " for " << report.target << ", " << plural(report.warps, "warp") << "\n";
  for (auto [i, entry] : llvm::enumerate(report.tiles)) {
    Layout layout = entry.type.distribution();
    begin() << "layout " << i << ": " << describe(entry.type.getShape(), entry.type.getElementType())
            << origin(entry.place, entry.op, entry.uses) << "\n  " << describe(entry.type.getLayout()) << "\n  "
            << plural(layout.numRegisters(), "element") << " per thread, " << plural(layout.numWarps(), "warp");
    if (layout.replication() > 1)
      os << ", " << layout.replication() << " holders of each, the first is shown";
    os << "\n";
    registerTable(layout, full).print(os, "  ");
  }
  for (auto [i, entry] : llvm::enumerate(report.buffers)) {
    SharedLayout layout = entry.type.memory();
    begin() << "buffer " << i << ": " << describe(entry.type.getShape(), entry.type.getElementType())
            << origin(entry.place, entry.op, entry.uses) << "\n  " << describe(entry.type.getSwizzle()) << "\n  "
            << plural(layout.sizeBytes(), "byte") << ", aligned to " << layout.alignment() << "; "
            << plural(layout.numSlabs(), "slab") << " of " << plural(layout.numRows(), "row") << ", "
            << layout.rowPitch() << " bytes apart\n";
    if (std::string formula = swizzleFormula(layout); !formula.empty())
      os << "  " << formula << "\n";
    os << "  byte offset and bank, from row and position along dimension " << layout.order().front() << ":\n";
    sharedTable(layout, full).print(os, "  ");
  }
  for (const ScaleEntry &entry : report.scales) {
    begin() << "scales of " << entry.name << (entry.place.empty() ? "" : " at " + entry.place) << ": ";
    printScales(scalesOf(entry.type), full, /*json=*/false, os);
  }
  if (!report.accesses.empty())
    printAccesses(report, os);
}
