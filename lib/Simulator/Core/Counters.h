/// What a run counted. The simulator has no clock: these are the quantities that lib/Layout predicts and that profilers
/// call by the same names.
#ifndef TILEC_LIB_SIMULATOR_CORE_COUNTERS_H
#define TILEC_LIB_SIMULATOR_CORE_COUNTERS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilec::sim {

/// Classes of instructions.
enum class InstructionClass : uint8_t {
  Integer,
  Logic,
  Float,
  Double,
  Half,
  Conversion,
  Move,
  Predicate,
  Control,
  Load,
  Store,
  Atomic,
  Warp,
  Barrier,
  Fence,
  AsyncCopy,
  BulkCopy,
  MatrixLoad,
  MatrixStore,
  MatrixProduct,
  Other,
};
/// How many classes there are.
constexpr size_t instructionClasses = static_cast<size_t>(InstructionClass::Other) + 1;
/// "integer", "matrix product", …
const char *instructionClassName(InstructionClass kind);

/// What the executions of one instruction of the program moved.
struct AccessCounters {
  /// Warp-level executions with at least one lane.
  uint64_t requests = 0;
  /// Bytes that lanes asked for.
  uint64_t bytes = 0;
  /// Distinct 32-byte sectors of global memory, summed over requests.
  uint64_t sectors = 0;
  /// Passes of shared memory, summed over requests; `minimum` is what they would be without conflicts.
  uint64_t wavefronts = 0, minimumWavefronts = 0;

  /// Adds each number of `other`.
  void add(const AccessCounters &other);
};

/// What a launch, or a worker's part of it, counted.
struct Counters {
  /// Executed by warps, and by threads.
  std::array<uint64_t, instructionClasses> warpInstructions{}, threadInstructions{};
  /// By the number of the operation in the program; empty for operations that move nothing.
  std::vector<AccessCounters> accesses;
  /// Sums over all operations.
  AccessCounters globalLoads, globalStores, sharedLoads, sharedStores;
  /// Multiply-adds of matrix instructions, dense ones (a sparse instruction counts those it does).
  uint64_t matrixMultiplyAdds = 0;

  /// Sums over the classes.
  uint64_t allWarpInstructions() const;
  uint64_t allThreadInstructions() const;
  /// Adds each number of `other`, accesses by operation.
  void add(const Counters &other);
};

/// Passes that shared memory needs for one request: 32 banks of 4 bytes, lanes that touch one word share it; 8-byte
/// accesses go by half warps and 16-byte accesses by quarters. Lanes outside `lanes` take no part.
unsigned sharedWavefronts(const uint64_t addresses[32], uint32_t lanes, unsigned bytesPerLane);
/// Distinct 32-byte sectors.
unsigned globalSectors(const uint64_t addresses[32], uint32_t lanes, unsigned bytesPerLane);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_COUNTERS_H
