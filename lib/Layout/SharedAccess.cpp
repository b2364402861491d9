/// One class computes what every basis and digit contributes to the address; vector accesses and ldmatrix then only
/// differ in which bits count as lanes and which as groups.
#include "lib/Layout/SharedAccess.h"
#include "lib/Layout/Access.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir::tile;
using llvm::ArrayRef;
using llvm::SmallVector;

AddressTerm ThreadAddress::at(unsigned lane, unsigned warp) const {
  AddressTerm result;
  auto apply = [&](unsigned number, ArrayRef<AddressTerm> terms) {
    for (auto [bit, term] : llvm::enumerate(terms))
      if (number >> bit & 1) {
        result.xorPart ^= term.xorPart;
        result.addPart += term.addPart;
      }
  };
  apply(lane, laneBits);
  apply(warp, warpBits);
  warp >>= warpBits.size();
  for (auto [radix, step] : warpDigits) {
    result.addPart += warp % radix * step;
    warp /= radix;
  }
  return result;
}

int64_t ThreadAddress::xorMask() const {
  int64_t mask = 0;
  for (ArrayRef<AddressTerm> terms : {ArrayRef<AddressTerm>(laneBits), ArrayRef<AddressTerm>(warpBits)})
    for (const AddressTerm &term : terms)
      mask |= term.xorPart;
  return mask;
}

static int64_t combine(const ThreadAddress &thread, const SharedGroup &group, unsigned lane, unsigned warp) {
  AddressTerm term = thread.at(lane, warp);
  return (term.xorPart ^ group.xorPart) + term.addPart + group.addPart;
}

bool SharedAccessPlan::additive() const {
  return llvm::all_of(groups, [](const SharedGroup &group) { return group.xorPart == 0; });
}

int64_t SharedAccessPlan::address(const SharedGroup &group, unsigned lane, unsigned warp) const {
  return combine(thread, group, lane, warp);
}

/// The passes of all groups for the first `lanes` lanes of one warp. Equal XOR constants and sums that differ by whole
/// rounds of the banks cost the same, so each kind is counted once.
template <typename Plan>
static unsigned countWavefronts(const Plan &plan, unsigned lanes, unsigned bytesPerLane, unsigned warp) {
  std::map<std::pair<int64_t, int64_t>, unsigned> counted;
  unsigned total = 0;
  for (const SharedGroup &group : plan.groups) {
    auto [entry, isNew] = counted.try_emplace({group.xorPart, group.addPart % 128}, 0);
    if (isNew) {
      SmallVector<int64_t> addresses;
      for (unsigned lane = 0; lane < lanes; ++lane)
        addresses.push_back(plan.address(group, lane, warp));
      entry->second = bankWavefronts(addresses, bytesPerLane);
    }
    total += entry->second;
  }
  return total;
}

unsigned SharedAccessPlan::wavefronts(unsigned elementBytes, unsigned warp) const {
  return countWavefronts(*this, Layout::numLanes, vectorElements * elementBytes, warp);
}

int64_t LdMatrixPlan::address(const SharedGroup &group, unsigned lane, unsigned warp) const {
  return combine(row, group, lane, warp);
}

unsigned LdMatrixPlan::wavefronts(unsigned warp) const { return countWavefronts(*this, 8 * matrices, 16, warp); }

namespace {
/// One coordinate bit.
struct CoordinateBit {
  unsigned dim, bit;
  /// Bytes it adds to the linear offset.
  int64_t bytes;
  /// How many bases set it.
  unsigned users = 0;
  /// Its split, see AddressTerms.
  AddressTerm term;
};

/// What bases and digits contribute. A coordinate bit that only one basis sets may be added: its part within the
/// swizzle's period is XORed (before the swizzle), the rest added. A bit that several bases set is a true XOR and must
/// be XORed entirely. All XORed parts must be disjoint, or carries would tell XOR and sum apart.
class AddressTerms {
public:
  static std::optional<AddressTerms> create(const Layout &layout, const SharedLayout &shared);

  AddressTerm ofBasis(const Basis &basis) const;
  /// Bytes per step of a digit.
  int64_t ofDigit(const Digit &digit) const;
  /// Whether `basis` is the only one to set exactly one coordinate bit, worth `bytes` bytes.
  bool isPlainUnit(const Basis &basis, int64_t bytes) const;
  /// Whether all coordinate bits worth `bytes` or more and all digits are multiples of `bytes`.
  bool isAligned(int64_t bytes) const;

private:
  AddressTerms(const Layout &layout, const SharedLayout &shared) : layout(layout), shared(shared) {}
  int64_t bytesOf(unsigned dim, int64_t coordinate) const {
    SmallVector<int64_t> coordinates(layout.rank(), 0);
    coordinates[dim] = coordinate;
    return shared.linear(coordinates);
  }
  bool splitBits();
  bool digitsAreLinear() const;

  const Layout &layout;
  const SharedLayout &shared;
  SmallVector<CoordinateBit> coordinateBits;
};
} // namespace

std::optional<AddressTerms> AddressTerms::create(const Layout &layout, const SharedLayout &shared) {
  if (layout.rank() != shared.rank())
    return std::nullopt;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    if (layout.extents()[dim] > shared.extents()[dim])
      return std::nullopt;
  AddressTerms terms(layout, shared);
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    for (unsigned bit = 0; bit < layout.bits(dim); ++bit) {
      CoordinateBit entry{dim, bit, terms.bytesOf(dim, int64_t(1) << bit), 0, {}};
      for (ArrayRef<Basis> bases : {layout.registerBases(), layout.laneBases(), layout.warpBases()})
        for (const Basis &basis : bases)
          entry.users += basis[dim] >> bit & 1;
      terms.coordinateBits.push_back(entry);
    }
  if (!terms.splitBits() || !terms.digitsAreLinear())
    return std::nullopt;
  return terms;
}

bool AddressTerms::splitBits() {
  int64_t period = shared.swizzleBytes() ? shared.alignment() : 1, taken = 0;
  for (CoordinateBit &entry : coordinateBits) {
    int64_t inside = entry.users > 1 ? entry.bytes : entry.bytes & (period - 1);
    if (taken & inside)
      return false;
    taken |= inside;
    entry.term = {inside, entry.bytes - inside};
  }
  return true;
}

bool AddressTerms::digitsAreLinear() const {
  int64_t period = shared.swizzleBytes() ? shared.alignment() : 1;
  for (const Digit &digit : layout.digits()) {
    if (digit.dim == Digit::replicated)
      continue;
    int64_t step = ofDigit(digit);
    // A digit may not cut a slab, nor reach into the swizzle.
    if (step % period)
      return false;
    for (unsigned value = 2; value < digit.odd; ++value)
      if (bytesOf(digit.dim, int64_t(value) << layout.bits(digit.dim)) != value * step)
        return false;
    // Nor may the 2^a part below it, as digit and bits are summed.
    int64_t low = (int64_t(1) << layout.bits(digit.dim)) - 1, high = int64_t(digit.odd - 1) << layout.bits(digit.dim);
    if (bytesOf(digit.dim, low + high) != bytesOf(digit.dim, low) + bytesOf(digit.dim, high))
      return false;
  }
  return true;
}

AddressTerm AddressTerms::ofBasis(const Basis &basis) const {
  AddressTerm result;
  for (const CoordinateBit &entry : coordinateBits)
    if (basis[entry.dim] >> entry.bit & 1) {
      result.xorPart ^= entry.term.xorPart;
      result.addPart += entry.term.addPart;
    }
  result.xorPart = shared.swizzled(result.xorPart);
  return result;
}

int64_t AddressTerms::ofDigit(const Digit &digit) const {
  return digit.dim == Digit::replicated ? 0 : bytesOf(digit.dim, int64_t(1) << layout.bits(digit.dim));
}

bool AddressTerms::isPlainUnit(const Basis &basis, int64_t bytes) const {
  unsigned hits = 0;
  for (const CoordinateBit &entry : coordinateBits)
    if (basis[entry.dim] >> entry.bit & 1) {
      if (entry.users != 1 || entry.bytes != bytes)
        return false;
      ++hits;
    }
  return hits == 1;
}

bool AddressTerms::isAligned(int64_t bytes) const {
  return llvm::all_of(coordinateBits,
                      [&](const CoordinateBit &e) { return e.bytes < bytes || e.bytes % bytes == 0; }) &&
         llvm::all_of(layout.digits(), [&](const Digit &digit) { return ofDigit(digit) % bytes == 0; });
}

/// The register basis that is a plain unit of `bytes`, if any.
static std::optional<unsigned> registerUnit(const AddressTerms &terms, const Layout &layout, int64_t bytes) {
  for (auto [bit, basis] : llvm::enumerate(layout.registerBases()))
    if (terms.isPlainUnit(basis, bytes))
      return bit;
  return std::nullopt;
}

static SmallVector<AddressTerm> termsOf(const AddressTerms &terms, llvm::ArrayRef<Basis> bases) {
  return llvm::map_to_vector(bases, [&](const Basis &basis) { return terms.ofBasis(basis); });
}

/// The thread address with the layout's own warps; the caller sets the lanes.
static ThreadAddress warpAddress(const AddressTerms &terms, const Layout &layout) {
  ThreadAddress thread;
  thread.laneBits.resize(Layout::laneBits);
  thread.warpBits = termsOf(terms, layout.warpBases());
  for (const Digit &digit : layout.digits())
    if (digit.place == Place::Warp)
      thread.warpDigits.push_back({digit.odd, terms.ofDigit(digit)});
  return thread;
}

/// One group per combination of the register bits outside `inner` and of the digits; each lists the registers over the
/// bits of `inner`, the first innermost.
static SmallVector<SharedGroup> groupsOf(const AddressTerms &terms, const Layout &layout,
                                         llvm::ArrayRef<unsigned> inner, const ThreadAddress &thread) {
  SmallVector<AddressTerm> registerTerms = termsOf(terms, layout.registerBases());
  int64_t threadMask = thread.xorMask();
  unsigned innerMask = 0;
  for (unsigned bit : inner)
    innerMask |= 1u << bit;
  SmallVector<SharedGroup> groups;
  for (unsigned reg = 0, e = layout.numRegisters(); reg < e; ++reg) {
    if (reg & innerMask & ((1u << registerTerms.size()) - 1))
      continue;
    SharedGroup group;
    for (unsigned i = 0; i < 1u << inner.size(); ++i) {
      unsigned member = reg;
      for (auto [place, bit] : llvm::enumerate(inner))
        member |= (i >> place & 1) << bit;
      group.registers.push_back(member);
    }
    unsigned rest = reg >> registerTerms.size();
    for (auto [bit, term] : llvm::enumerate(registerTerms))
      if (reg >> bit & 1) {
        group.xorPart ^= term.xorPart;
        group.addPart += term.addPart;
      }
    for (const Digit &digit : layout.digits())
      if (digit.place == Place::Register) {
        group.addPart += rest % digit.odd * terms.ofDigit(digit);
        rest /= digit.odd;
      }
    // Bits that no thread sets are the same XORed or added.
    group.addPart += group.xorPart & ~threadMask;
    group.xorPart &= threadMask;
    groups.push_back(group);
  }
  return groups;
}

std::optional<SharedAccessPlan> mlir::tile::planSharedAccess(const Layout &layout, const SharedLayout &shared,
                                                             unsigned maxVectorBytes) {
  std::optional<AddressTerms> terms = AddressTerms::create(layout, shared);
  if (!terms)
    return std::nullopt;
  int64_t bytes = shared.elementBytes();
  SmallVector<unsigned> vectorBits;
  while (2 * bytes <= std::min(maxVectorBytes, 16u)) {
    std::optional<unsigned> bit = registerUnit(*terms, layout, bytes);
    if (!bit || !terms->isAligned(2 * bytes))
      break;
    vectorBits.push_back(*bit);
    bytes *= 2;
  }
  SharedAccessPlan plan;
  plan.vectorElements = 1u << vectorBits.size();
  plan.thread = warpAddress(*terms, layout);
  plan.thread.laneBits = termsOf(*terms, layout.laneBases());
  plan.groups = groupsOf(*terms, layout, vectorBits, plan.thread);
  return plan;
}

/// The register bits that make up a word, and the lane bits that number the rows of an 8x8 matrix.
namespace {
struct MatrixShape {
  bool transposed;
  SmallVector<unsigned> wordBits;
  /// The bases behind bits 0, 1 and 2 of the row number.
  SmallVector<Basis> rows;
};
} // namespace

static std::optional<MatrixShape> matrixShape(const AddressTerms &terms, const Layout &layout,
                                              const SharedLayout &shared) {
  ArrayRef<Basis> lanes = layout.laneBases();
  // Without .trans: a word of consecutive elements, four words along memory by lane % 4, rows by lane / 4.
  MatrixShape plain{false, {}, {lanes[2], lanes[3], lanes[4]}};
  bool fits = terms.isPlainUnit(lanes[0], 4) && terms.isPlainUnit(lanes[1], 8);
  for (int64_t bytes = shared.elementBytes(); bytes < 4 && fits; bytes *= 2) {
    std::optional<unsigned> bit = registerUnit(terms, layout, bytes);
    fits = bit.has_value();
    if (bit)
      plain.wordBits.push_back(*bit);
  }
  if (fits)
    return plain;
  // With .trans: lane / 4 runs along memory; rows 2(lane % 4) and the next make up the word.
  if (shared.elementBytes() != 2 || layout.registerBases().empty())
    return std::nullopt;
  for (unsigned i = 0; i < 3; ++i)
    if (!terms.isPlainUnit(lanes[2 + i], 2 << i))
      return std::nullopt;
  return MatrixShape{true, {0}, {layout.registerBases()[0], lanes[0], lanes[1]}};
}

std::optional<LdMatrixPlan> mlir::tile::planLdMatrix(const Layout &layout, const SharedLayout &shared) {
  if (shared.elementBytes() > 4)
    return std::nullopt;
  std::optional<AddressTerms> terms = AddressTerms::create(layout, shared);
  if (!terms || !terms->isAligned(16))
    return std::nullopt;
  std::optional<MatrixShape> shape = matrixShape(*terms, layout, shared);
  if (!shape)
    return std::nullopt;
  LdMatrixPlan plan;
  plan.transposed = shape->transposed;
  plan.elementsPerWord = 1u << shape->wordBits.size();
  plan.row = warpAddress(*terms, layout);
  for (unsigned i = 0; i < 3; ++i)
    plan.row.laneBits[i] = terms->ofBasis(shape->rows[i]);
  // The next register bits tell the matrices of one instruction apart; lanes 8-31 supply their rows.
  SmallVector<unsigned> inner(shape->wordBits);
  for (unsigned bit = 0, place = 3; bit < layout.registerBases().size() && place < 5; ++bit)
    if (!llvm::is_contained(shape->wordBits, bit)) {
      inner.push_back(bit);
      plan.row.laneBits[place++] = terms->ofBasis(layout.registerBases()[bit]);
    }
  plan.matrices = 1u << (inner.size() - shape->wordBits.size());
  plan.groups = groupsOf(*terms, layout, inner, plan.row);
  return plan;
}

/// Moves the groups of a plan to the tile at `offsets`; false where the offset's bits meet those of the tile.
static bool shiftGroups(llvm::SmallVectorImpl<SharedGroup> &groups, const ThreadAddress &thread, const Layout &layout,
                        const SharedLayout &shared, ArrayRef<int64_t> offsets) {
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    if (offsets[dim] && (layout.odd(dim) != 1 || offsets[dim] % layout.paddedExtent(dim)))
      return false;
  // Disjoint coordinate bits are disjoint bits below the period and plain sums above it.
  int64_t period = shared.swizzleBytes() ? shared.alignment() : 1, linear = shared.linear(offsets);
  int64_t inside = shared.swizzled(linear & (period - 1)), threadMask = thread.xorMask();
  for (SharedGroup &group : groups) {
    // Below the period a group's sum is made of bits that no thread sets, see groupsOf.
    int64_t low = group.addPart & (period - 1);
    group.xorPart ^= inside & threadMask;
    group.addPart += (low ^ (inside & ~threadMask)) - low + (linear & ~(period - 1));
  }
  return true;
}

std::optional<SharedAccessPlan> SharedAccessPlan::shifted(const Layout &layout, const SharedLayout &shared,
                                                          ArrayRef<int64_t> offsets) const {
  SharedAccessPlan plan = *this;
  if (!shiftGroups(plan.groups, plan.thread, layout, shared, offsets))
    return std::nullopt;
  return plan;
}

std::optional<LdMatrixPlan> LdMatrixPlan::shifted(const Layout &layout, const SharedLayout &shared,
                                                  ArrayRef<int64_t> offsets) const {
  LdMatrixPlan plan = *this;
  if (!shiftGroups(plan.groups, plan.row, layout, shared, offsets))
    return std::nullopt;
  return plan;
}

std::optional<SharedLoadPlan> mlir::tile::planSharedLoad(const Layout &layout, const SharedLayout &shared,
                                                         ArrayRef<int64_t> begin, unsigned bits,
                                                         unsigned elementsPerWord, const Target &target) {
  SharedLoadPlan plan;
  if (bits >= 8 || target.hasUnpackingLdMatrix)
    plan.matrices = planLdMatrix(layout, shared);
  if (plan.matrices)
    plan.matrices = plan.matrices->shifted(layout, shared, begin);
  if (plan.matrices && plan.matrices->elementsPerWord == elementsPerWord)
    return plan;
  plan.matrices.reset();
  plan.vectors = planSharedAccess(layout, shared);
  if (plan.vectors)
    plan.vectors = plan.vectors->shifted(layout, shared, begin);
  if (!plan.vectors)
    return std::nullopt;
  return plan;
}
