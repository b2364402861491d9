/// Bulk copies and tensor copies: the forms of the instructions, and one thread's transfer on its way through the
/// asynchronous queue. Source: PTX ISA, "Bulk copy" and "Tensor copy".
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_BULKCOPY_H
#define TILEC_LIB_SIMULATOR_EXECUTE_BULKCOPY_H

#include "lib/Simulator/Core/Binder.h"
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Tma/Box.h"
#include "lib/Simulator/Tma/Reduction.h"

#include <string>
#include <vector>

namespace tilec::sim {

/// Binds `cp.async.bulk…` and `cp.reduce.async.bulk…`, the opcode "cp" with the modifier "bulk".
bool bindBulkCopy(Binder &b);
/// Those with the modifier "tensor"; part of bindBulkCopy.
bool bindTensorCopy(Binder &b);
/// Commit and wait; part of bindBulkCopy.
bool bindBulkCommit(Binder &b);
bool bindBulkWait(Binder &b);

/// From where to where.
enum class BulkPath : uint8_t {
  GlobalToShared,
  SharedToGlobal,
  /// To the shared memory of another block.
  SharedToCluster,
  /// To the cache, which does not exist here.
  Prefetch,
};

/// An instruction's detail.
struct BulkForm {
  BulkPath path = BulkPath::GlobalToShared;
  /// Whether the shared destination is written as shared::cluster (else shared::cta).
  bool toCluster = false;
  BulkReduction reduction = BulkReduction::None;
  /// Element type of a reduction that the instruction names (tensor reductions take it from the map).
  ptx::Type type = ptx::Type::None;
  AddressOperand destination, source, barrier;
  Row size;
  bool multicast = false;
  Row blockMask;
  bool byteMasked = false;
  Row byteMask;
  /// \name Tensor copies: the map's address is `source` or `destination`, whichever is global
  /// @{
  bool tensor = false;
  BoxMode mode = BoxMode::Tile;
  unsigned rank = 0, coordinateCount = 0, offsetCount = 0;
  Row coordinates[5], offsets[3];
  /// @}
  /// The SM that the module is for.
  unsigned sm = 0;
};

/// What the modifiers of bulk copies have in common: takes the two spaces in their order, completion, multicast and
/// cache hint. `next` is the operand after those that the form has already; it takes masks and policy from there on.
/// \name Parts of a Bind
/// @{
/// Reads `.dst.src` and sets path and toCluster; fails where the pair does not exist.
bool takePath(Binder &b, BulkForm &form);
/// Checks `.mbarrier::complete_tx::bytes` or `.bulk_group` against the path.
bool takeCompletion(Binder &b, const BulkForm &form);
/// The operation named by a modifier; None if there is none.
BulkReduction takeReduction(Binder &b);
/// Takes `.L2::cache_hint` and the policy operand at `next`, which nothing here depends on.
void takePolicy(Binder &b, size_t next);
/// @}

/// The address that an operand names in a lane.
inline uint64_t addressIn(const Execution &x, const AddressOperand &operand, unsigned lane) {
  uint64_t base = x.value(operand.base, lane);
  uint64_t sum = base + static_cast<uint64_t>(operand.offset);
  return operand.base.bytes == 4 ? static_cast<uint32_t>(sum) : sum;
}

/// What one thread's operation moves. All places are resolved and checked when it is issued; the bytes are read when it
/// happens.
struct BulkTransfer {
  struct Piece {
    /// No region: filled.
    Place from, to;
    uint32_t bytes = 0;
  };
  std::vector<Piece> pieces;
  /// Where the pieces go: with multicast, `Piece::to`'s region is only one of these blocks' shared memories.
  std::vector<Region *> destinations;
  /// One for each destination, or none: the operation belongs to a bulk group.
  std::vector<Place> barriers;
  /// What is counted towards each mbarrier.
  uint32_t countedBytes = 0;
  BulkReduction reduction = BulkReduction::None;
  ptx::Type type = ptx::Type::None;
  /// Whether sums of f32 flush subnormal values.
  bool flushes = false;
  /// What the bytes without a source consist of.
  uint16_t fill = 0;
  /// Whether f32 values are rounded to tf32 on the way.
  bool roundsToTf32 = false;
  /// Bit i: byte i of each 16 is written.
  uint16_t byteMask = 0xffff;

  /// \name After the sources have been read
  /// @{
  bool wasRead = false, anyUndefined = false;
  std::vector<std::byte> data, undefined;
  /// @}
};

/// Records what the transfer will touch and gives it to the queue.
void issueTransfer(Execution &x, const Operation &op, unsigned lane, BulkTransfer transfer);
/// Places of the mbarrier and of the destination in every block of the mask, or in the one block that the addresses
/// name; false after a report. `destination` was located already.
bool resolveDestinations(Execution &x, const Operation &op, const BulkForm &form, unsigned lane, Region *destination,
                         BulkTransfer &transfer);
/// Adds to the counters of the operation and of the grid.
void countTransfer(Execution &x, const Operation &op, const BulkForm &form, const BulkTransfer &transfer);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_BULKCOPY_H
