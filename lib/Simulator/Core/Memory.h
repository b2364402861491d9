/// Memory of the simulated device: regions with bounds, and beside each the shadow that says which bits are undefined
/// and who touched a place last.
///
/// Addresses are the simulator's own and never valid host pointers, so a host that dereferences one fails here as it
/// would on a GPU, and runs are the same whatever the host's address space looks like:
///   global, const    device addresses from `globalBase` up; the spaces' own addresses are the generic ones
///   shared           32-bit addresses; the top byte is 0 for the block's own memory, else 1 + rank in the cluster
///   local            32-bit addresses in the thread's own memory
///   param            offsets in the launch's parameter block
/// Generic addresses of the last three have a window each (sharedWindow …) above the global addresses.
#ifndef TILEC_LIB_SIMULATOR_CORE_MEMORY_H
#define TILEC_LIB_SIMULATOR_CORE_MEMORY_H

#include "lib/Simulator/Core/Program.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace tilec::sim {

class RaceShadow;

/// The first global address, and where the windows of generic addresses begin.
constexpr uint64_t globalBase = 0x0700'0000'0000ull;
constexpr uint64_t sharedWindow = 0x7100'0000'0000'0000ull;
constexpr uint64_t localWindow = 0x7200'0000'0000'0000ull;
constexpr uint64_t parameterWindow = 0x7300'0000'0000'0000ull;
/// Free space around each global allocation, so that an index that runs over hits nothing.
constexpr uint64_t allocationGap = 1 << 20;
/// Where a block's shared memory begins in its window; the first KiB is the system's, as on sm_90.
constexpr uint32_t sharedBase = 1024;

/// Which bits of a region are undefined, in pages: most are wholly defined or wholly undefined and take no memory. Two
/// threads may use different pages, or read one page, at the same time; writers of one page are races of the program
/// that the race check reports, and never corrupt anything outside the page.
class UndefinedBits {
public:
  /// Bytes of memory that a page describes.
  static constexpr uint64_t pageBytes = 4096;

  /// For a region of `bytes`, wholly undefined or wholly defined.
  UndefinedBits(uint64_t bytes, bool undefined);
  ~UndefinedBits();

  /// Whether all bytes are defined: the question asked most.
  bool allDefined(uint64_t offset, uint64_t bytes) const;
  /// Copies the undefined bits (1: undefined) out or in.
  void read(uint64_t offset, void *bits, uint64_t bytes) const;
  void write(uint64_t offset, const void *bits, uint64_t bytes);
  /// All bits of the bytes become defined, or undefined.
  void setDefined(uint64_t offset, uint64_t bytes);
  void setUndefined(uint64_t offset, uint64_t bytes);
  /// The first byte with an undefined bit in a range, or -1.
  int64_t firstUndefined(uint64_t offset, uint64_t bytes) const;

private:
  struct Pages;
  std::unique_ptr<Pages> pages;
};

/// One allocation, a block's shared memory, a thread's local memory, or a launch's parameters.
struct Region {
  ptx::Space space = ptx::Space::Global;
  /// First address in the terms of its space.
  uint64_t base = 0;
  uint64_t size = 0;
  std::byte *bytes = nullptr;
  /// Null where checks are off or the memory is always defined.
  std::unique_ptr<UndefinedBits> undefined;
  /// Null where checks are off or the memory belongs to one thread.
  std::unique_ptr<RaceShadow> races;
  /// For messages: "allocation of 4096 bytes", "shared memory of the block", a variable's name.
  std::string name;
  bool readOnly = false;

  Region();
  ~Region();
};

/// A place in memory that an access may use.
struct Place {
  Region *region = nullptr;
  uint64_t offset = 0;
  explicit operator bool() const { return region != nullptr; }
  std::byte *bytes() const { return region->bytes + offset; }
};

/// Global memory of a device: allocations by address. Lookups may run in parallel with each other; allocating and
/// freeing happen between launches.
class GlobalMemory {
public:
  GlobalMemory();
  ~GlobalMemory();
  /// Undefined content (for checks; the bytes are zero); aligned to 256 bytes. 0: no memory.
  uint64_t allocate(uint64_t bytes, std::string name);
  /// False: no allocation begins there.
  bool free(uint64_t address);
  /// The allocation that holds the address, or null.
  Region *find(uint64_t address) const;
  /// The nearest allocation below, for messages about accesses that ran over; null if none.
  Region *nearest(uint64_t address) const;
  /// Freed allocations that held the address, for messages ("freed before").
  bool wasFreed(uint64_t address) const;
  /// Forgets who touched what; done between launches.
  void forgetAccesses();
  /// Whether shadows are kept for new allocations.
  bool tracking = true;

private:
  std::map<uint64_t, std::unique_ptr<Region>> regions;
  std::map<uint64_t, uint64_t> freed;
  uint64_t next = globalBase, allocated = 0;
};

/// The space that an instruction names; Generic where it names none.
enum class AddressSpace : uint8_t { Generic, Constant, Global, Local, Parameter, SharedBlock, SharedCluster };
/// "global", "shared::cluster", …
const char *addressSpaceName(AddressSpace space);

/// What an access does to the memory.
enum class AccessKind : uint8_t { Read, Write, Atomic };

/// Finds the memory of one lane's access and checks it: bounds, alignment (`alignment` bytes, 1: any), writes to
/// read-only memory, freed memory. On a fault it is reported and the place is empty: the access must not happen.
/// Checked even where checks are off, since the host must survive.
Place locate(Execution &x, const Operation &op, unsigned lane, AddressSpace space, uint64_t address, unsigned bytes,
             unsigned alignment, AccessKind kind);

/// Which proxy an access goes through (PTX ISA, "Proxies").
enum class Proxy : uint8_t { Generic, Async };

/// Moves bytes with what the checks need: the undefined bits travel along (`undefinedBits` may be null: not wanted on
/// reads, all defined on writes), and the access is recorded for the race check under the executing thread. `strong`:
/// volatile, relaxed or stronger, which two threads may do at once.
void readMemory(Execution &x, const Operation &op, unsigned lane, Place place, void *to, void *undefinedBits,
                unsigned bytes, bool strong = false);
void writeMemory(Execution &x, const Operation &op, unsigned lane, Place place, const void *from,
                 const void *undefinedBits, unsigned bytes, bool strong = false);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_MEMORY_H
