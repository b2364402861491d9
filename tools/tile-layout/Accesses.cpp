#include "tools/tile-layout/Accesses.h"
#include "lib/Conversion/TileToNVVM/GlobalTile.h"
#include "lib/Conversion/TileToNVVM/PackedElements.h"
#include "lib/Layout/Access.h"
#include "lib/Layout/Conversion.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace mlir::tile;

/// 2 for 2.0, else one decimal.
static std::string ratio(uint64_t value, uint64_t by) {
  if (by == 0 || value % by == 0)
    return std::to_string(by ? value / by : 0);
  return llvm::formatv("{0:f1}", double(value) / by).str();
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

namespace {
/// The plan that a shared access follows: ldmatrix, or vectors.
struct SharedPlan {
  SharedLoadPlan plan;
  /// Bits of an element, and how many fill whole bytes: those of less than 8 are packed in the buffer.
  unsigned bits = 8, granule = 1;

  explicit operator bool() const { return plan.matrices || plan.vectors; }
  ArrayRef<SharedGroup> groups() const { return plan.matrices ? plan.matrices->groups : plan.vectors->groups; }
  /// Lanes whose addresses count.
  unsigned lanes() const { return plan.matrices ? 8 * plan.matrices->matrices : Layout::numLanes; }
  /// Elements that each instruction gives a thread, rounded down where packed ones straddle instructions.
  unsigned elements() const;
  /// Instructions of a group.
  unsigned instructions() const;
  /// Bytes at each address, which for ldmatrix are a row of 16.
  unsigned bytes(unsigned elementBytes) const;
  /// The address of one of a group's instructions.
  int64_t address(const SharedGroup &group, unsigned instruction, unsigned lane, unsigned warp) const;

private:
  bool isPacked() const { return bits < 8 && plan.vectors; }
  /// Whether codes are loaded one by one, from the one or two bytes that each lies in.
  bool isCodeByCode() const { return isPacked() && plan.vectors->vectorElements < granule; }
  unsigned bytesOfCode() const { return bits == 6 ? 2 : 1; }
};
} // namespace

unsigned SharedPlan::elements() const {
  if (plan.matrices)
    return plan.matrices->elementsPerWord * plan.matrices->matrices;
  return isCodeByCode() ? 1 : plan.vectors->vectorElements / instructions();
}

unsigned SharedPlan::instructions() const {
  if (isCodeByCode())
    return plan.vectors->vectorElements * bytesOfCode();
  return isPacked() ? packedParts(bits, plan.vectors->vectorElements).count : 1;
}

unsigned SharedPlan::bytes(unsigned elementBytes) const {
  if (plan.matrices)
    return 16;
  if (isCodeByCode())
    return 1;
  return isPacked() ? packedParts(bits, plan.vectors->vectorElements).bytes
                    : plan.vectors->vectorElements * elementBytes;
}

int64_t SharedPlan::address(const SharedGroup &group, unsigned instruction, unsigned lane, unsigned warp) const {
  if (plan.matrices)
    return plan.matrices->address(group, lane, warp);
  const int64_t place = plan.vectors->address(group, lane, warp);
  if (!isPacked())
    return place;
  if (!isCodeByCode())
    return SharedLayout::packedOffset(place, bits) + instruction * bytes(/*elementBytes=*/1);
  // The byte of a code's first bit, then that of its last.
  const int64_t code = place + instruction / bytesOfCode();
  const int64_t bit = (code & 15) * bits + (instruction % bytesOfCode() ? bits - 1 : 0);
  return (code & ~int64_t(15)) + bit / 8;
}

/// As the lowering chooses; empty where it would refuse.
static SharedPlan planLoad(TileType tile, const SharedLayout &memory, ArrayRef<int64_t> begin, const Target &target) {
  SharedPlan plan;
  plan.bits = std::min(8u, memoryBits(tile.getElementType()));
  plan.granule = granuleOf(tile.getElementType());
  plan.plan = planSharedLoad(tile.distribution(), memory, begin, plan.bits, Emitter::lanesOf(tile), target)
                  .value_or(SharedLoadPlan());
  return plan;
}

static SharedPlan planStore(TileType tile, const SharedLayout &memory) {
  SharedPlan plan;
  plan.plan.vectors = planSharedAccess(tile.distribution(), memory);
  return plan;
}

static SharedCost countShared(const SharedPlan &plan, unsigned elementBytes, unsigned warps) {
  SharedCost cost;
  const unsigned bytes = plan.bytes(elementBytes);
  for (unsigned warp = 0; warp < warps; ++warp) {
    // Groups whose constants differ by whole rounds of the banks cost the same.
    std::map<std::pair<int64_t, int64_t>, std::pair<unsigned, unsigned>> counted;
    for (const SharedGroup &group : plan.groups()) {
      auto [entry, isNew] = counted.try_emplace({group.xorPart, group.addPart % 128});
      for (unsigned instruction = 0; isNew && instruction < plan.instructions(); ++instruction) {
        SmallVector<int64_t> addresses;
        for (unsigned lane = 0; lane < plan.lanes(); ++lane)
          addresses.push_back(plan.address(group, instruction, lane, warp));
        entry->second.first += bankWavefronts(addresses, bytes);
        entry->second.second += leastBankWavefronts(addresses, bytes);
      }
      cost.requests += plan.instructions();
      cost.wavefronts += entry->second.first;
      cost.least += entry->second.second;
    }
  }
  return cost;
}

/// The buffer with other swizzles and paddings, in the same order, that serves this access in the fewest wavefronts.
static std::string remedy(const SharedLayout &memory, const SharedCost &cost, unsigned warps,
                          function_ref<SharedPlan(const SharedLayout &)> planFor) {
  std::string best;
  uint64_t fewest = cost.wavefronts;
  for (unsigned swizzle : {128, 64, 32, 16, 0})
    for (unsigned padding : {0, 16}) {
      if (padding && swizzle)
        continue;
      std::optional<SharedLayout> other =
          SharedLayout::create(memory.extents(), memory.order(), memory.elementBits(), swizzle, padding);
      SharedPlan plan = other ? planFor(*other) : SharedPlan();
      if (!plan)
        continue;
      SharedCost otherCost = countShared(plan, memory.elementBytes(), warps);
      // More, narrower instructions with no conflict are no gain.
      if (otherCost.wavefronts >= fewest)
        continue;
      fewest = otherCost.wavefronts;
      best = (padding ? "pad = " + Twine(padding) : "swizzle = " + Twine(swizzle)).str();
    }
  if (best.empty())
    return "no swizzle or padding in this order is better, only another tile layout";
  return best + " takes " + std::to_string(fewest) + " wavefronts instead of " + std::to_string(cost.wavefronts);
}

static Access describeShared(StringRef mnemonic, TileType tile, const SharedLayout &memory,
                             function_ref<SharedPlan(const SharedLayout &)> planFor) {
  Access access;
  access.instruction = mnemonic.str();
  SharedPlan plan = planFor(memory);
  if (!plan) {
    access.verdict =
        "this buffer's layout cannot be addressed by the tile's; expected its slabs to divide the tile's odd factors";
    return access;
  }
  unsigned warps = tile.distribution().numWarps();
  if (const auto &matrices = plan.plan.matrices) {
    access.instruction = "ldmatrix.x" + std::to_string(matrices->matrices) + (matrices->transposed ? ".trans" : "");
    access.vectorBytes = 4 * matrices->matrices;
  } else {
    access.vectorBytes = plan.bytes(memory.elementBytes());
  }
  access.vectorElements = plan.elements();
  access.perThread = plan.groups().size() * plan.instructions();
  SharedCost cost = countShared(plan, memory.elementBytes(), warps);
  access.shared = cost;
  if (cost.wavefronts == cost.least)
    access.verdict = "no bank conflicts";
  else
    access.verdict = ratio(cost.wavefronts, cost.least) + "-way conflict: " + remedy(memory, cost, warps, planFor);
  return access;
}

Access tile::describeSharedLoad(TileType tile, SharedType buffer, ArrayRef<int64_t> begin, const Target &target) {
  return describeShared("ld.shared", tile, buffer.memory(),
                        [&](const SharedLayout &memory) { return planLoad(tile, memory, begin, target); });
}

Access tile::describeSharedStore(TileType tile, SharedType buffer) {
  return describeShared("st.shared", tile, buffer.memory(),
                        [&](const SharedLayout &memory) { return planStore(tile, memory); });
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// Bits per step along each dimension, with the file comment's assumption.
static SmallVector<int64_t> assumedStrides(ViewType view, const Layout &layout) {
  // In bits first, as packed elements are narrower than a byte.
  int64_t bits = memoryBits(view.getElementType()), span = bits;
  SmallVector<int64_t> strides(layout.rank());
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    if (int64_t stride = view.getStrides()[dim]; !ShapedType::isDynamic(stride)) {
      strides[dim] = stride * bits;
      span = std::max(span, strides[dim] * layout.paddedExtent(dim));
    }
  for (unsigned dim = layout.rank(); dim-- > 0;)
    if (ShapedType::isDynamic(view.getStrides()[dim])) {
      strides[dim] = (span + 2047) / 2048 * 2048;
      span = strides[dim] * layout.paddedExtent(dim);
    }
  return strides;
}

/// Whether a thread is the one of several holders that stores.
static bool isFirstHolder(const Layout &layout, unsigned lane, unsigned warp) {
  if (lane & layout.replicatedLanes())
    return false;
  unsigned bits = layout.warpBases().size(), rest = warp >> bits;
  if (warp & ((1u << bits) - 1) & layout.replicatedWarpBits())
    return false;
  for (const Digit &digit : layout.digits()) {
    if (digit.place != Place::Warp)
      continue;
    if (digit.dim == Digit::replicated && rest % digit.odd != 0)
      return false;
    rest /= digit.odd;
  }
  return true;
}

/// Calls `visit` with the lanes' byte addresses of each piece of each warp; those that take no part are negative.
static void forEachRequest(const Layout &layout, unsigned vector, bool firstHolderOnly,
                           function_ref<int64_t(unsigned reg, unsigned lane, unsigned warp, ArrayRef<int64_t>)> address,
                           function_ref<void(ArrayRef<int64_t>)> visit) {
  for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
    for (unsigned reg = 0; reg < layout.numRegisters(); reg += vector) {
      SmallVector<int64_t> addresses;
      for (unsigned lane = 0; lane < Layout::numLanes; ++lane) {
        SmallVector<int64_t> position = layout.coordinates(reg, lane, warp);
        bool active = layout.isLive(position) && (!firstHolderOnly || isFirstHolder(layout, lane, warp));
        addresses.push_back(active ? address(reg, lane, warp, position) : -1);
      }
      if (llvm::any_of(addresses, [](int64_t one) { return one >= 0; }))
        visit(addresses);
    }
}

/// The addresses of one part of a run of elements; those of lanes that take no part stay.
static SmallVector<int64_t> addressesOf(ArrayRef<int64_t> runs, PackedParts parts, unsigned part) {
  return llvm::map_to_vector(runs, [&](int64_t run) { return run < 0 ? run : run + int64_t(part) * parts.bytes; });
}

static GlobalCost countGlobal(const Layout &layout, ViewType view, unsigned vector, bool firstHolderOnly) {
  GlobalCost cost;
  SmallVector<int64_t> strides = assumedStrides(view, layout);
  const PackedParts parts = packedParts(memoryBits(view.getElementType()), vector);
  forEachRequest(
      layout, vector, firstHolderOnly,
      [&](unsigned, unsigned, unsigned, ArrayRef<int64_t> position) {
        int64_t address = 0;
        for (auto [coordinate, stride] : llvm::zip(position, strides))
          address += coordinate * stride;
        return address / 8;
      },
      [&](ArrayRef<int64_t> runs) {
        for (unsigned part = 0; part < parts.count; ++part) {
          SmallVector<int64_t> addresses = addressesOf(runs, parts, part);
          unsigned distinct = distinctBytes(addresses, parts.bytes), sectors = globalSectors(addresses, parts.bytes);
          ++cost.requests;
          cost.sectors += sectors;
          cost.least += (distinct + 31) / 32;
          cost.wasted += sectors * 32 - distinct;
        }
      });
  return cost;
}

/// What keeps vectors narrower than 16 bytes; empty where nothing does.
static std::string narrowness(ViewType view, ValueRange offsets, const Layout &layout, IndexFacts &facts,
                              unsigned vector) {
  unsigned bits = memoryBits(view.getElementType());
  int64_t most = bits == 6 ? 16 : 128 / bits; // of 6 bits, 16 elements are three words
  if (vector >= most)
    return "";
  std::string width = std::to_string(packedParts(bits, vector).bytes) + "-byte accesses, as ";
  std::optional<unsigned> axis = view.contiguousAxis();
  if (!axis)
    return width + "the view has no axis of stride 1";
  int64_t held = std::min<int64_t>(layout.contiguity(*axis), most);
  if (held <= vector)
    return width + "the tile layout holds no more in a row";
  if (unsigned bytes = packedParts(bits, held).bytes; view.alignmentInBytes() < bytes)
    return width + "the view promises an alignment of " + std::to_string(view.alignmentInBytes()) + "; align " +
           std::to_string(bytes) + " would allow " + std::to_string(bytes);
  if (facts.divisor(offsets[*axis]) % held != 0)
    return width + "the offset along dimension " + std::to_string(*axis) + " is not known to be a multiple of " +
           std::to_string(held);
  return width + "narrower words share a register";
}

static std::string globalVerdict(const GlobalCost &cost, std::string narrow) {
  std::string text;
  if (cost.wasted == 0)
    text = "all bytes of its sectors are used";
  else
    text = ratio(100 * cost.wasted, 32 * cost.sectors) + " % of the bytes moved are not asked for" +
           (cost.sectors > cost.least ? "; runs along memory are shorter than sectors"
                                      : "; each request asks for less than a sector");
  return narrow.empty() ? text : text + "; " + narrow;
}

Access tile::describeGlobal(TileType tile, ViewType view, ValueRange offsets, IndexFacts &facts, bool isStore) {
  Access access;
  if (tile.getElementType().isInteger(1))
    tile = tile.cloneWith(std::nullopt, IntegerType::get(tile.getContext(), 8));
  Layout layout = tile.distribution();
  unsigned vector = GlobalTile::maxVector(facts, view, offsets, layout, 16);
  // As in the lowering: what is narrower than a word goes element by element.
  if (vector % Emitter::lanesOf(tile) != 0 && granuleOf(view.getElementType()) == 1)
    vector = 1;
  access.instruction = isStore ? "st.global" : "ld.global";
  const PackedParts parts = packedParts(memoryBits(view.getElementType()), vector);
  access.vectorElements = vector / parts.count;
  access.vectorBytes = parts.bytes;
  access.perThread = layout.numRegisters() / vector * parts.count;
  access.global = countGlobal(layout, view, vector, isStore);
  access.verdict = globalVerdict(*access.global, narrowness(view, offsets, layout, facts, vector));
  return access;
}

Access tile::describeCopy(CopyAsyncOp op, IndexFacts &facts, unsigned warps) {
  Access access;
  auto view = cast<ViewType>(op.getView().getType());
  auto buffer = cast<SharedType>(op.getBuffer().getType());
  SharedLayout memory = buffer.memory();
  // The lowering shares a copy among the threads as a coalesced load of the buffer's tile.
  SmallVector<unsigned> order(memory.order());
  const unsigned bits = memoryBits(buffer.getElementType()), granule = granuleOf(buffer.getElementType());
  Layout layout = Layout::coalesced(buffer.getShape(), order, memory.elementBits(), warps, 128, granule);
  unsigned bytes = memory.elementBytes(), vector = GlobalTile::maxVector(facts, view, op.getOffsets(), layout, 16);
  std::optional<SharedAccessPlan> plan = planSharedAccess(layout, memory, vector * bytes);
  access.instruction = "cp.async";
  if (!plan) {
    access.verdict = "no coalesced copy can address this buffer's layout";
    return access;
  }
  vector = std::min(vector, plan->vectorElements);
  if (packedParts(bits, vector).bytes < 4) {
    access.instruction = "ld.global, st.shared";
    if (vector > granule)
      plan = planSharedAccess(layout, memory, granule * bytes);
    vector = granule;
  }
  const PackedParts parts = packedParts(bits, vector);
  access.vectorElements = vector / parts.count;
  access.vectorBytes = parts.bytes;
  access.perThread = layout.numRegisters() / vector * parts.count;
  access.global = countGlobal(layout, view, vector, /*firstHolderOnly=*/true);

  std::map<unsigned, const SharedGroup *> groups;
  for (const SharedGroup &group : plan->groups)
    groups[group.registers.front()] = &group;
  SharedCost cost;
  forEachRequest(
      layout, vector, /*firstHolderOnly=*/true,
      [&](unsigned reg, unsigned lane, unsigned warp, ArrayRef<int64_t>) {
        return SharedLayout::packedOffset(plan->address(*groups.at(reg), lane, warp), std::min(bits, 8u));
      },
      [&](ArrayRef<int64_t> runs) {
        for (unsigned part = 0; part < parts.count; ++part) {
          SmallVector<int64_t> addresses = addressesOf(runs, parts, part);
          ++cost.requests;
          cost.wavefronts += bankWavefronts(addresses, parts.bytes);
          cost.least += leastBankWavefronts(addresses, parts.bytes);
        }
      });
  access.shared = cost;
  access.verdict =
      globalVerdict(*access.global, narrowness(view, op.getOffsets(), layout, facts, vector)) + "; " +
      (cost.wavefronts == cost.least ? "no bank conflicts" : ratio(cost.wavefronts, cost.least) + "-way conflict");
  return access;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Access tile::describeRelayout(TileType from, TileType to) {
  Access access;
  ConversionPlan plan = planConversion(from.distribution(), to.distribution(), elementBits(to.getElementType()));
  switch (plan.kind) {
  case ConversionKind::Identity:
  case ConversionKind::Registers:
    access.instruction = "none";
    access.verdict = "every thread holds its elements already";
    break;
  case ConversionKind::Shuffle:
    access.instruction = "shfl.sync";
    access.perThread = plan.shuffle.count();
    access.verdict = "elements move within warps";
    break;
  case ConversionKind::Shared:
    access.instruction = "st.shared, ld.shared";
    access.verdict = "elements move between warps, through shared memory: " + std::to_string(plan.shared->wavefronts) +
                     " wavefronts of warp 0";
    break;
  }
  return access;
}
