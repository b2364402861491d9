/// The map itself: construction with its checks, evaluation and lookups. Factories are in Blocked.cpp, the shape algebra
/// in Algebra.cpp.
#include "lib/Layout/Layout.h"
#include "lib/Layout/LinearF2.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <map>

using namespace mlir::tile;
using llvm::SmallVector;

static constexpr unsigned maxDimBits = 24, maxTotalBits = 48, maxRegisters = 65536, maxWarps = 64;

static bool isZero(llvm::ArrayRef<int32_t> basis) {
  return llvm::all_of(basis, [](int32_t c) { return c == 0; });
}

/// 2^bits times the digits of that place.
static uint64_t countPlace(unsigned bits, llvm::ArrayRef<Digit> digits, Place place) {
  uint64_t count = uint64_t(1) << bits;
  for (const Digit &digit : digits)
    if (digit.place == place)
      count *= digit.odd;
  return count;
}

static bool fail(std::string *why, const llvm::Twine &message) {
  if (why)
    *why = message.str();
  return false;
}

static bool checkBases(llvm::ArrayRef<Basis> bases, llvm::StringRef kind, unsigned rank, std::string *why) {
  for (auto [index, basis] : llvm::enumerate(bases)) {
    if (basis.size() != rank)
      return fail(why, llvm::Twine(kind) + " basis " + llvm::Twine(index) + " has " + llvm::Twine(basis.size()) +
                           " coordinates, but the tile has rank " + llvm::Twine(rank));
    for (int32_t c : basis)
      if (c < 0 || c >= (1 << maxDimBits))
        return fail(why, llvm::Twine(kind) + " basis " + llvm::Twine(index) + " has coordinate " + llvm::Twine(c) +
                             ", expected 0 to " + llvm::Twine((1 << maxDimBits) - 1));
  }
  return true;
}

static bool checkDigits(llvm::ArrayRef<Digit> digits, unsigned rank, std::string *why) {
  llvm::SmallVector<bool> seen(rank, false);
  for (const Digit &digit : digits) {
    if (digit.odd < 3 || digit.odd % 2 == 0 || digit.odd > maxRegisters)
      return fail(why, "digit " + llvm::Twine(digit.odd) + " is not an odd number of at least 3");
    if (digit.dim == Digit::replicated) {
      if (digit.place != Place::Warp)
        return fail(why, "a replicated digit counts warps, not registers");
      continue;
    }
    if (digit.dim < 0 || unsigned(digit.dim) >= rank)
      return fail(why, "digit " + llvm::Twine(digit.odd) + " names dimension " + llvm::Twine(digit.dim) +
                           ", but the tile has rank " + llvm::Twine(rank));
    if (seen[digit.dim])
      return fail(why, "dimension " + llvm::Twine(digit.dim) + " has more than one digit");
    seen[digit.dim] = true;
  }
  return true;
}

std::optional<Layout> Layout::create(ArrayRef<int64_t> extents, ArrayRef<Basis> registerBases,
                                     ArrayRef<Basis> laneBases, ArrayRef<Basis> warpBases, ArrayRef<Digit> digits,
                                     std::string *why) {
  auto refuse = [&](const llvm::Twine &message) -> std::optional<Layout> {
    fail(why, message);
    return std::nullopt;
  };
  unsigned rank = extents.size();
  for (int64_t extent : extents)
    if (extent < 1 || extent > (int64_t(1) << maxDimBits))
      return refuse("extent " + llvm::Twine(extent) + " is out of range");
  if (laneBases.size() != laneBits)
    return refuse("expected 5 lane bases, but got " + llvm::Twine(laneBases.size()));
  if (registerBases.size() > 16)
    return refuse("more than 16 register bases");
  if (warpBases.size() > 6)
    return refuse("more than 6 warp bases");
  if (digits.size() > rank + 4)
    return refuse("more digits than dimensions");
  if (!checkBases(registerBases, "register", rank, why) || !checkBases(laneBases, "lane", rank, why) ||
      !checkBases(warpBases, "warp", rank, why) || !checkDigits(digits, rank, why))
    return std::nullopt;

  Layout layout;
  layout.tileExtents.assign(extents.begin(), extents.end());
  layout.regs.assign(registerBases.begin(), registerBases.end());
  layout.lanes.assign(laneBases.begin(), laneBases.end());
  layout.warps.assign(warpBases.begin(), warpBases.end());
  layout.oddDigits.assign(digits.begin(), digits.end());
  unsigned totalBits = 0;
  for (unsigned dim = 0; dim < rank; ++dim) {
    uint32_t mask = 0;
    for (ArrayRef<Basis> bases : {registerBases, laneBases, warpBases})
      for (const Basis &basis : bases)
        mask |= basis[dim];
    layout.dimBits.push_back(llvm::bit_width(mask));
    totalBits += layout.dimBits.back();
  }
  if (totalBits > maxTotalBits)
    return refuse("the tile has more than 2^" + llvm::Twine(maxTotalBits) + " positions");

  uint64_t registerCount = 1, warpCount = uint64_t(1) << warpBases.size();
  registerCount <<= registerBases.size();
  for (const Digit &digit : digits) {
    uint64_t &count = digit.place == Place::Register ? registerCount : warpCount;
    count *= digit.odd;
    if (registerCount > maxRegisters || warpCount > maxWarps)
      break;
  }
  if (registerCount > maxRegisters)
    return refuse("more than " + llvm::Twine(maxRegisters) + " registers");
  if (warpCount > maxWarps)
    return refuse("more than " + llvm::Twine(maxWarps) + " warps");

  F2Span span;
  for (auto [index, basis] : llvm::enumerate(registerBases))
    if (!span.insert(layout.pack(basis)))
      return refuse("register basis " + llvm::Twine(index) + " is zero or a combination of the ones before it");
  for (ArrayRef<Basis> bases : {laneBases, warpBases})
    for (const Basis &basis : bases)
      span.insert(layout.pack(basis));
  if (span.dimension() != totalBits)
    return refuse("the bases reach only 2^" + llvm::Twine(span.dimension()) + " of 2^" + llvm::Twine(totalBits) +
                  " positions");
  for (unsigned dim = 0; dim < rank; ++dim)
    if (layout.paddedExtent(dim) < extents[dim])
      return refuse("dimension " + llvm::Twine(dim) + " has extent " + llvm::Twine(extents[dim]) +
                    ", but the bases and digits cover only " + llvm::Twine(layout.paddedExtent(dim)));
  return layout;
}

unsigned Layout::odd(unsigned dim) const {
  for (const Digit &digit : oddDigits)
    if (digit.dim == int(dim))
      return digit.odd;
  return 1;
}

SmallVector<int64_t> Layout::paddedExtents() const {
  SmallVector<int64_t> result;
  for (unsigned dim = 0; dim < rank(); ++dim)
    result.push_back(paddedExtent(dim));
  return result;
}

unsigned Layout::numRegisters() const { return countPlace(regs.size(), oddDigits, Place::Register); }
unsigned Layout::numWarps() const { return countPlace(warps.size(), oddDigits, Place::Warp); }

/// The XOR of the bases of the set bits of `index` along `dim`, plus the digits that the rest of `index` counts.
static int64_t contribution(uint64_t index, llvm::ArrayRef<Basis> bases, llvm::ArrayRef<Digit> digits, Place place,
                            unsigned dim, unsigned dimBits) {
  int64_t offset = 0;
  for (auto [bit, basis] : llvm::enumerate(bases))
    if (index >> bit & 1)
      offset ^= basis[dim];
  index >>= bases.size();
  for (const Digit &digit : digits) {
    if (digit.place != place)
      continue;
    if (digit.dim == int(dim))
      offset += int64_t(index % digit.odd) << dimBits;
    index /= digit.odd;
  }
  return offset;
}

int64_t Layout::registerOffset(unsigned reg, unsigned dim) const {
  return contribution(reg, regs, oddDigits, Place::Register, dim, dimBits[dim]);
}

int64_t Layout::threadOffset(unsigned lane, unsigned warp, unsigned dim) const {
  // The lane part lies in the 2^a part, so XOR never touches the warp's digit term.
  return contribution(lane, lanes, {}, Place::Warp, dim, dimBits[dim]) ^
         contribution(warp, warps, oddDigits, Place::Warp, dim, dimBits[dim]);
}

SmallVector<int64_t> Layout::coordinates(unsigned reg, unsigned lane, unsigned warp) const {
  SmallVector<int64_t> result;
  for (unsigned dim = 0; dim < rank(); ++dim)
    result.push_back(registerOffset(reg, dim) ^ threadOffset(lane, warp, dim));
  return result;
}

bool Layout::isAdditive(unsigned dim) const {
  int32_t registerMask = 0, threadMask = 0;
  for (const Basis &basis : regs)
    registerMask |= basis[dim];
  for (ArrayRef<Basis> bases : {ArrayRef<Basis>(lanes), ArrayRef<Basis>(warps)})
    for (const Basis &basis : bases)
      threadMask |= basis[dim];
  return (registerMask & threadMask) == 0;
}

bool Layout::isSeparable() const {
  for (ArrayRef<Basis> bases : {ArrayRef<Basis>(regs), ArrayRef<Basis>(lanes), ArrayRef<Basis>(warps)})
    for (const Basis &basis : bases)
      if (llvm::count_if(basis, [](int32_t c) { return c != 0; }) > 1)
        return false;
  return true;
}

bool Layout::hasPlainReplication() const {
  unsigned nonzero = 0, total = 0;
  for (ArrayRef<Basis> bases : {ArrayRef<Basis>(regs), ArrayRef<Basis>(lanes), ArrayRef<Basis>(warps)})
    nonzero += llvm::count_if(bases, [](const Basis &basis) { return !isZero(basis); });
  for (unsigned bits : dimBits)
    total += bits;
  return nonzero == total;
}

unsigned Layout::replicatedLanes() const {
  unsigned mask = 0;
  for (auto [bit, basis] : llvm::enumerate(lanes))
    mask |= unsigned(isZero(basis)) << bit;
  return mask;
}

unsigned Layout::replicatedWarpBits() const {
  unsigned mask = 0;
  for (auto [bit, basis] : llvm::enumerate(warps))
    mask |= unsigned(isZero(basis)) << bit;
  return mask;
}

bool Layout::isReplicatedOverWarps() const {
  return replicatedWarpBits() != 0 ||
         llvm::any_of(oddDigits, [](const Digit &digit) { return digit.dim == Digit::replicated; });
}

unsigned Layout::replication() const {
  uint64_t holders = uint64_t(numRegisters()) * numLanes * numWarps();
  for (int64_t extent : paddedExtents())
    holders /= extent;
  return holders;
}

bool Layout::isLive(ArrayRef<int64_t> coordinates) const {
  for (unsigned dim = 0; dim < rank(); ++dim)
    if (coordinates[dim] >= tileExtents[dim])
      return false;
  return true;
}

bool Layout::hasDeadPositions() const {
  for (unsigned dim = 0; dim < rank(); ++dim)
    if (hasDeadPositions(dim))
      return true;
  return false;
}

std::optional<Holder> Layout::find(ArrayRef<int64_t> coordinates) const {
  assert(coordinates.size() == rank());
  Basis low(rank());
  for (unsigned dim = 0; dim < rank(); ++dim) {
    if (coordinates[dim] < 0 || coordinates[dim] >= paddedExtent(dim))
      return std::nullopt;
    low[dim] = coordinates[dim] & ((int64_t(1) << dimBits[dim]) - 1);
  }
  F2Span span;
  for (ArrayRef<Basis> bases : {ArrayRef<Basis>(regs), ArrayRef<Basis>(lanes), ArrayRef<Basis>(warps)})
    for (const Basis &basis : bases)
      span.insert(pack(basis));
  uint64_t solution = *span.solve(pack(low));
  auto take = [&](unsigned bits) {
    unsigned value = solution & ((uint64_t(1) << bits) - 1);
    solution >>= bits;
    return value;
  };
  Holder holder{};
  holder.reg = take(regs.size());
  holder.lane = take(laneBits);
  holder.warp = take(warps.size());
  unsigned registerRadix = 1u << regs.size(), warpRadix = 1u << warps.size();
  for (const Digit &digit : oddDigits) {
    unsigned value = digit.dim == Digit::replicated ? 0 : coordinates[digit.dim] >> dimBits[digit.dim];
    unsigned &radix = digit.place == Place::Register ? registerRadix : warpRadix;
    (digit.place == Place::Register ? holder.reg : holder.warp) += value * radix;
    radix *= digit.odd;
  }
  return holder;
}

std::optional<unsigned> Layout::registerAt(ArrayRef<int64_t> offsets) const {
  for (unsigned reg = 0, e = numRegisters(); reg < e; ++reg) {
    bool same = true;
    for (unsigned dim = 0; dim < rank() && same; ++dim)
      same = registerOffset(reg, dim) == offsets[dim];
    if (same)
      return reg;
  }
  return std::nullopt;
}

/// The dimensions in which a layout is not broadcast to the other's extent.
static SmallVector<unsigned> sharedDims(const Layout &a, const Layout &b) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < a.rank(); ++dim)
    if (b.extents()[dim] != 1 || a.extents()[dim] == 1)
      dims.push_back(dim);
  return dims;
}

/// Whether all threads contribute equally in both layouts along `dims`.
static bool threadsAgree(const Layout &a, const Layout &b, llvm::ArrayRef<unsigned> dims) {
  if (a.warpBases().size() != b.warpBases().size())
    return false;
  auto warpDigits = [](const Layout &layout, unsigned dim) {
    SmallVector<Digit> digits;
    for (Digit digit : layout.digits())
      if (digit.place == Place::Warp) {
        // Only the count matters where the digit moves along other dimensions.
        if (digit.dim != int(dim))
          digit.dim = Digit::replicated;
        digits.push_back(digit);
      }
    return digits;
  };
  for (unsigned dim : dims) {
    auto same = [&](llvm::ArrayRef<Basis> x, llvm::ArrayRef<Basis> y) {
      return llvm::all_of(llvm::zip(x, y), [&](auto pair) {
        return std::get<0>(pair)[dim] == std::get<1>(pair)[dim];
      });
    };
    if (!same(a.laneBases(), b.laneBases()) || !same(a.warpBases(), b.warpBases()) ||
        warpDigits(a, dim) != warpDigits(b, dim))
      return false;
    bool moves = llvm::any_of(a.digits(), [&](Digit d) { return d.place == Place::Warp && d.dim == int(dim); });
    if (moves && a.bits(dim) != b.bits(dim))
      return false;
  }
  return true;
}

std::optional<SmallVector<unsigned>> Layout::registerMapTo(const Layout &other) const {
  if (rank() != other.rank() || numWarps() != other.numWarps())
    return std::nullopt;
  SmallVector<unsigned> dims = sharedDims(*this, other);
  for (unsigned dim : dims)
    if (tileExtents[dim] != other.tileExtents[dim])
      return std::nullopt;
  auto project = [&](const Layout &layout, unsigned reg, unsigned lane, unsigned warp) {
    SmallVector<int64_t> key;
    for (unsigned dim : dims)
      key.push_back(layout.registerOffset(reg, dim) ^ layout.threadOffset(lane, warp, dim));
    return key;
  };
  auto index = [&](unsigned lane, unsigned warp) {
    std::map<SmallVector<int64_t>, unsigned> byPosition;
    for (unsigned reg = 0, e = other.numRegisters(); reg < e; ++reg)
      byPosition.try_emplace(project(other, reg, lane, warp), reg);
    return byPosition;
  };

  // When all threads contribute equally in both layouts, one thread speaks for all.
  constexpr unsigned open = ~0u;
  SmallVector<unsigned> map(numRegisters(), open);
  bool uniform = threadsAgree(*this, other, dims);
  auto isLiveIn = [&](ArrayRef<int64_t> position) {
    return llvm::all_of(llvm::zip(dims, position),
                        [&](auto pair) { return std::get<1>(pair) < tileExtents[std::get<0>(pair)]; });
  };
  auto isLiveAnywhere = [&](unsigned reg) {
    for (unsigned warp = 0, e = numWarps(); warp < e; ++warp)
      for (unsigned lane = 0; lane < numLanes; ++lane)
        if (isLiveIn(project(*this, reg, lane, warp)))
          return true;
    return false;
  };
  for (unsigned warp = 0, e = uniform ? 1 : numWarps(); warp < e; ++warp) {
    for (unsigned lane = 0, l = uniform ? 1 : numLanes; lane < l; ++lane) {
      auto byPosition = index(lane, warp);
      for (unsigned reg = 0; reg < map.size(); ++reg) {
        SmallVector<int64_t> position = project(*this, reg, lane, warp);
        auto found = byPosition.find(position);
        if (found == byPosition.end()) {
          if (uniform ? isLiveAnywhere(reg) : isLiveIn(position))
            return std::nullopt;
          continue;
        }
        if (!uniform && !isLiveIn(position))
          continue;
        if (map[reg] != open && map[reg] != found->second)
          return std::nullopt;
        map[reg] = found->second;
      }
    }
  }
  // Registers that are dead in every thread may take anything.
  for (unsigned &reg : map)
    if (reg == open)
      reg = 0;
  return map;
}

unsigned Layout::contiguity(unsigned dim) const {
  unsigned bit = 0;
  for (; bit < regs.size(); ++bit) {
    Basis unit(rank(), 0);
    unit[dim] = 1 << bit;
    if (regs[bit] != unit)
      break;
    auto touches = [&](const Basis &basis) { return basis[dim] >> bit & 1; };
    if (llvm::any_of(lanes, touches) || llvm::any_of(warps, touches) ||
        llvm::any_of(ArrayRef<Basis>(regs).drop_front(bit + 1), touches))
      break;
  }
  return 1u << bit;
}

uint64_t Layout::pack(ArrayRef<int32_t> basis) const {
  uint64_t packed = 0;
  unsigned shift = 0;
  for (auto [coordinate, bits] : llvm::zip(basis, dimBits)) {
    packed |= uint64_t(coordinate) << shift;
    shift += bits;
  }
  return packed;
}

std::string Layout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto printBases = [&](StringRef name, ArrayRef<Basis> bases) {
    os << ", " << name << " [";
    llvm::interleaveComma(bases, os, [&](const Basis &basis) {
      os << "(";
      llvm::interleave(basis, os, ",");
      os << ")";
    });
    os << "]";
  };
  os << "layout<";
  llvm::interleave(tileExtents, os, "x");
  printBases("register", regs);
  printBases("lane", lanes);
  printBases("warp", warps);
  for (const Digit &digit : oddDigits)
    os << ", digit " << digit.odd << (digit.place == Place::Register ? " register" : " warp") << " dim " << digit.dim;
  os << ">";
  return text;
}

bool Layout::operator==(const Layout &o) const {
  return tileExtents == o.tileExtents && regs == o.regs && lanes == o.lanes && warps == o.warps &&
         oddDigits == o.oddDigits;
}

llvm::hash_code mlir::tile::hash_value(const Layout &layout) {
  llvm::hash_code hash = llvm::hash_combine_range(layout.tileExtents.begin(), layout.tileExtents.end());
  for (const SmallVector<Basis> *bases : {&layout.regs, &layout.lanes, &layout.warps})
    for (const Basis &basis : *bases)
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(basis.begin(), basis.end()));
  for (const Digit &digit : layout.oddDigits)
    hash = llvm::hash_combine(hash, digit.dim, digit.odd, unsigned(digit.place));
  return llvm::hash_combine(hash, layout.regs.size(), layout.warps.size());
}
