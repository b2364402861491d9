/// ldmatrix, stmatrix and movmatrix (PTX ISA, "Warp-level matrix load instruction: ldmatrix" and the two after it). A
/// matrix is 8 rows of 16 bytes (16 rows with .m16n16), one lane giving the address of each. All lanes' rows are first
/// taken as bytes, then dealt to registers; their undefined bits go the same way.
///
/// The figures of the forms that deal bytes, read as formulas, with g = lane / 4 and t = lane % 4:
///   m8n16            byte e of the register: row g, column 4 t + e
///   m16n16.trans     byte e of register r:   row 4 t + e, column g + 8 r of the matrix in memory
///   stmatrix.m16n8.trans  byte e of the register: row g + 8 (e / 2), column 2 t + e % 2; memory holds columns
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MatrixFamilies.h"
#include "lib/Simulator/Execute/MatrixFragment.h"
#include "lib/Simulator/Execute/WarpAccess.h"

using namespace tilec;
using namespace tilec::sim;

namespace {
enum class Dealing : uint8_t { Rows, Columns, ByteColumns };
enum class Packing : uint8_t { None, SixBits, FourBits };

struct MatrixForm {
  MemoryForm memory;
  Dealing dealing = Dealing::Rows;
  Packing packing = Packing::None;
  /// Lanes that give addresses, from the first, and registers.
  unsigned addresses = 8, registers = 1;
};

/// The rows that lanes point to.
using RowBytes = uint8_t[warpSize][16];
using Words = uint32_t[4][warpSize];
} // namespace

//===----------------------------------------------------------------------===//
// Dealing
//===----------------------------------------------------------------------===//

/// 16 elements of 6 or 4 bits become a byte each, in its low bits (PTX ISA, "Optional Decompression"; mma.sync takes 4-bit
/// elements two bits higher, and kernels that feed it so shift them).
static void expand(Packing packing, uint8_t row[16]) {
  uint8_t packed[16];
  std::memcpy(packed, row, 16);
  unsigned bits = packing == Packing::SixBits ? 6 : 4;
  for (unsigned i = 0; i < 16; ++i) {
    unsigned at = i * bits;
    unsigned both = packed[at / 8] | packed[at / 8 + 1] << 8;
    row[i] = static_cast<uint8_t>(both >> (at % 8) & ((1u << bits) - 1));
  }
}

static void dealToRegisters(const MatrixForm &form, const RowBytes rows, Words words) {
  for (unsigned r = 0; r < form.registers; ++r)
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned g = lane / 4, t = lane % 4;
      uint8_t bytes[4];
      switch (form.dealing) {
      case Dealing::Rows:
        std::memcpy(bytes, rows[8 * r + g] + 4 * t, 4);
        break;
      case Dealing::Columns:
        for (unsigned e = 0; e < 2; ++e)
          std::memcpy(bytes + 2 * e, rows[8 * r + 2 * t + e] + 2 * g, 2);
        break;
      case Dealing::ByteColumns:
        for (unsigned e = 0; e < 4; ++e)
          bytes[e] = rows[16 * (r / 2) + 4 * t + e][g + 8 * (r % 2)];
        break;
      }
      std::memcpy(&words[r][lane], bytes, 4);
    }
}

static void dealToRows(const MatrixForm &form, const Words words, RowBytes rows) {
  for (unsigned r = 0; r < form.registers; ++r)
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned g = lane / 4, t = lane % 4;
      uint8_t bytes[4];
      std::memcpy(bytes, &words[r][lane], 4);
      switch (form.dealing) {
      case Dealing::Rows:
        std::memcpy(rows[8 * r + g] + 4 * t, bytes, 4);
        break;
      case Dealing::Columns:
        for (unsigned e = 0; e < 2; ++e)
          std::memcpy(rows[8 * r + 2 * t + e] + 2 * g, bytes + 2 * e, 2);
        break;
      case Dealing::ByteColumns:
        for (unsigned e = 0; e < 4; ++e)
          rows[8 * r + 2 * t + e % 2][g + 8 * (e / 2)] = bytes[e];
        break;
      }
    }
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static LaneMask addressLanes(const MatrixForm &form) {
  return form.addresses == warpSize ? allLanes : (1u << form.addresses) - 1;
}

/// Looks up the rows; those that do not lie in shared memory are a fault.
static void resolveRows(Execution &x, const Operation &op, const MatrixForm &form, AccessKind kind,
                        WarpAccess &access) {
  resolve(x, op, addressLanes(form), form.memory, kind, access);
  if (form.memory.space != AddressSpace::Generic)
    return;
  forLanes(access.lanes, [&](unsigned lane) {
    if (access.place(lane).region->space == ptx::Space::Shared)
      return;
    access.lanes &= ~(1u << lane);
    x.report(FindingKind::InvalidOperand, op, lane, "the address of a matrix row must lie in shared memory");
  });
}

static void loadUndefined(Execution &x, const Operation &op, const MatrixForm &form, const WarpAccess &access) {
  bool missing = access.lanes != addressLanes(form);
  bool defined = isDefined(access);
  for (unsigned r = 0; r < form.registers; ++r)
    x.setDefined(op.destination(r), allLanes);
  if (defined && !missing)
    return;
  RowBytes bits;
  std::memset(bits, missing ? 0xff : 0, sizeof bits);
  forLanes(access.lanes, [&](unsigned lane) {
    readUndefined(access, lane, bits[lane]);
    if (form.packing != Packing::None)
      expand(form.packing, bits[lane]);
  });
  Words words;
  dealToRegisters(form, bits, words);
  for (unsigned r = 0; r < form.registers; ++r)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (words[r][lane])
        x.setUndefinedBits(op.destination(r), lane, words[r][lane]);
}

static Outcome runLoad(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  const auto &form = op.detailAs<MatrixForm>();
  WarpAccess access;
  resolveRows(x, op, form, AccessKind::Read, access);
  if (form.dealing == Dealing::Rows && form.packing == Packing::None && access.lanes == addressLanes(form)) {
    for (unsigned lane = 0; lane < form.addresses; ++lane)
      std::memcpy(x.row<uint32_t>(op.destination(lane / 8)) + lane % 8 * 4, access.at(lane), 16);
  } else {
    RowBytes rows = {};
    forLanes(access.lanes, [&](unsigned lane) {
      std::memcpy(rows[lane], access.at(lane), 16);
      if (form.packing != Packing::None)
        expand(form.packing, rows[lane]);
    });
    Words words;
    dealToRegisters(form, rows, words);
    for (unsigned r = 0; r < form.registers; ++r)
      std::memcpy(x.row<uint32_t>(op.destination(r)), words[r], sizeof words[r]);
  }
  countAccess(x, op, access, /*isStore=*/false);
  if (x.check) {
    loadUndefined(x, op, form, access);
    recordLanes(x, op, access, access.lanes, AccessKind::Read, false);
  }
  return Outcome::Next;
}

static Outcome runStore(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  const auto &form = op.detailAs<MatrixForm>();
  WarpAccess access;
  resolveRows(x, op, form, AccessKind::Write, access);
  // The address is the first source.
  const Row *registers = op.rows + 1;
  Words words;
  RowBytes rows;
  for (unsigned r = 0; r < form.registers; ++r)
    std::memcpy(words[r], x.row<uint32_t>(registers[r]), sizeof words[r]);
  dealToRows(form, words, rows);
  forLanes(access.lanes, [&](unsigned lane) { std::memcpy(access.at(lane), rows[lane], 16); });
  countAccess(x, op, access, /*isStore=*/true);
  if (!x.check)
    return Outcome::Next;
  if (!anyMayBeUndefined(x, registers, form.registers)) {
    setDefined(access);
  } else {
    for (unsigned r = 0; r < form.registers; ++r)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        words[r][lane] = static_cast<uint32_t>(x.undefinedBits(registers[r], lane));
    dealToRows(form, words, rows);
    forLanes(access.lanes, [&](unsigned lane) {
      Place place = access.place(lane);
      if (place.region->undefined)
        place.region->undefined->write(place.offset, rows[lane], 16);
    });
  }
  recordLanes(x, op, access, access.lanes, AccessKind::Write, false);
  return Outcome::Next;
}

/// Lane (g, t) gets of the matrix the elements of column g in rows 2 t and 2 t + 1.
static void transposeLanes(const uint32_t *from, uint32_t *to) {
  uint32_t source[warpSize];
  std::memcpy(source, from, sizeof source);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    auto half = [&](unsigned row) { return source[4 * row + g / 2] >> (g % 2 * 16) & 0xffff; };
    to[lane] = half(2 * t) | half(2 * t + 1) << 16;
  }
}

static Outcome runMove(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  Row to = op.destination(), from = op.source();
  if (x.check && x.rowMayBeUndefined(from)) {
    prepareUndefined(x, to);
    transposeLanes(x.undefinedRow<uint32_t>(from), x.undefinedRow<uint32_t>(to));
  } else if (x.check) {
    x.setDefined(to, allLanes);
  }
  transposeLanes(x.row<uint32_t>(from), x.row<uint32_t>(to));
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static bool takeWhole(Binder &b) { return (b.take("sync") && b.take("aligned")) || b.fail("must be '.sync.aligned'"); }

static bool takeMatrices(Binder &b, MatrixForm &form, unsigned &count) {
  int number = b.takeOneOf({"x1", "x2", "x4"});
  if (number < 0)
    return b.fail("expected '.x1', '.x2' or '.x4'");
  count = 1u << number;
  form.memory.space = takeAddressSpace(b, {"shared"});
  if (form.memory.space == AddressSpace::SharedCluster)
    return b.fail("'.shared::cluster' is not allowed");
  form.memory.type = ptx::Type::B128;
  form.memory.elementBytes = form.memory.bytes = form.memory.alignment = 16;
  form.registers = count;
  form.addresses = 8 * count;
  return true;
}

static bool requireBytes(Binder &b) {
  return (b.require(100) && b.targetHasFeatures()) || b.fail("matrices of bytes need sm_100a or later");
}

static bool bindLoadMatrix(Binder &b) {
  MatrixForm form;
  unsigned count;
  if (!takeWhole(b) || !b.require(75) || !takeMatrices(b, form, count))
    return false;
  bool transposed = b.take("trans");
  int shape = b.takeOneOf({"m8n8", "m8n16", "m16n16"});
  int packing = -1;
  if (b.take("b8x16")) {
    packing = b.takeOneOf({"b6x16_p32", "b4x16_p64"});
    if (packing < 0)
      return b.fail("'.b8x16' needs a source format");
    form.packing = packing == 0 ? Packing::SixBits : Packing::FourBits;
  }
  switch (shape) {
  case 0:
    if (packing >= 0 || !b.take("b16"))
      return b.fail("'.m8n8' needs '.b16'");
    form.dealing = transposed ? Dealing::Columns : Dealing::Rows;
    break;
  case 1:
    if (packing < 0 || transposed)
      return b.fail("'.m8n16' needs a source format and no '.trans'");
    if (!requireBytes(b))
      return false;
    break;
  case 2:
    if ((packing < 0 && !b.take("b8")) || !transposed || count > 2)
      return b.fail("'.m16n16' needs '.trans', '.b8' or a source format, and '.x1' or '.x2'");
    if (!requireBytes(b))
      return false;
    form.dealing = Dealing::ByteColumns;
    form.registers = 2 * count;
    form.addresses = 16 * count;
    break;
  default:
    return b.fail("expected a shape such as '.m8n8'");
  }
  if (b.destinations(0, ptx::Type::B32) != form.registers)
    return b.fail("expected " + std::to_string(form.registers) + " registers");
  if (!bindAddress(b, 1, form.memory))
    return false;
  b.operation.run = runLoad;
  b.operation.kind = InstructionClass::MatrixLoad;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

static bool bindStoreMatrix(Binder &b) {
  MatrixForm form;
  unsigned count;
  if (!takeWhole(b) || !b.require(90) || !takeMatrices(b, form, count))
    return false;
  bool transposed = b.take("trans");
  if (b.take("m16n8")) {
    if (!transposed || !b.take("b8"))
      return b.fail("'.m16n8' needs '.trans' and '.b8'");
    if (!requireBytes(b))
      return false;
    form.dealing = Dealing::ByteColumns;
  } else if (b.take("m8n8") && b.take("b16")) {
    form.dealing = transposed ? Dealing::Columns : Dealing::Rows;
  } else {
    return b.fail("expected '.m8n8' with '.b16' or '.m16n8' with '.b8'");
  }
  if (!bindAddress(b, 0, form.memory))
    return false;
  if (b.sources(1, ptx::Type::B32) != form.registers)
    return b.fail("expected " + std::to_string(form.registers) + " registers");
  b.operation.run = runStore;
  b.operation.kind = InstructionClass::MatrixStore;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

static bool bindMoveMatrix(Binder &b) {
  if (!takeWhole(b) || !b.require(75))
    return false;
  if (!b.take("m8n8") || !b.take("trans") || !b.take("b16"))
    return b.fail("movmatrix must be '.m8n8.trans.b16'");
  b.destination(0, ptx::Type::B32);
  b.source(1, ptx::Type::B32);
  b.operation.run = runMove;
  b.operation.kind = InstructionClass::Move;
  return b.finish();
}

void tilec::sim::addMatrixInstructions(InstructionTable &table) {
  table["ldmatrix"] = bindLoadMatrix;
  table["stmatrix"] = bindStoreMatrix;
  table["movmatrix"] = bindMoveMatrix;
  table["mma"] = bindMma;
  table["wmma"] = bindWmma;
}
