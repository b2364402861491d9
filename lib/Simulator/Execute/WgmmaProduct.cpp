/// wgmma.mma_async executed: each warp of the group issues and performs the product of its own 16 rows. At issue, what
/// it will read in shared memory is checked and recorded and its registers are in flight; registers and memory are read
/// when the queue performs it.
#include "lib/Simulator/Core/WarpAsync.h"
#include "lib/Simulator/Execute/MatrixDescriptor.h"
#include "lib/Simulator/Execute/MatrixFragment.h"
#include "lib/Simulator/Execute/Wgmma.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Matrices in shared memory
//===----------------------------------------------------------------------===//

namespace {
/// One factor in shared memory: `rows` along M or N from `first`, `rowBytes` along K.
struct SharedMatrix {
  MatrixDescriptor descriptor;
  bool kMajor = true;
  unsigned first = 0, rows = 0, rowBytes = 0;

  /// Calls `body(address, row, byte along K)` for each chunk of 16 bytes: bytes of one row, or with MN-major 8 rows of
  /// one 16-bit element.
  template <typename Body> void forChunks(Body body) const {
    if (kMajor) {
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned byte = 0; byte < rowBytes; byte += 16)
          body(descriptor.chunk(true, byte, first + row), row, byte);
      return;
    }
    for (unsigned byte = 0; byte < rowBytes; byte += 2)
      for (unsigned row = 0; row < rows; row += 8)
        body(descriptor.chunk(false, (first + row) * 2, byte / 2), row, byte);
  }
};
} // namespace

/// Checks that all chunks lie in the block's shared memory; the lowest and the highest address.
static bool inBounds(Execution &x, const Operation &op, const SharedMatrix &matrix, uint32_t &low, uint32_t &high) {
  low = ~0u;
  high = 0;
  matrix.forChunks([&](uint32_t address, unsigned, unsigned) {
    low = std::min(low, address);
    high = std::max(high, address);
  });
  for (uint32_t address : {low, high})
    if (!locate(x, op, 0, AddressSpace::SharedBlock, address, 16, 16, AccessKind::Read))
      return false;
  return true;
}

/// Records the chunks for the race check, neighbours together.
static void recordChunks(Execution &x, const Operation &op, const SharedMatrix &matrix, Stamp chain) {
  std::vector<uint32_t> addresses;
  matrix.forChunks([&](uint32_t address, unsigned, unsigned) { addresses.push_back(address); });
  std::sort(addresses.begin(), addresses.end());
  Region *region = &x.block->shared;
  for (size_t i = 0; i < addresses.size();) {
    uint32_t begin = addresses[i], end = begin + 16;
    for (++i; i < addresses.size() && addresses[i] <= end; ++i)
      end = std::max(end, addresses[i] + 16);
    recordAsyncAccess(x, op, {region, begin - region->base}, end - begin, AccessKind::Read, Proxy::Async, chain);
  }
}

/// Copies the matrix out, row by row.
static void readMatrix(const Execution &x, const SharedMatrix &matrix, std::byte *to) {
  const Region &region = x.block->shared;
  const std::byte *bytes = region.bytes - region.base;
  if (matrix.kMajor) {
    matrix.forChunks([&](uint32_t address, unsigned row, unsigned byte) {
      std::memcpy(to + row * matrix.rowBytes + byte, bytes + address, 16);
    });
    return;
  }
  matrix.forChunks([&](uint32_t address, unsigned row, unsigned byte) {
    for (unsigned e = 0; e < 8; ++e)
      std::memcpy(to + (row + e) * matrix.rowBytes + byte, bytes + address + 2 * e, 2);
  });
}

/// Calls `mark(row)` for rows that have an undefined bit.
template <typename Mark> static void markUndefined(const Execution &x, const SharedMatrix &matrix, Mark mark) {
  const Region &region = x.block->shared;
  const UndefinedBits *undefined = region.undefined.get();
  if (!undefined || undefined->allDefined(0, region.size))
    return;
  matrix.forChunks([&](uint32_t address, unsigned row, unsigned) {
    if (undefined->allDefined(address - region.base, 16))
      return;
    if (matrix.kMajor)
      return mark(row);
    for (unsigned e = 0; e < 8; ++e)
      if (!undefined->allDefined(address - region.base + 2 * e, 2))
        mark(row + e);
  });
}

//===----------------------------------------------------------------------===//
// Performing
//===----------------------------------------------------------------------===//

namespace {
/// What an issued product carries.
struct Issued {
  const WgmmaForm *form = nullptr;
  SharedMatrix a{MatrixDescriptor(0)}, b{MatrixDescriptor(0)};
  bool accumulate = true;
  uint32_t metadata[warpSize];
  LaneMask undefinedMetadata = 0;
};
} // namespace

static void perform(Execution &x, const Operation &op, const Issued &issued) {
  const WgmmaForm &form = *issued.form;
  const MatrixProduct &p = form.product;
  alignas(8) std::byte a[16 * 32], b[mostColumns * 64];
  alignas(8) uint32_t c[16 * mostColumns];
  if (form.aInRegisters)
    gatherA(x, form.factors, p, a);
  else
    readMatrix(x, issued.a, a);
  readMatrix(x, issued.b, b);
  if (issued.accumulate)
    gatherC(x, form.accumulators, p, c);
  else
    std::memset(c, 0, p.m * p.n * sizeof *c);

  UndefinedResults undefined;
  if (x.check) {
    if (form.aInRegisters)
      undefined.addA(x, form.factors, p);
    else
      markUndefined(x, issued.a, [&](unsigned row) { undefined.addRow(row); });
    markUndefined(x, issued.b, [&](unsigned row) { undefined.addColumn(row); });
    if (issued.accumulate)
      undefined.addC(x, form.accumulators, p);
    forLanes(issued.undefinedMetadata, [&](unsigned lane) {
      undefined.addRow(lane / 4);
      undefined.addRow(lane / 4 + 8);
    });
  }
  SparseColumns columns;
  if (p.sparse)
    decodeMetadata(x, op, p, issued.metadata, form.selector, false, columns);
  multiply(p, a, b, &columns, nullptr, nullptr, c, c);
  scatterD(x, form.accumulators, p, c);
  if (x.check)
    undefined.mark(x, form.accumulators, p);
  x.counters->matrixMultiplyAdds += uint64_t(p.m) * p.n * p.kept();
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

static bool isWarpGroup(Execution &x, const Operation &op) {
  unsigned first = x.warp->index / 4 * 4;
  if (first + 4 <= x.block->warps.size())
    return true;
  x.stop(FindingKind::InvalidOperand, op, 0,
         "warps " + std::to_string(first) + " to " + std::to_string(first + 3) +
             " must execute it together, but the block has " + std::to_string(x.block->warps.size()) + " warps");
  return false;
}

/// A descriptor, which must be the same in all lanes.
static bool readDescriptor(Execution &x, const Operation &op, Row row, const char *name, uint64_t &bits) {
  x.requireDefined(op, row, allLanes, "matrix descriptor");
  bits = x.value(row, 0);
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (x.value(row, lane) != bits) {
      x.stop(FindingKind::InvalidOperand, op, lane,
             std::string("the descriptor of ") + name + " differs between threads of the warp");
      return false;
    }
  if (MatrixDescriptor(bits).hasUnknownBits) {
    x.stop(FindingKind::InvalidOperand, op, 0,
           std::string("the descriptor of ") + name + " has bits set that are not part of its format");
    return false;
  }
  return true;
}

/// The warps of a group issue the same operations with the same descriptors.
static void compareWithGroup(Execution &x, const Operation &op, uint64_t a, uint64_t b) {
  WgmmaGroups &own = x.warp->async->wgmma;
  uint64_t number = own.issued++;
  own.latest[number % own.latest.size()] = {number, op.index, a, b};
  unsigned first = x.warp->index / 4 * 4;
  for (unsigned w = first; w < first + 4; ++w) {
    const WgmmaGroups::Issue &other = x.block->warps[w]->async->wgmma.latest[number % own.latest.size()];
    if (other.number != number || (other.operation == op.index && other.a == a && other.b == b))
      continue;
    bool sameOperation = other.operation == op.index;
    const ptx::Instruction *text = x.grid->program->operations[other.operation].text;
    x.report(FindingKind::InvalidOperand, op, 0,
             "warps " + std::to_string(x.warp->index) + " and " + std::to_string(w) + " of a warp group " +
                 (sameOperation ? "execute it with different matrix descriptors"
                                : "execute different wgmma.mma_async instructions"),
             {"warp " + std::to_string(w) + " executes line " + std::to_string(text ? text->location.line : 0)});
    return;
  }
}

static bool readScaleD(Execution &x, const Operation &op, const WgmmaForm &form, bool &accumulate) {
  x.requireDefined(op, form.scaleD, allLanes, "scale-d");
  LaneMask mask = x.predicate(form.scaleD);
  if (mask != 0 && mask != allLanes) {
    x.stop(FindingKind::InvalidOperand, op, 0, "scale-d differs between threads of the warp");
    return false;
  }
  accumulate = (mask != 0) != form.scaleDNegated;
  return true;
}

Outcome tilec::sim::runWgmma(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  const auto &form = op.detailAs<WgmmaForm>();
  const MatrixProduct &p = form.product;
  WgmmaGroups &groups = x.warp->async->wgmma;
  auto issued = std::make_shared<Issued>();
  issued->form = &form;
  uint64_t a = 0, b = 0;
  if (!isWarpGroup(x, op) || !readScaleD(x, op, form, issued->accumulate) ||
      (!form.aInRegisters && !readDescriptor(x, op, form.descriptorA, "A", a)) ||
      !readDescriptor(x, op, form.descriptorB, "B", b))
    return Outcome::Next;
  unsigned factorRow = p.kept() * p.bits / 8, columnBytes = p.k * p.bits / 8;
  issued->a = {MatrixDescriptor(a), form.aIsKMajor, x.warp->index % 4 * 16, 16, factorRow};
  issued->b = {MatrixDescriptor(b), form.bIsKMajor, 0, p.n, columnBytes};
  if (form.bIsKMajor && issued->b.descriptor.swizzle > 16 && columnBytes > issued->b.descriptor.swizzle) {
    x.stop(FindingKind::InvalidOperand, op, 0,
           std::to_string(columnBytes) + " bytes along K do not fit into rows of a " +
               std::to_string(issued->b.descriptor.swizzle) + "-byte swizzle");
    return Outcome::Next;
  }
  uint32_t low, high;
  if ((!form.aInRegisters && !inBounds(x, op, issued->a, low, high)) || !inBounds(x, op, issued->b, low, high)) {
    for (unsigned i = 0; x.check && i < form.accumulatorCount; ++i)
      x.setUndefined(form.accumulators[i], allLanes);
    return Outcome::Next;
  }
  if (p.sparse) {
    std::memcpy(issued->metadata, x.row<uint32_t>(form.metadata), sizeof issued->metadata);
    issued->undefinedMetadata = x.check ? x.undefinedLanes(form.metadata, allLanes) : 0;
  }
  if (x.check) {
    compareWithGroup(x, op, a, b);
    if (groups.chain == noAgent)
      groups.chain = x.block->newAgent();
    Stamp chain{groups.chain, static_cast<uint32_t>(groups.next + 1)};
    if (!form.aInRegisters)
      recordChunks(x, op, issued->a, chain);
    recordChunks(x, op, issued->b, chain);
    groups.registers.track(x);
    uint32_t shape = p.n * 4 + p.halfD;
    groups.registers.issue(x, op, form.accumulators, form.accumulatorCount, form.factors, form.aInRegisters ? 4 : 0,
                           shape, groups.next);
  }
  AsyncOperation operation;
  operation.warp = x.warp;
  operation.op = &op;
  operation.unit = AsyncOperation::Unit::Wgmma;
  operation.ordered = true;
  operation.perform = [issued, &op](Execution &performing) { perform(performing, op, *issued); };
  x.cluster->async.add(x, std::move(operation));
  return Outcome::Next;
}
