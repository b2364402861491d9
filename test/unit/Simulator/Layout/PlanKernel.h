/// A kernel that carries out a plan of lib/Layout on the simulated device, which knows nothing of layouts: every thread
/// reads the addresses it is to use from a table, so all that is compared is what the plan says. Beside the text grows
/// the list of what each access should cost.
#ifndef TILEC_TEST_UNIT_SIMULATOR_LAYOUT_PLANKERNEL_H
#define TILEC_TEST_UNIT_SIMULATOR_LAYOUT_PLANKERNEL_H

#include "lib/Layout/Access.h"
#include "lib/Layout/Layout.h"
#include "test/unit/Simulator/Execute/MemoryKernel.h"

namespace tilec::sim {

/// The element at a position: bytes that tell positions and byte numbers apart.
inline uint8_t elementByte(const mlir::tile::Layout &layout, llvm::ArrayRef<int64_t> position, unsigned byte) {
  uint64_t number = 0;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    number = number * static_cast<uint64_t>(layout.paddedExtent(dim)) + static_cast<uint64_t>(position[dim]);
  uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15ull + byte * 0xbf58476d1ce4e5b9ull;
  return static_cast<uint8_t>((mixed ^ (mixed >> 29)) >> 13);
}

class PlanKernel {
public:
  using Addresses = std::vector<int64_t>;

  PlanKernel(unsigned warps, uint64_t sharedBytes, bool check) : threads(warps * 32), warps(warps) {
    // Images move 16 bytes a thread, whole blocks at a time.
    imageBytes = (sharedBytes + threads * 16 - 1) / (threads * 16) * threads * 16;
    kernel.threads = threads;
    kernel.check = check;
    kernel.variables = ".shared .align 1024 .b8 tile[" + std::to_string(imageBytes) + "];\n";
    text = ".reg .b32 %w<4>, %to, %tile;\n.reg .b64 %x<2>, %c;\nmov.u32 %tile, tile;\n"
           "mad.wide.u32 %c, %t, 16, %buf;\n";
  }

  /// Space in the buffer, 16 bytes for each thread; its offset.
  uint64_t newCells() {
    uint64_t at = bytes.size();
    bytes.resize(at + threads * 16);
    return at;
  }
  uint8_t *cell(uint64_t cells, unsigned thread) { return bytes.data() + cells + thread * 16; }
  /// What the buffer's cell holds after the run.
  const uint8_t *result(uint64_t cells, unsigned thread) const {
    return reinterpret_cast<const uint8_t *>(kernel.buffer.data()) + cells + thread * 16;
  }

  /// %to becomes the thread's address of the table; addresses are relative to the shared tile.
  void setAddress(const Addresses &table) {
    uint64_t at = bytes.size();
    bytes.resize(at + threads * 4);
    for (unsigned thread = 0; thread < threads; ++thread) {
      auto address = static_cast<uint32_t>(table[thread]);
      std::memcpy(bytes.data() + at + thread * 4, &address, 4);
    }
    line("ld.global.u32 %to, [%a+" + std::to_string(at) + "]");
    expectGlobal(apart(4), 4);
    line("add.u32 %to, %to, %tile");
  }

  /// `elements` elements of `elementBytes` from the thread's cell to its shared address.
  void store(uint64_t cells, const Addresses &table, unsigned elementBytes, unsigned elements) {
    Vector vector = vectorOf(elementBytes, elements);
    setAddress(table);
    moveCell("ld", cells, vector);
    line("st.shared" + vector.type + " [%to], " + vector.list);
    expectShared(table, elementBytes * elements);
  }
  /// The other way.
  void load(uint64_t cells, const Addresses &table, unsigned elementBytes, unsigned elements) {
    Vector vector = vectorOf(elementBytes, elements);
    setAddress(table);
    line("ld.shared" + vector.type + " " + vector.list + ", [%to]");
    expectShared(table, elementBytes * elements);
    moveCell("st", cells, vector);
  }
  /// Words m of the cell: what ldmatrix gives of matrix m.
  void loadMatrices(uint64_t cells, const Addresses &rows, unsigned matrices, bool transposed) {
    setAddress(rows);
    Vector vector = vectorOf(4, matrices);
    std::string list = matrices == 1 ? "{" + vector.list + "}" : vector.list;
    line("ldmatrix.sync.aligned.m8n8.x" + std::to_string(matrices) + (transposed ? ".trans" : "") + ".shared.b16 " + list +
         ", [%to]");
    // The first eight lanes for each matrix take part.
    Addresses used = rows;
    for (unsigned thread = 0; thread < threads; ++thread)
      if (thread % 32 >= 8 * matrices)
        used[thread] = -1;
    expectShared(used, 16);
    moveCell("st", cells, vector);
  }
  void barrier() { line("bar.sync 0"); }
  /// The whole of shared memory from or to an image in the buffer, which begins at the returned offset.
  uint64_t moveImage(bool toShared) {
    uint64_t first = bytes.size();
    bytes.resize(first + imageBytes);
    for (uint64_t at = 0; at < imageBytes; at += threads * 16) {
      uint64_t cells = first + at;
      Addresses own(threads);
      for (unsigned thread = 0; thread < threads; ++thread)
        own[thread] = static_cast<int64_t>(at + thread * 16);
      toShared ? store(cells, own, 4, 4) : load(cells, own, 4, 4);
    }
    return first;
  }
  uint8_t *image(uint64_t offset) { return bytes.data() + offset; }
  const uint8_t *imageResult(uint64_t offset) const {
    return reinterpret_cast<const uint8_t *>(kernel.buffer.data()) + offset;
  }

  /// Loads or stores of `size` bytes at offsets in the buffer that a table gives; threads with a negative one take no
  /// part. Stores write what the last load read.
  void accessGlobal(bool isStore, const Addresses &offsets, unsigned size) {
    uint64_t at = bytes.size();
    bytes.resize(at + threads * 8);
    for (unsigned thread = 0; thread < threads; ++thread)
      std::memcpy(bytes.data() + at + thread * 8, &offsets[thread], 8);
    line("mad.wide.u32 %x0, %t, 8, %buf");
    line("ld.global.u64 %x0, [%x0+" + std::to_string(at) + "]");
    expectGlobal(apart(8), 8);
    line("setp.ge.s64 %p1, %x0, 0");
    line("add.s64 %x0, %x0, %buf");
    Vector vector = vectorOf(size < 4 ? size : 4, size < 4 ? 1 : size / 4);
    line(isStore ? "@%p1 st.global" + vector.type + " [%x0], " + vector.list
                 : "@%p1 ld.global" + vector.type + " " + vector.list + ", [%x0]");
    expectGlobal(offsets, size);
  }

  /// Runs, and compares what every access cost. Empty: all as expected.
  std::string run() {
    bytes.resize((bytes.size() + 3) / 4 * 4);
    kernel.buffer.resize(bytes.size() / 4);
    kernel.definedWords = kernel.buffer.size();
    std::memcpy(kernel.buffer.data(), bytes.data(), bytes.size());
    if (std::string error = kernel.run(text); !error.empty())
      return error + "\n" + text;
    if (std::string report = kernel.report(); !report.empty())
      return report;
    size_t next = 0;
    for (const Operation &op : kernel.program->operations) {
      if (!op.text)
        continue;
      auto names = [&](const char *space) {
        for (const std::string &modifier : op.text->modifiers)
          if (modifier == space)
            return true;
        return false;
      };
      bool shared = names("shared");
      if (!shared && !names("global"))
        continue;
      if (next == expected.size())
        return "more accesses than expected";
      const Cost &cost = expected[next++];
      const AccessCounters &counted = kernel.counters.accesses[op.index];
      uint64_t found = shared ? counted.wavefronts : counted.sectors;
      if (shared != cost.shared || found != cost.count)
        return "line " + std::to_string(op.text->location.line) + ": " + (shared ? "passes " : "sectors ") +
               std::to_string(found) + ", predicted " + std::to_string(cost.count);
    }
    return next == expected.size() ? "" : "fewer accesses than expected";
  }
  /// Passes that the plan's own loads and stores of shared memory took.
  const AccessCounters &sharedLoads() const { return kernel.counters.sharedLoads; }
  const AccessCounters &sharedStores() const { return kernel.counters.sharedStores; }

  const unsigned threads;

private:
  struct Vector {
    std::string type, list;
    unsigned elementBytes, elements;
  };
  struct Cost {
    bool shared;
    uint64_t count;
  };

  void line(const std::string &instruction) { text += instruction + ";\n"; }

  /// Up to four elements as they are; more of them as words. Every other time words where both are possible.
  Vector vectorOf(unsigned elementBytes, unsigned elements) {
    unsigned size = elementBytes * elements;
    bool words = elements > 4 || elementBytes > 8 || (size % 4 == 0 && elementBytes < 4 && ++vectors % 2 == 0);
    unsigned each = words ? 4 : elementBytes, count = words ? size / 4 : elements;
    Vector vector{count == 1 ? "" : ".v" + std::to_string(count), "", each, count};
    vector.type += ".b" + std::to_string(each * 8);
    for (unsigned i = 0; i < count; ++i)
      vector.list += (i ? ", " : "") + registerName(each, i);
    if (count > 1)
      vector.list = "{" + vector.list + "}";
    return vector;
  }

  static std::string registerName(unsigned bytes, unsigned i) {
    return (bytes <= 2 ? "%h" : bytes == 4 ? "%w" : "%x") + std::to_string(i);
  }

  /// Elements of the thread's cell, one by one, to or from the vector's registers.
  void moveCell(const char *opcode, uint64_t cells, const Vector &vector) {
    for (unsigned i = 0; i < vector.elements; ++i) {
      uint64_t at = cells + i * vector.elementBytes;
      std::string reg = registerName(vector.elementBytes, i);
      std::string place = "[%c+" + std::to_string(at) + "]", type = ".global.b" + std::to_string(vector.elementBytes * 8);
      line(opcode + type + " " + (*opcode == 'l' ? reg + ", " + place : place + ", " + reg));
      Addresses own(threads);
      for (unsigned thread = 0; thread < threads; ++thread)
        own[thread] = static_cast<int64_t>(at + thread * 16);
      expectGlobal(own, vector.elementBytes);
    }
  }

  Addresses apart(unsigned step) const {
    Addresses own(threads);
    for (unsigned thread = 0; thread < threads; ++thread)
      own[thread] = static_cast<int64_t>(thread) * step;
    return own;
  }
  void expectShared(const Addresses &table, unsigned size) {
    uint64_t count = 0;
    for (unsigned warp = 0; warp < warps; ++warp)
      count += mlir::tile::bankWavefronts(llvm::ArrayRef<int64_t>(table).slice(warp * 32, 32), size);
    expected.push_back({true, count});
  }
  void expectGlobal(const Addresses &table, unsigned size) {
    uint64_t count = 0;
    for (unsigned warp = 0; warp < warps; ++warp)
      count += mlir::tile::globalSectors(llvm::ArrayRef<int64_t>(table).slice(warp * 32, 32), size);
    expected.push_back({false, count});
  }

  unsigned warps, vectors = 0;
  uint64_t imageBytes = 0;
  MemoryKernel kernel;
  std::string text;
  std::vector<uint8_t> bytes;
  std::vector<Cost> expected;
};

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_LAYOUT_PLANKERNEL_H
