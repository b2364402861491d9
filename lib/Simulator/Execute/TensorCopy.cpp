/// Tensor copies: the map is read and the box's pieces are found when the instruction is issued, the data when it
/// happens. Source: PTX ISA, `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor` and
/// "Restriction on Tensor Copy instructions"; the alignment of shared addresses is from the CUDA programming guide.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/BulkCopy.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

static constexpr unsigned tensorSharedAlignment = 128;
/// Every two bytes that a load fills with NaN, whatever the type: measured on an H200, the ISA does not say.
static constexpr uint16_t fillingNaN = 0x7ff7;

/// Reads the 128 bytes at an address and checks that they are a legal map; false after a report.
static bool readTensorMap(Execution &x, const Operation &op, unsigned lane, uint64_t address, TensorFields &map) {
  Place place =
      locate(x, op, lane, AddressSpace::Generic, address, tensorMapBytes, tensorMapAlignment, AccessKind::Read);
  if (!place)
    return false;
  if (place.region->undefined && !place.region->undefined->allDefined(place.offset, tensorMapBytes)) {
    x.report(FindingKind::Undefined, op, lane, "the tensor map depends on undefined bits");
    return false;
  }
  if (std::string text = readMap(place.bytes(), map); !text.empty()) {
    x.report(FindingKind::InvalidOperand, op, lane, text,
             {"tensor maps come from encodeTiled, encodeIm2col or encodeIm2colWide on the host"});
    return false;
  }
  if (std::string text = checkFields(map); !text.empty()) {
    x.report(FindingKind::InvalidOperand, op, lane, "the tensor map is not legal: " + text);
    return false;
  }
  return true;
}

/// What the ISA forbids for this direction and target; empty: nothing.
static std::string restriction(const BulkForm &form, const TensorFields &map, const BoxRequest &request) {
  bool load = form.path != BulkPath::SharedToGlobal;
  bool newType = map.type >= TensorType::U4Align8, newSwizzle = map.swizzle > TensorSwizzle::B128;
  std::string target = "sm_" + std::to_string(form.sm);
  if (form.sm < 100 && (newType || newSwizzle))
    return std::string(newType ? "type " : "swizzle ") +
           (newType ? tensorTypeName(map.type) : tensorSwizzleName(map.swizzle)) + " needs sm_100 or later, but the " +
           "module is for " + target;
  if (load && form.toCluster && form.sm >= 120 && (newType || newSwizzle))
    return std::string(newType ? "type " : "swizzle ") +
           (newType ? tensorTypeName(map.type) : tensorSwizzleName(map.swizzle)) + " cannot be loaded on " + target;
  if (load)
    return {};
  unsigned coordinates = form.coordinateCount;
  for (unsigned i = 0; i < coordinates; ++i)
    if (request.coordinates[i] < 0)
      return "coordinates of a store must not be negative, but coordinate " + std::to_string(i) + " is " +
             std::to_string(request.coordinates[i]);
  for (unsigned i = 0; map.mode != TensorMode::Tiled && i + 2 < map.rank; ++i)
    if (map.lowerCorner[i] < 0 || map.upperCorner[i] > 0)
      return "the pixel box of a store must stay inside the tensor, but its corners along dimension " +
             std::to_string(i + 1) + " are " + std::to_string(map.lowerCorner[i]) + " and " +
             std::to_string(map.upperCorner[i]);
  return {};
}

/// The element type of a tensor reduction; None where the map's type has none.
static ptx::Type reductionType(BulkReduction reduction, TensorType type) {
  bool bits = reduction >= BulkReduction::And;
  switch (type) {
  case TensorType::U32:
    return bits ? ptx::Type::B32 : ptx::Type::U32;
  case TensorType::S32:
    return bits ? ptx::Type::B32 : ptx::Type::S32;
  case TensorType::U64:
    return bits ? ptx::Type::B64 : ptx::Type::U64;
  case TensorType::S64:
    return bits ? ptx::Type::None : ptx::Type::S64; // an H200 refuses these, though not those of u64
  case TensorType::F16:
    return ptx::Type::F16;
  case TensorType::BF16:
    return ptx::Type::BF16;
  case TensorType::F64:
    return ptx::Type::F64;
  case TensorType::F32:
  case TensorType::F32Ftz:
  case TensorType::TF32:
  case TensorType::TF32Ftz:
    return ptx::Type::F32;
  default:
    return ptx::Type::None;
  }
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Finds the pieces' places in shared memory. The pieces' offsets need not begin at the box's own address: a swizzle
/// moves chunks within their lines.
static bool locateShared(Execution &x, const Operation &op, const BulkForm &form, unsigned lane, uint64_t address,
                         const Box &box, Place &begin, int64_t &lowest) {
  int64_t highest = 0;
  lowest = INT64_MAX;
  for (const BoxPiece &piece : box.pieces) {
    lowest = std::min<int64_t>(lowest, piece.shared);
    highest = std::max<int64_t>(highest, int64_t(piece.shared) + piece.bytes);
  }
  bool load = form.path == BulkPath::GlobalToShared;
  AddressSpace space = form.toCluster ? AddressSpace::SharedCluster : AddressSpace::SharedBlock;
  begin = locate(x, op, lane, space, address + static_cast<uint64_t>(lowest), static_cast<unsigned>(highest - lowest),
                 1, load ? AccessKind::Write : AccessKind::Read);
  return static_cast<bool>(begin);
}

/// The place of a piece in global memory; most lie in the region of the one before.
static Place locateGlobal(Execution &x, const Operation &op, const BulkForm &form, unsigned lane, const BoxPiece &piece,
                          Region *recent) {
  AccessKind kind = form.path == BulkPath::GlobalToShared   ? AccessKind::Read
                    : form.reduction != BulkReduction::None ? AccessKind::Atomic
                                                            : AccessKind::Write;
  if (recent) {
    uint64_t offset = piece.global - recent->base;
    if (offset < recent->size && recent->size - offset >= piece.bytes)
      return {recent, offset};
  }
  return locate(x, op, lane, AddressSpace::Global, piece.global, piece.bytes, 1, kind);
}

static bool placePieces(Execution &x, const Operation &op, const BulkForm &form, unsigned lane, uint64_t address,
                        const Box &box, BulkTransfer &transfer, Region *&sharedRegion) {
  Place shared;
  int64_t lowest = 0;
  if (!locateShared(x, op, form, lane, address, box, shared, lowest))
    return false;
  sharedRegion = shared.region;
  bool load = form.path == BulkPath::GlobalToShared;
  Region *recent = nullptr;
  transfer.pieces.reserve(box.pieces.size());
  for (const BoxPiece &piece : box.pieces) {
    BulkTransfer::Piece placed;
    placed.bytes = piece.bytes;
    Place inShared{shared.region, shared.offset + static_cast<uint64_t>(piece.shared - lowest)}, inGlobal;
    if (piece.inside) {
      inGlobal = locateGlobal(x, op, form, lane, piece, recent);
      if (!inGlobal)
        return false;
      recent = inGlobal.region;
    } else if (!load) {
      continue; // a store leaves out what lies outside
    }
    placed.from = load ? inGlobal : inShared;
    placed.to = load ? inShared : inGlobal;
    transfer.pieces.push_back(placed);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static BoxRequest requestOf(const Execution &x, const BulkForm &form, unsigned lane) {
  BoxRequest request;
  request.mode = form.mode;
  request.rank = form.rank;
  request.store = form.path == BulkPath::SharedToGlobal;
  for (unsigned i = 0; i < form.coordinateCount; ++i)
    request.coordinates[i] = static_cast<int32_t>(x.value(form.coordinates[i], lane));
  for (unsigned i = 0; i < form.offsetCount; ++i)
    request.offsets[i] = static_cast<uint16_t>(x.value(form.offsets[i], lane));
  return request;
}

/// Whether the box begins at 16 bytes along the innermost dimension, as hardware demands though the ISA does not say
/// it: an H200 stops with an illegal instruction otherwise. Interleaved layouts count whole slices there.
static bool checkInnermost(Execution &x, const Operation &op, unsigned lane, const TensorFields &map,
                           const BoxRequest &request) {
  int64_t bits = int64_t(request.coordinates[0]) * tensorTypeBits(map.type);
  if (map.interleave != TensorInterleave::None || bits % 128 == 0)
    return true;
  unsigned size = tensorTypeBits(map.type);
  std::string element = size % 8 ? std::to_string(size) + "-bit" : std::to_string(size / 8) + "-byte";
  x.report(FindingKind::Misaligned, op, lane,
           "innermost coordinate " + std::to_string(request.coordinates[0]) + " of " + element +
               " elements is at byte " + std::to_string(bits / 8) +
               ": a multiple of 16 is expected; an H200 stops with an illegal instruction");
  return false;
}

/// The box of the instruction, all its rules checked; false after a report.
static bool findBox(Execution &x, const Operation &op, const BulkForm &form, unsigned lane, uint64_t sharedAddress,
                    TensorFields &map, Box &box) {
  const AddressOperand &mapOperand = form.path == BulkPath::SharedToGlobal ? form.destination : form.source;
  if (!readTensorMap(x, op, lane, addressIn(x, mapOperand, lane), map))
    return false;
  BoxRequest request = requestOf(x, form, lane);
  if (std::string text = unknownLayout(map, request); !text.empty()) {
    x.stop(FindingKind::Unsupported, op, lane, "the simulator does not know " + text);
    return false;
  }
  if (!checkInnermost(x, op, lane, map, request))
    return false;
  std::string text = restriction(form, map, request);
  if (text.empty())
    text = enumerateBox(map, request, sharedAddress, box);
  if (!text.empty())
    x.report(FindingKind::InvalidOperand, op, lane, text);
  return text.empty();
}

static void issue(Execution &x, const Operation &op, const BulkForm &form, unsigned lane) {
  TensorFields map;
  Box box;
  if (form.path == BulkPath::Prefetch) {
    findBox(x, op, form, lane, 0, map, box);
    return;
  }
  bool load = form.path == BulkPath::GlobalToShared;
  uint64_t shared = addressIn(x, load ? form.destination : form.source, lane);
  if (shared % tensorSharedAlignment) {
    x.report(FindingKind::Misaligned, op, lane,
             "the box's shared address must be a multiple of 128, but is " + std::to_string(shared & 0xffffff));
    return;
  }
  if (!findBox(x, op, form, lane, shared, map, box))
    return;
  BulkTransfer transfer;
  if (map.fill == TensorFill::NaN)
    transfer.fill = fillingNaN;
  transfer.roundsToTf32 = load && (map.type == TensorType::TF32 || map.type == TensorType::TF32Ftz);
  transfer.flushes = map.type == TensorType::F32Ftz;
  transfer.reduction = form.reduction;
  if (form.reduction != BulkReduction::None) {
    transfer.type = reductionType(form.reduction, map.type);
    if (!isLegalReduction(form.reduction, transfer.type, false)) {
      x.report(FindingKind::InvalidOperand, op, lane,
               std::string("no tensor reduction ") + bulkReductionName(form.reduction) + " of elements of type " +
                   tensorTypeName(map.type));
      return;
    }
  }
  transfer.countedBytes = box.bytes;
  Region *region = nullptr;
  if (!placePieces(x, op, form, lane, shared, box, transfer, region) ||
      !resolveDestinations(x, op, form, lane, region, transfer))
    return;
  countTransfer(x, op, form, transfer);
  issueTransfer(x, op, lane, std::move(transfer));
}

static Outcome runTensor(Execution &x, const Operation &op, LaneMask active) {
  const BulkForm &form = op.detailAs<BulkForm>();
  for (unsigned i = 0; i < op.sources; ++i)
    active = x.requireDefined(op, op.source(i), active, "an operand of the tensor copy");
  forLanes(active, [&](unsigned lane) { issue(x, op, form, lane); });
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool takeMode(Binder &b, BulkForm &form) {
  static const std::pair<const char *, BoxMode> modes[] = {{"tile", BoxMode::Tile},
                                                           {"tile::gather4", BoxMode::Gather4},
                                                           {"tile::scatter4", BoxMode::Scatter4},
                                                           {"im2col", BoxMode::Im2col},
                                                           {"im2col::w", BoxMode::Im2colW},
                                                           {"im2col::w::128", BoxMode::Im2colW128},
                                                           {"im2col_no_offs", BoxMode::Im2colNoOffsets}};
  for (const auto &[name, mode] : modes)
    if (b.take(name)) {
      form.mode = mode;
      break;
    }
  bool store = form.path == BulkPath::SharedToGlobal;
  bool forStore = form.mode == BoxMode::Scatter4 || form.mode == BoxMode::Im2colNoOffsets;
  std::string name = std::string("load mode ") + boxModeName(form.mode);
  if (form.mode != BoxMode::Tile && forStore != store)
    return b.fail(name + (store ? " cannot write global memory" : " cannot read global memory"));
  if (form.mode == BoxMode::Scatter4 && form.reduction != BulkReduction::None)
    return b.fail(name + " has no reduction");
  if (form.mode >= BoxMode::Im2col && form.rank < 3)
    return b.fail(name + " needs 3 to 5 dimensions");
  bool four = form.mode == BoxMode::Gather4 || form.mode == BoxMode::Scatter4;
  if (four && form.rank != 2)
    return b.fail(name + " needs .2d");
  // "Target ISA Notes": some modes exist on the sm_100 and sm_110 families alone, with their features.
  bool family = b.targetHasFeatures() && b.targetSM() >= 100 && b.targetSM() < 120;
  bool newMode = four || form.mode == BoxMode::Im2colW || form.mode == BoxMode::Im2colW128;
  bool anywhere = form.path == BulkPath::GlobalToShared && !form.toCluster && form.mode != BoxMode::Im2colW128;
  if (newMode && !(family || (anywhere && b.targetSM() >= 100)))
    return b.fail(name + " needs sm_100a or sm_110a, the module is for " + b.builder().module().target);
  return true;
}

static bool takeRank(Binder &b, BulkForm &form) {
  int number = b.takeOneOf({"1d", "2d", "3d", "4d", "5d"});
  if (number < 0)
    return b.fail("expected the number of dimensions, .1d to .5d");
  form.rank = static_cast<unsigned>(number) + 1;
  return true;
}

/// `[map, {coordinates}]`.
static bool takeMap(Binder &b, BulkForm &form, size_t i, AddressOperand &map) {
  const ptx::Operand &operand = b.operand(i);
  if (operand.kind != ptx::Operand::Kind::Address || operand.elements.size() != 2 ||
      operand.elements[1].kind != ptx::Operand::Kind::Vector)
    return b.fail("expected [tensor map, {coordinates}]");
  map = b.address(operand);
  const std::vector<ptx::Operand> &coordinates = operand.elements[1].elements;
  bool four = form.mode == BoxMode::Gather4 || form.mode == BoxMode::Scatter4;
  unsigned expected = four ? 5 : form.rank;
  if (coordinates.size() != expected)
    return b.fail("expected " + std::to_string(expected) + " coordinates, found " + std::to_string(coordinates.size()));
  form.coordinateCount = expected;
  for (unsigned k = 0; k < expected; ++k)
    form.coordinates[k] = b.source(coordinates[k], ptx::Type::B32);
  return true;
}

/// The vector of im2col offsets, or wHalo and wOffset.
static bool takeOffsets(Binder &b, BulkForm &form, size_t &next) {
  if (form.mode == BoxMode::Im2col)
    form.offsetCount = form.rank - 2;
  else if (form.mode == BoxMode::Im2colW || form.mode == BoxMode::Im2colW128)
    form.offsetCount = 2;
  else
    return true;
  const ptx::Operand &list = b.operand(next++);
  bool isList = list.kind == ptx::Operand::Kind::Vector;
  size_t found = isList ? list.elements.size() : 1;
  if (found != form.offsetCount)
    return b.fail("expected " + std::to_string(form.offsetCount) + " im2col offsets, found " + std::to_string(found));
  for (unsigned i = 0; i < form.offsetCount; ++i)
    form.offsets[i] = b.source(isList ? list.elements[i] : list, ptx::Type::B16);
  return true;
}

static bool takeGroup(Binder &b, const BulkForm &form) {
  int group = b.takeOneOf({"cta_group::1", "cta_group::2"});
  if (group < 0)
    return true;
  if (form.path != BulkPath::GlobalToShared || !b.require(100))
    return b.fail(".cta_group is for loads on sm_100 or later");
  return group == 0 || b.fail(".cta_group::2 is not supported");
}

static bool bindOperands(Binder &b, BulkForm &form) {
  size_t next = 0;
  if (form.path == BulkPath::SharedToGlobal) {
    if (!takeMap(b, form, next++, form.destination))
      return false;
    form.source = b.address(next++);
  } else if (form.path == BulkPath::Prefetch) {
    if (!takeMap(b, form, next++, form.source))
      return false;
  } else {
    form.destination = b.address(next++);
    if (!takeMap(b, form, next++, form.source))
      return false;
    form.barrier = b.address(next++);
  }
  if (!takeOffsets(b, form, next))
    return false;
  if (b.take("multicast::cluster")) {
    if (form.path != BulkPath::GlobalToShared || !form.toCluster)
      return b.fail(".multicast::cluster goes from global to shared::cluster");
    form.multicast = true;
    form.blockMask = b.source(next++, ptx::Type::B16);
  }
  takePolicy(b, next);
  return true;
}

bool sim::bindTensorCopy(Binder &b) {
  BulkForm form;
  form.tensor = true;
  form.sm = b.targetSM();
  bool reduces = b.take("reduce");
  b.take("async");
  b.take("bulk");
  b.take("tensor");
  if (!takeRank(b, form))
    return false;
  if (b.take("prefetch")) {
    form.path = BulkPath::Prefetch;
    if (!b.take("L2") || !b.take("global"))
      return b.fail("expected .L2.global");
  } else if (!takePath(b, form) || !takeCompletion(b, form)) {
    return false;
  }
  if (form.path == BulkPath::SharedToCluster)
    return b.fail("no tensor copy goes from shared::cta to shared::cluster");
  if (reduces) {
    form.reduction = takeReduction(b);
    if (form.path != BulkPath::SharedToGlobal || form.reduction == BulkReduction::None)
      return b.fail("a tensor reduction goes from shared::cta to global and names its operation");
    b.builder().program().blocksCommunicate = true;
  }
  if (!takeMode(b, form) || !takeGroup(b, form) || !bindOperands(b, form))
    return false;
  b.operation.run = runTensor;
  b.operation.kind = InstructionClass::BulkCopy;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}
