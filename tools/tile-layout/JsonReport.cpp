#include "tools/tile-layout/Tables.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::tile;

namespace json = llvm::json;

static json::Array strings(const std::vector<std::string> &texts) {
  json::Array result;
  for (const std::string &text : texts)
    result.push_back(text);
  return result;
}

static json::Object toJson(const Table &table) {
  json::Array cells;
  for (const std::vector<std::string> &row : table.cells)
    cells.push_back(strings(row));
  return json::Object{{"columns", strings(table.columns)},
                      {"rows", strings(table.rows)},
                      {"cells", std::move(cells)},
                      {"cut", !table.note.empty()}};
}

static json::Array numbers(ArrayRef<int64_t> values) {
  json::Array result;
  for (int64_t value : values)
    result.push_back(value);
  return result;
}

static json::Object toJson(const ScaleMatrix &scales, bool full) {
  return json::Object{{"order", nameOf(scales.order())},
                      {"rows", scales.rows()},
                      {"blocks", scales.blocks()},
                      {"padded_rows", scales.paddedRows()},
                      {"padded_blocks", scales.paddedBlocks()},
                      {"bytes", scales.sizeBytes()},
                      {"table", toJson(scaleTable(scales, full))}};
}

static json::Object toJson(const AccessEntry &entry) {
  const Access &access = entry.access;
  json::Object result{{"op", entry.op},
                      {"at", entry.place},
                      {"uses", entry.uses},
                      {"instruction", access.instruction},
                      {"vector_bytes", access.vectorBytes},
                      {"vector_elements", access.vectorElements},
                      {"per_thread", access.perThread},
                      {"verdict", access.verdict}};
  if (entry.otherTile >= 0)
    result["from_layout"] = entry.otherTile;
  if (entry.tile >= 0)
    result["layout"] = entry.tile;
  if (entry.buffer >= 0)
    result["buffer"] = entry.buffer;
  if (access.shared)
    result["shared"] = json::Object{{"requests", access.shared->requests},
                                    {"wavefronts", access.shared->wavefronts},
                                    {"least_wavefronts", access.shared->least}};
  if (access.global)
    result["global"] = json::Object{{"requests", access.global->requests},
                                    {"sectors", access.global->sectors},
                                    {"least_sectors", access.global->least},
                                    {"wasted_bytes", access.global->wasted}};
  return result;
}

static json::Object toJson(const KernelReport &report, bool full) {
  json::Array tiles, buffers, accesses, scales;
  for (const TileEntry &entry : report.tiles) {
    Layout layout = entry.type.distribution();
    tiles.push_back(json::Object{{"type", describe(entry.type.getShape(), entry.type.getElementType())},
                                 {"layout", describe(entry.type.getLayout())},
                                 {"at", entry.place},
                                 {"op", entry.op},
                                 {"uses", entry.uses},
                                 {"elements_per_thread", layout.numRegisters()},
                                 {"warps", layout.numWarps()},
                                 {"replication", layout.replication()},
                                 {"padded", numbers(layout.paddedExtents())},
                                 {"table", toJson(registerTable(layout, full))}});
  }
  for (const BufferEntry &entry : report.buffers) {
    SharedLayout layout = entry.type.memory();
    buffers.push_back(json::Object{{"type", describe(entry.type.getShape(), entry.type.getElementType())},
                                   {"layout", describe(entry.type.getSwizzle())},
                                   {"at", entry.place},
                                   {"op", entry.op},
                                   {"uses", entry.uses},
                                   {"bytes", layout.sizeBytes()},
                                   {"alignment", layout.alignment()},
                                   {"slabs", layout.numSlabs()},
                                   {"row_pitch", layout.rowPitch()},
                                   {"table", toJson(sharedTable(layout, full))}});
  }
  for (const AccessEntry &entry : report.accesses)
    accesses.push_back(toJson(entry));
  for (const ScaleEntry &entry : report.scales) {
    json::Object one = toJson(scalesOf(entry.type), full);
    one["of"] = entry.name;
    one["at"] = entry.place;
    scales.push_back(std::move(one));
  }
  return json::Object{{"kernel", report.name},       {"target", report.target},       {"warps", report.warps},
                      {"layouts", std::move(tiles)}, {"buffers", std::move(buffers)}, {"accesses", std::move(accesses)},
                      {"scales", std::move(scales)}};
}

void tile::printJson(ArrayRef<KernelReport> reports, bool full, raw_ostream &os) {
  json::Array kernels;
  for (const KernelReport &report : reports)
    kernels.push_back(toJson(report, full));
  json::Value whole = json::Object{{"kernels", std::move(kernels)}};
  os << llvm::formatv("{0:2}", whole) << "\n";
}

void tile::printScales(const ScaleMatrix &scales, bool full, bool json, raw_ostream &os) {
  if (json) {
    json::Value whole = json::Object{{"scales", toJson(scales, full)}};
    os << llvm::formatv("{0:2}", whole) << "\n";
    return;
  }
  os << nameOf(scales.order()) << ", " << scales.rows() << " rows of " << scales.blocks() << " blocks\n  "
     << scales.sizeBytes() << " bytes, for " << scales.paddedRows() << "x" << scales.paddedBlocks()
     << " scales; byte offset from row and block:\n";
  scaleTable(scales, full).print(os, "  ");
}
