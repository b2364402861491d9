/// wmma.load, wmma.store and wmma.mma (PTX ISA, "Matrix multiply-accumulate operation using wmma instructions"). The
/// ISA leaves open which thread holds which element; here a fragment is dealt as follows. A is packed row by row, B
/// column by column, and word w of that is register w / 32 of lane w % 32; f16, which has eight registers whatever the
/// shape, repeats them. Element e of C in a lane is element (e / 2 * 32 + lane) * 2 + e % 2 of the matrix row by row,
/// whatever its type, so programs that convert accumulators element by element get what they expect.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MatrixFamilies.h"
#include "lib/Simulator/Execute/MatrixFragment.h"
#include "lib/Simulator/Execute/MemoryForm.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;
using Arithmetic = MatrixProduct::Arithmetic;

namespace {
/// A fragment and its matrix. `lines` are what is contiguous when packed: rows of A and C, columns of B.
struct Fragment {
  unsigned lines = 16, length = 16, bits = 16;
  /// Registers that differ, and registers in the text.
  unsigned distinct = 4, registers = 4;
  bool isAccumulator = false;

  unsigned lineBytes() const { return length * bits / 8; }
  unsigned bytes() const { return lines * lineBytes(); }
  unsigned registerBytes() const { return bits == 64 ? 8 : 4; }
};

struct MemoryAccess {
  Fragment fragment;
  MemoryForm memory;
  /// Memory's contiguous dimension is that of the packed matrix.
  bool natural = true;
  bool hasStride = false;
  Row stride;
  const Row *registers = nullptr;
};

struct Product {
  MatrixProduct product;
  Fragment a, b, c, d;
};
} // namespace

/// A whole matrix: at most 32 x 16 of f32, or 8 x 16 of f64.
using Packed = std::byte[2048];

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Calls `body(register, lane, offset in the packed matrix, bytes in the register)` for each piece of a fragment.
template <typename Body> static void forPieces(const Fragment &fragment, Body body) {
  unsigned word = fragment.registerBytes();
  for (unsigned r = 0; r < fragment.distinct; ++r)
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned index =
          fragment.isAccumulator && fragment.bits >= 32 ? (r / 2 * warpSize + lane) * 2 + r % 2 : r * warpSize + lane;
      body(r, lane, index * word);
    }
}

static void toPacked(const Fragment &fragment, const Row *rows, const std::byte *base, Packed packed) {
  unsigned word = fragment.registerBytes();
  forPieces(fragment, [&](unsigned r, unsigned lane, unsigned at) {
    std::memcpy(packed + at, base + rows[r].offset + lane * word, word);
  });
}

static void fromPacked(const Fragment &fragment, const Row *rows, std::byte *base, const Packed packed) {
  unsigned word = fragment.registerBytes();
  forPieces(fragment, [&](unsigned r, unsigned lane, unsigned at) {
    for (unsigned copy = r; copy < fragment.registers; copy += fragment.distinct)
      std::memcpy(base + rows[copy].offset + lane * word, packed + at, word);
  });
}

/// The undefined bits of registers, packed; false: none.
static bool undefinedPacked(const Execution &x, const Fragment &fragment, const Row *rows, Packed bits) {
  if (!anyMayBeUndefined(x, rows, fragment.distinct))
    return false;
  forPieces(fragment, [&](unsigned r, unsigned lane, unsigned at) {
    uint64_t value = x.undefinedBits(rows[r], lane);
    std::memcpy(bits + at, &value, fragment.registerBytes());
  });
  return true;
}

static void setUndefinedPacked(const Execution &x, const Fragment &fragment, const Row *rows, const Packed bits) {
  for (unsigned r = 0; r < fragment.registers; ++r)
    x.setDefined(rows[r], allLanes);
  forPieces(fragment, [&](unsigned r, unsigned lane, unsigned at) {
    uint64_t value = 0;
    std::memcpy(&value, bits + at, fragment.registerBytes());
    for (unsigned copy = r; value && copy < fragment.registers; copy += fragment.distinct)
      x.setUndefinedBits(rows[copy], lane, value);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Copies between a line of memory and the packed matrix; a line that is not natural is dealt element by element.
template <bool toMemory>
static void moveLine(const MemoryAccess &access, unsigned line, std::byte *memory, std::byte *packed) {
  const Fragment &fragment = access.fragment;
  auto move = [](std::byte *memory, std::byte *packed, unsigned bytes) {
    toMemory ? std::memcpy(memory, packed, bytes) : std::memcpy(packed, memory, bytes);
  };
  if (access.natural)
    return move(memory, packed + line * fragment.lineBytes(), fragment.lineBytes());
  unsigned element = fragment.bits / 8;
  for (unsigned i = 0; i < fragment.lines; ++i)
    move(memory + i * element, packed + i * fragment.lineBytes() + line * element, element);
}

/// The address and the stride in bytes, which must be the same in all lanes.
static bool readAddress(Execution &x, const Operation &op, const MemoryAccess &access, uint64_t &address,
                        uint64_t &stride) {
  const Fragment &fragment = access.fragment;
  x.requireDefined(op, access.memory.base, allLanes, "address");
  uint64_t elements = access.natural ? fragment.length : fragment.lines;
  if (access.hasStride) {
    x.requireDefined(op, access.stride, allLanes, "stride");
    elements = x.value(access.stride, 0);
  }
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (x.value(access.memory.base, lane) != x.value(access.memory.base, 0) ||
        (access.hasStride && x.value(access.stride, lane) != elements)) {
      x.stop(FindingKind::InvalidOperand, op, lane, "the address and the stride must be the same in all threads");
      return false;
    }
  address = x.value(access.memory.base, 0) + static_cast<uint64_t>(access.memory.offset);
  if (access.memory.wraps)
    address = static_cast<uint32_t>(address);
  stride = elements * fragment.bits / 8;
  return true;
}

static void count(Execution &x, const Operation &op, Place first, unsigned lines, unsigned lineBytes, uint64_t stride,
                  bool isStore) {
  AccessCounters one;
  one.requests = 1;
  one.bytes = uint64_t(lines) * lineBytes;
  bool shared = first.region->space == ptx::Space::Shared;
  if (shared) {
    // Which lanes access what is not specified, so no conflicts are counted.
    one.wavefronts = one.minimumWavefronts = (one.bytes + 127) / 128;
  } else {
    uint64_t last = ~uint64_t(0);
    for (unsigned line = 0; line < lines; ++line) {
      uint64_t begin = (first.region->base + first.offset + line * stride) / 32;
      uint64_t end = (first.region->base + first.offset + line * stride + lineBytes - 1) / 32;
      one.sectors += end - begin + (begin != last);
      last = end;
    }
  }
  Counters &counters = *x.counters;
  if (counters.accesses.size() <= op.index)
    counters.accesses.resize(std::max<size_t>(x.grid->program->operations.size(), op.index + 1));
  counters.accesses[op.index].add(one);
  (shared    ? isStore ? counters.sharedStores : counters.sharedLoads
   : isStore ? counters.globalStores
             : counters.globalLoads)
      .add(one);
}

template <bool isStore> static Outcome runMemory(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  const auto &access = op.detailAs<MemoryAccess>();
  const Fragment &fragment = access.fragment;
  uint64_t address, stride;
  if (!readAddress(x, op, access, address, stride))
    return Outcome::Next;
  unsigned lines = access.natural ? fragment.lines : fragment.length;
  unsigned lineBytes = fragment.bytes() / lines,
           alignment = std::min(16u, fragment.registers * fragment.registerBytes());
  Packed packed = {}, bits = {};
  bool undefined = false;
  if (isStore) {
    toPacked(fragment, access.registers, x.registers, packed);
    undefined = x.check && undefinedPacked(x, fragment, access.registers, bits);
  }
  Place first;
  for (unsigned line = 0; line < lines; ++line) {
    Place place = locate(x, op, 0, access.memory.space, address + line * stride, lineBytes, alignment,
                         isStore ? AccessKind::Write : AccessKind::Read);
    if (!place) {
      std::byte ones[256];
      std::memset(ones, 0xff, sizeof ones);
      if (!isStore)
        moveLine<false>(access, line, ones, bits);
      continue;
    }
    if (!first)
      first = place;
    std::byte values[256], undefinedBits[256];
    if (isStore) {
      moveLine<true>(access, line, values, packed);
      moveLine<true>(access, line, undefinedBits, bits);
      writeMemory(x, op, warpSize, place, values, undefined ? undefinedBits : nullptr, lineBytes);
    } else {
      readMemory(x, op, warpSize, place, values, undefinedBits, lineBytes);
      moveLine<false>(access, line, values, packed);
      if (x.check)
        moveLine<false>(access, line, undefinedBits, bits);
    }
  }
  if (!isStore) {
    fromPacked(fragment, access.registers, x.registers, packed);
    if (x.check)
      setUndefinedPacked(x, fragment, access.registers, bits);
  }
  if (first)
    count(x, op, first, lines, lineBytes, stride, isStore);
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

/// Lines of a packed factor that have an undefined bit.
template <typename Mark>
static void markLines(const Execution &x, const Fragment &fragment, const Row *rows, Mark mark) {
  Packed bits;
  if (!undefinedPacked(x, fragment, rows, bits))
    return;
  for (unsigned i = 0; i < fragment.bytes(); ++i)
    if (bits[i] != std::byte{0})
      mark(i / fragment.lineBytes());
}

/// Widens f16 accumulators to the words of MatrixProduct.h and back.
static void widen(const Packed from, unsigned count, uint32_t *to) {
  for (unsigned i = 0; i < count; ++i) {
    uint16_t half;
    std::memcpy(&half, from + 2 * i, 2);
    to[i] = half;
  }
}
static void narrow(const uint32_t *from, unsigned count, Packed to) {
  for (unsigned i = 0; i < count; ++i) {
    auto half = static_cast<uint16_t>(from[i]);
    std::memcpy(to + 2 * i, &half, 2);
  }
}

static Outcome runProduct(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  const auto &form = op.detailAs<Product>();
  const MatrixProduct &p = form.product;
  const Row *rowsOfA = op.rows + op.destinations, *rowsOfB = rowsOfA + form.a.registers,
            *rowsOfC = rowsOfB + form.b.registers;
  alignas(8) Packed a, b, c;
  alignas(8) uint32_t sums[256];
  unsigned elements = p.m * p.n;
  toPacked(form.a, rowsOfA, x.registers, a);
  toPacked(form.b, rowsOfB, x.registers, b);
  toPacked(form.c, rowsOfC, x.registers, c);
  Packed undefinedC;
  bool anyC = false;
  UndefinedResults undefined;
  if (x.check) {
    markLines(x, form.a, rowsOfA, [&](unsigned i) { undefined.addRow(i); });
    markLines(x, form.b, rowsOfB, [&](unsigned j) { undefined.addColumn(j); });
    anyC = undefinedPacked(x, form.c, rowsOfC, undefinedC);
  }
  if (p.halfC)
    widen(c, elements, sums);
  else
    std::memcpy(sums, c, form.c.bytes());
  multiply(p, a, b, nullptr, nullptr, nullptr, sums, sums);
  if (p.halfD)
    narrow(sums, elements, c);
  else
    std::memcpy(c, sums, form.d.bytes());
  fromPacked(form.d, op.rows, x.registers, c);
  if (x.check) {
    Packed bits = {};
    unsigned from = form.c.bits / 8, to = form.d.bits / 8;
    for (unsigned i = 0; (anyC || !undefined.empty()) && i < elements; ++i) {
      bool bad = undefined(i / p.n, i % p.n, p);
      for (unsigned byte = 0; anyC && byte < from; ++byte)
        bad |= undefinedC[i * from + byte] != std::byte{0};
      std::memset(bits + i * to, bad ? 0xff : 0, to);
    }
    setUndefinedPacked(x, form.d, op.rows, bits);
  }
  x.counters->matrixMultiplyAdds += uint64_t(p.m) * p.n * p.k;
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static Fragment fragmentOf(const MatrixProduct &p, char which, unsigned bits) {
  Fragment fragment;
  fragment.isAccumulator = which == 'c';
  fragment.bits = bits;
  fragment.lines = which == 'b' ? p.n : p.m;
  fragment.length = which == 'c' ? p.n : p.k;
  fragment.distinct = fragment.bytes() / (fragment.registerBytes() * warpSize);
  fragment.registers = which != 'c' && p.arithmetic == Arithmetic::Float && p.a == OperandFormat::F16 && bits == 16
                           ? 8
                           : fragment.distinct;
  return fragment;
}

static bool isShape(const MatrixProduct &p, unsigned m, unsigned n, unsigned k) {
  return p.m == m && p.n == n && p.k == k;
}

/// Whether the ISA has the shape for factors of these types.
static bool checkShape(Binder &b, const MatrixProduct &p, unsigned bits) {
  bool right = bits == 64   ? isShape(p, 8, 8, 4)
               : bits == 32 ? isShape(p, 16, 16, 8)
               : bits >= 8  ? isShape(p, 16, 16, 16) || isShape(p, 8, 32, 16) || isShape(p, 32, 8, 16)
               : bits == 4  ? isShape(p, 8, 8, 32)
                            : isShape(p, 8, 8, 128);
  bool isHalf = p.arithmetic == Arithmetic::Float && p.a == OperandFormat::F16;
  unsigned sm = bits >= 16 && !isHalf ? 80 : bits == 16 ? 70 : bits == 8 ? 72 : 75;
  return right ? b.require(sm) : b.fail("this shape is not known with these types");
}

static bool bindMemory(Binder &b, bool isStore) {
  MemoryAccess access;
  MatrixProduct p;
  int matrix = isStore ? (b.take("d") ? 2 : -1) : b.takeOneOf({"a", "b", "c"});
  if (matrix < 0)
    return b.fail("expected the matrix");
  int layout = b.takeOneOf({"row", "col"});
  access.memory.space = takeAddressSpace(b, {"global", "shared"});
  std::string_view type;
  bool hasShape = false;
  for (int i = 0; i < 2; ++i) {
    std::string_view next = b.takeNext();
    if (readShape(next, p))
      hasShape = true;
    else
      type = next;
  }
  if (layout < 0 || !hasShape)
    return b.fail("expected a layout and a shape");
  unsigned bits = 32;
  if (matrix == 2) {
    bool known = type == "f16" || type == "f32" || type == "s32" || type == "f64";
    if (!known || p.m * p.n < 64 || p.m * p.n > 256)
      return b.fail("accumulators of type '." + std::string(type) + "' are not known");
    bits = type == "f16" ? 16 : type == "f64" ? 64 : 32;
  } else {
    if (!setFactor(p, true, type))
      return b.fail("factors of type '." + std::string(type) + "' are not known");
    bits = p.bits;
    if (p.arithmetic == Arithmetic::Float && bits == 8)
      return b.fail("factors of type '." + std::string(type) + "' are not known");
    if (!checkShape(b, p, bits))
      return false;
  }
  access.fragment = fragmentOf(p, matrix == 0 ? 'a' : matrix == 1 ? 'b' : 'c', bits);
  access.natural = (layout == 0) == (matrix != 1);
  if (bits < 8 && !access.natural)
    return b.fail("elements below a byte need A by rows and B by columns");
  ptx::Type registerType = bits == 64 ? ptx::Type::F64 : ptx::Type::B32;
  access.memory.type = registerType;
  unsigned found = 0;
  if (!isStore)
    found = b.destinations(0, registerType);
  if (!bindAddress(b, isStore ? 0 : 1, access.memory))
    return false;
  if (isStore)
    found = b.sources(1, registerType);
  if (found != access.fragment.registers)
    return b.fail("expected " + std::to_string(access.fragment.registers) + " registers, found " +
                  std::to_string(found));
  if (b.operandCount() > 2) {
    access.hasStride = true;
    access.stride = b.source(2, ptx::Type::U32);
  }
  b.operation.run = isStore ? runMemory<true> : runMemory<false>;
  b.operation.kind = isStore ? InstructionClass::MatrixStore : InstructionClass::MatrixLoad;
  auto *kept = const_cast<MemoryAccess *>(b.builder().program().keep(access));
  b.operation.detail = kept;
  if (!b.finish())
    return false;
  // Of a store the address is the first source.
  kept->registers = b.operation.rows + (isStore ? 1 : 0);
  return true;
}

static bool bindProduct(Binder &b) {
  Product form;
  MatrixProduct &p = form.product;
  int bitOperation = b.takeOneOf({"xor", "and"});
  bool counts = b.take("popc");
  p.bitOperation = bitOperation == 1 ? BitOperation::And : BitOperation::Xor;
  p.saturate = b.take("satfinite");
  for (int i = 0; i < 2; ++i)
    if (b.takeOneOf({"row", "col"}) < 0)
      return b.fail("expected two layouts");
  if (b.takeOneOf({"rz", "rm", "rp"}) >= 0)
    return b.fail("roundings other than '.rn' are not simulated");
  b.take("rn");
  if (!readShape(b.takeNext(), p))
    return b.fail("expected a shape such as '.m16n16k16'");
  std::string_view types[4];
  unsigned typeCount = 0;
  for (; typeCount < 4; ++typeCount)
    if (types[typeCount] = b.takeNext(); types[typeCount].empty())
      break;
  if (typeCount == 2) { // .dtype.ctype of f16
    types[3] = types[1];
    types[1] = types[2] = "f16";
  } else if (typeCount != 4) {
    return b.fail("expected two or four types");
  }
  MatrixProduct other = p;
  if (!setFactor(p, true, types[1]) || !setFactor(other, false, types[2]) || other.arithmetic != p.arithmetic ||
      other.bits != p.bits || (p.arithmetic == Arithmetic::Float && (p.bits == 8 || other.b != p.a)) ||
      (p.arithmetic == Arithmetic::Integer && other.integerB != p.integerA))
    return b.fail("factors of these types are not known");
  p.b = other.b;
  p.integerB = other.integerB;
  if (!checkShape(b, p, p.bits))
    return false;
  if ((p.arithmetic == Arithmetic::Bits) != (bitOperation >= 0 && counts))
    return b.fail("'.xor.popc' or '.and.popc' goes with factors of type '.b1'");
  if (p.saturate && p.arithmetic != Arithmetic::Integer)
    return b.fail("'.satfinite' goes with integers");
  std::string_view wide = p.arithmetic == Arithmetic::Double  ? "f64"
                          : p.arithmetic == Arithmetic::Float ? "f32"
                                                              : "s32";
  bool isHalf = p.arithmetic == Arithmetic::Float && p.a == OperandFormat::F16;
  p.halfD = types[0] == "f16";
  p.halfC = types[3] == "f16";
  for (std::string_view type : {types[0], types[3]})
    if (type != wide && !(type == "f16" && isHalf))
      return b.fail("accumulators of type '." + std::string(type) + "' are not allowed with these factors");
  if (p.halfD && !p.halfC)
    return b.fail("f16 results of f32 accumulators are not simulated yet");
  if (p.arithmetic == Arithmetic::Float)
    p.model = accumulationModel(b.builder().device().sm, TensorInstruction::Mma, p.a, p.b,
                                p.halfD ? ResultFormat::F16 : ResultFormat::F32, p.k);
  unsigned wideBits = p.bits == 64 ? 64 : 32;
  form.a = fragmentOf(p, 'a', p.bits);
  form.b = fragmentOf(p, 'b', p.bits);
  form.c = fragmentOf(p, 'c', p.halfC ? 16 : wideBits);
  form.d = fragmentOf(p, 'c', p.halfD ? 16 : wideBits);
  ptx::Type type = p.bits == 64 ? ptx::Type::F64 : ptx::Type::B32;
  bool right = b.destinations(0, type) == form.d.registers;
  right &= b.sources(1, type) == form.a.registers;
  right &= b.sources(2, type) == form.b.registers;
  right &= b.sources(3, type) == form.c.registers;
  if (!right)
    return b.fail("expected " + std::to_string(form.d.registers) + ", " + std::to_string(form.a.registers) + ", " +
                  std::to_string(form.b.registers) + " and " + std::to_string(form.c.registers) + " registers");
  b.operation.run = runProduct;
  b.operation.kind = InstructionClass::MatrixProduct;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

bool tilec::sim::bindWmma(Binder &b) {
  int what = b.takeOneOf({"load", "store", "mma"});
  if (what < 0)
    return b.fail("expected '.load', '.store' or '.mma'");
  if (!b.take("sync") || !b.take("aligned"))
    return b.fail("must be '.sync.aligned'");
  return what == 2 ? bindProduct(b) : bindMemory(b, what == 1);
}
