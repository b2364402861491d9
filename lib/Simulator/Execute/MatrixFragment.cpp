#include "lib/Simulator/Execute/MatrixFragment.h"

using namespace tilec;
using namespace tilec::sim;

bool tilec::sim::isWholeWarp(Execution &x, const Operation &op, LaneMask active, Outcome &outcome) {
  if (active == allLanes)
    return true;
  outcome = Outcome::Next;
  auto fault = [&](const char *what, LaneMask lanes) {
    x.stop(FindingKind::InvalidOperand, op, firstLane(active),
           "all 32 threads of a warp must execute it, but " + std::to_string(__builtin_popcount(lanes)) + " " + what,
           {"the instruction is .sync.aligned: keep it out of divergent code, and the block's size a multiple of 32"});
    return false;
  };
  const Warp &warp = *x.warp;
  if (warp.existing != allLanes)
    return fault("of them do not exist", ~warp.existing);
  if (LaneMask exited = warp.existing & ~warp.alive)
    return fault("have exited", exited);
  if (LaneMask skipping = x.split->lanes & ~active)
    return fault("skip it by their predicate", skipping);
  outcome = x.waitFor(op, "the other lanes of the warp, which this instruction needs as well");
  return false;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Bits of a register of a factor.
static unsigned width(const MatrixProduct &p) { return p.bits == 64 ? 64 : 32; }
static bool isDouble(const MatrixProduct &p) { return p.arithmetic == MatrixProduct::Arithmetic::Double; }

unsigned tilec::sim::registersOfA(const MatrixProduct &p) { return p.m * p.kept() * p.bits / (width(p) * warpSize); }
unsigned tilec::sim::registersOfB(const MatrixProduct &p) { return p.n * p.k * p.bits / (width(p) * warpSize); }
unsigned tilec::sim::registersOfC(const MatrixProduct &p, bool half) { return p.m * p.n / warpSize / (half ? 2 : 1); }

/// Row of A of a register for g = 0.
static unsigned rowOfA(const MatrixProduct &p, unsigned r) { return p.m == 16 ? 8 * (r % 2) : 0; }
static unsigned partOfA(const MatrixProduct &p, unsigned r) { return p.m == 16 ? r / 2 : r; }

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// Copies a register's lanes, four at a time, to rows that are `stride` bytes apart.
template <typename Word> static void copyQuads(const Word *lanes, std::byte *to, size_t stride) {
  for (unsigned g = 0; g < 8; ++g)
    std::memcpy(to + g * stride, lanes + 4 * g, 4 * sizeof(Word));
}

static void copyRegister(const Execution &x, Row row, std::byte *to, size_t stride) {
  if (row.bytes == 8)
    copyQuads(x.row<uint64_t>(row), to, stride);
  else
    copyQuads(x.row<uint32_t>(row), to, stride);
}

void tilec::sim::gatherA(const Execution &x, const Row *rows, const MatrixProduct &p, void *a) {
  size_t stride = p.kept() * p.bits / 8, quad = width(p) / 2;
  unsigned count = registersOfA(p);
  for (unsigned r = 0; r < count; ++r)
    copyRegister(x, rows[r], static_cast<std::byte *>(a) + rowOfA(p, r) * stride + partOfA(p, r) * quad, stride);
}

void tilec::sim::gatherB(const Execution &x, const Row *rows, const MatrixProduct &p, void *b) {
  size_t stride = p.k * p.bits / 8, quad = width(p) / 2;
  unsigned count = registersOfB(p);
  for (unsigned r = 0; r < count; ++r)
    copyRegister(x, rows[r], static_cast<std::byte *>(b) + r * quad, stride);
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Calls `body(register, offset in the matrix of lane 0)` for each register; `half`: of the first of its two columns.
template <typename Body> static void forAccumulators(const MatrixProduct &p, bool half, Body body) {
  unsigned count = registersOfC(p, half), perTile = p.m == 16 ? (half ? 2 : 4) : (half ? 1 : 2);
  for (unsigned r = 0; r < count; ++r) {
    unsigned inTile = r % perTile;
    unsigned row = half ? 8 * inTile : 8 * (inTile / 2), column = 8 * (r / perTile) + (half ? 0 : inTile % 2);
    body(r, row * p.n + column);
  }
}

template <typename Word> static void gatherWords(const Execution &x, const Row *rows, const MatrixProduct &p, Word *c) {
  forAccumulators(p, false, [&](unsigned r, unsigned at) {
    const Word *lanes = x.row<Word>(rows[r]);
    for (unsigned g = 0; g < 8; ++g)
      for (unsigned t = 0; t < 4; ++t)
        c[at + g * p.n + 2 * t] = lanes[4 * g + t];
  });
}

template <typename Word>
static void scatterWords(const Execution &x, const Row *rows, const MatrixProduct &p, const Word *d) {
  forAccumulators(p, false, [&](unsigned r, unsigned at) {
    Word *lanes = x.row<Word>(rows[r]);
    for (unsigned g = 0; g < 8; ++g)
      for (unsigned t = 0; t < 4; ++t)
        lanes[4 * g + t] = d[at + g * p.n + 2 * t];
  });
}

void tilec::sim::gatherC(const Execution &x, const Row *rows, const MatrixProduct &p, void *c) {
  if (isDouble(p))
    return gatherWords(x, rows, p, static_cast<uint64_t *>(c));
  auto *words = static_cast<uint32_t *>(c);
  if (!p.halfC)
    return gatherWords(x, rows, p, words);
  forAccumulators(p, true, [&](unsigned r, unsigned at) {
    const uint32_t *lanes = x.row<uint32_t>(rows[r]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint32_t *pair = words + at + lane / 4 * p.n + lane % 4 * 2;
      pair[0] = lanes[lane] & 0xffff;
      pair[1] = lanes[lane] >> 16;
    }
  });
}

void tilec::sim::scatterD(const Execution &x, const Row *rows, const MatrixProduct &p, const void *d) {
  if (isDouble(p))
    return scatterWords(x, rows, p, static_cast<const uint64_t *>(d));
  const auto *words = static_cast<const uint32_t *>(d);
  if (!p.halfD)
    return scatterWords(x, rows, p, words);
  forAccumulators(p, true, [&](unsigned r, unsigned at) {
    uint32_t *lanes = x.row<uint32_t>(rows[r]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      const uint32_t *pair = words + at + lane / 4 * p.n + lane % 4 * 2;
      lanes[lane] = (pair[0] & 0xffff) | pair[1] << 16;
    }
  });
}

//===----------------------------------------------------------------------===//
// Undefined bits
//===----------------------------------------------------------------------===//

bool tilec::sim::anyMayBeUndefined(const Execution &x, const Row *rows, unsigned count) {
  bool any = false;
  for (unsigned i = 0; i < count; ++i)
    any |= x.rowMayBeUndefined(rows[i]);
  return any;
}

void UndefinedResults::addElement(unsigned i, unsigned j, const MatrixProduct &p) {
  if (elements.empty())
    elements.resize(p.m * p.n);
  elements[i * p.n + j] = any = true;
}

void UndefinedResults::addA(const Execution &x, const Row *registers, const MatrixProduct &p) {
  for (unsigned r = 0; r < registersOfA(p); ++r)
    if (LaneMask lanes = x.undefinedLanes(registers[r], allLanes))
      forLanes(lanes, [&](unsigned lane) { addRow(lane / 4 + rowOfA(p, r)); });
}

void UndefinedResults::addB(const Execution &x, const Row *registers, const MatrixProduct &p) {
  for (unsigned r = 0; r < registersOfB(p); ++r)
    if (LaneMask lanes = x.undefinedLanes(registers[r], allLanes))
      forLanes(lanes, [&](unsigned lane) { addColumn(lane / 4); });
}

void UndefinedResults::addC(const Execution &x, const Row *registers, const MatrixProduct &p) {
  forAccumulators(p, p.halfC, [&](unsigned r, unsigned at) {
    if (LaneMask lanes = x.undefinedLanes(registers[r], allLanes))
      forLanes(lanes, [&](unsigned lane) {
        unsigned i = at / p.n + lane / 4, j = at % p.n + lane % 4 * 2;
        uint64_t bits = x.undefinedBits(registers[r], lane);
        if (!p.halfC || (bits & 0xffff))
          addElement(i, j, p);
        if (p.halfC && (bits >> 16))
          addElement(i, j + 1, p);
      });
  });
}

void UndefinedResults::mark(const Execution &x, const Row *registers, const MatrixProduct &p) const {
  forAccumulators(p, p.halfD, [&](unsigned r, unsigned at) {
    x.setDefined(registers[r], allLanes);
    if (!any)
      return;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned i = at / p.n + lane / 4, j = at % p.n + lane % 4 * 2;
      uint64_t bits = (*this)(i, j, p) ? ~uint64_t(0) : 0;
      if (p.halfD)
        bits = (bits & 0xffff) | ((*this)(i, j + 1, p) ? 0xffff0000u : 0);
      if (bits)
        x.setUndefinedBits(registers[r], lane, bits);
    }
  });
}
