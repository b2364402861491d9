/// A kernel decoded for execution. Decoding happens once; what runs is a list of operations, each a function pointer
/// and the places of its operands.
///
/// Every operand is a row of the warp's register file: one value for each of the 32 lanes, side by side, so that a
/// handler is a loop over arrays that the compiler turns into vector instructions. Immediates and special registers are
/// rows as well (written when the warp starts), so handlers know one kind of operand only. A predicate is one 32-bit
/// mask, a bit per lane.
#ifndef TILEC_LIB_SIMULATOR_CORE_PROGRAM_H
#define TILEC_LIB_SIMULATOR_CORE_PROGRAM_H

#include "lib/Simulator/Core/Counters.h"
#include "lib/Simulator/Ptx/Module.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilec::sim {

class Execution;
struct Operation;

/// Lanes of a warp.
constexpr unsigned warpSize = 32;
/// A bit for each lane.
using LaneMask = uint32_t;
/// The mask of a whole warp.
constexpr LaneMask allLanes = 0xffffffffu;

/// Where an operand lies in the register file.
struct Row {
  /// In bytes, a multiple of rowAlignment.
  uint32_t offset = 0;
  /// Bytes per lane: 1, 2, 4, 8 or 16; 0: a predicate.
  uint8_t bytes = 0;
  bool isPredicate() const { return bytes == 0; }
};
/// Rows begin at multiples of so many bytes: those of a vector register of the host.
constexpr uint32_t rowAlignment = 64;

/// What the warp does after an operation.
enum class Outcome : uint8_t {
  /// Goes on with the next operation.
  Next,
  /// The handler has set the position (Execution::jump, branch, divert, exit).
  Jumped,
  /// Cannot be executed yet: it is tried again after something has happened. The handler has changed nothing that a
  /// second try would change again, and has said what it waits for (Execution::waitFor).
  Blocked,
};

/// Executes an operation for the active lanes.
using Handler = Outcome (*)(Execution &, const Operation &, LaneMask active);
/// Carries undefined bits from sources to destinations; called before the handler, when some source or destination
/// may have undefined bits (so that a kernel without any pays nothing).
using Propagator = void (*)(Execution &, const Operation &, LaneMask active);

/// A decoded instruction.
struct Operation {
  Handler run = nullptr;
  /// Null: the handler does it itself, or nothing is written.
  Propagator propagate = nullptr;
  /// `destinations` rows that are written, then `sources` rows that are read. An operand that is both is in both.
  const Row *rows = nullptr;
  uint16_t destinations = 0, sources = 0;
  /// The guard predicate's row; lanes where it does not hold do not take part.
  uint32_t guard = 0;
  bool hasGuard = false, guardNegated = false;
  /// Called with no active lane as well (instructions that count per warp, such as commit_group).
  bool runsWithoutLanes = false;
  InstructionClass kind = InstructionClass::Other;
  /// The family's own: an address offset, a branch target, packed modifiers.
  uint64_t data[2] = {0, 0};
  /// The family's own, owned by the program (Program::keep).
  const void *detail = nullptr;
  /// Number of this operation.
  uint32_t index = 0;
  const ptx::Instruction *text = nullptr;

  const Row &destination(unsigned i = 0) const { return rows[i]; }
  const Row &source(unsigned i = 0) const { return rows[destinations + i]; }
  template <typename T> const T &detailAs() const { return *static_cast<const T *>(detail); }
};

/// A register row that a warp's start writes.
struct InitialRow {
  enum class Kind : uint8_t {
    /// The same 64-bit value in every lane.
    Constant,
    /// A special register of the thread, warp, block or grid, by `special`.
    Special,
    /// The address of a module variable or of a variable of a function (`symbol`), plus `value`.
    Symbol,
  };
  Kind kind = Kind::Constant;
  Row row;
  uint64_t value = 0;
  std::string special;
  const ptx::Variable *symbol = nullptr;
};

/// Where a parameter of the kernel lies in the parameter block.
struct ParameterSlot {
  uint32_t offset = 0, bytes = 0;
};

/// What a launch runs: operations, and how large each memory is. Not changed after decoding.
struct Program {
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function *kernel = nullptr;
  /// The module's text, for messages.
  std::shared_ptr<const std::string> ptxText;
  std::string ptxName = "kernel.ptx";

  std::vector<Operation> operations;
  /// Register file: bytes of a warp, and what is written at its start.
  uint32_t registerBytes = 0;
  std::vector<InitialRow> initialRows;
  /// Kernel parameters in order, and the bytes of the parameter block.
  std::vector<ParameterSlot> parameters;
  uint32_t parameterBytes = 0;
  /// Where each kernel parameter lies in the parameter block. Parameters of device functions are in `localOffsets`.
  std::unordered_map<const ptx::Variable *, uint32_t> parameterOffsets;
  /// Shared memory: static bytes (from offset 0 of the block's window), and where dynamic shared memory begins.
  std::unordered_map<const ptx::Variable *, uint32_t> sharedOffsets;
  uint32_t staticSharedBytes = 0, dynamicSharedOffset = 0;
  /// Local memory: bytes per thread, and offsets of variables in it (also `.param` variables of calls).
  std::unordered_map<const ptx::Variable *, uint32_t> localOffsets;
  uint32_t localBytes = 0;
  /// The kernel and the functions it calls, by ascending start.
  struct FunctionPart {
    /// Its first operation.
    uint32_t start = 0;
    /// Its registers, and the range of local memory that its variables take: what recursion puts aside.
    std::vector<Row> rows;
    uint32_t localBegin = 0, localEnd = 0;
  };
  std::vector<FunctionPart> functions;
  /// Whether blocks can see each other's work (atomics, volatile or acquiring accesses to global memory): then they
  /// run interleaved on one core, in an order that only the seed decides.
  bool blocksCommunicate = false;

  /// Where an operation stands, for messages: "kernel.ptx:12".
  std::string lineText(const Operation &operation) const;
  std::string lineText(uint32_t number) const;

  /// Takes ownership of a family's detail.
  template <typename T> const T *keep(T value) {
    auto owned = std::make_shared<T>(std::move(value));
    details.push_back(owned);
    return owned.get();
  }
  /// Takes ownership of a list of rows.
  const Row *keepRows(const std::vector<Row> &rows) {
    rowLists.push_back(rows);
    return rowLists.back().data();
  }

private:
  std::vector<std::shared_ptr<void>> details;
  std::deque<std::vector<Row>> rowLists;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_PROGRAM_H
