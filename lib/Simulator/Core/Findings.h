/// What the checks found in a run. A finding names one fault at one instruction, with the first thread that showed it;
/// the same fault at the same instruction is counted, not repeated.
#ifndef TILEC_LIB_SIMULATOR_CORE_FINDINGS_H
#define TILEC_LIB_SIMULATOR_CORE_FINDINGS_H

#include "lib/Simulator/Ptx/Module.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace tilec::sim {

/// The kinds of faults. Their names (findingName) are part of the messages and of tests.
enum class FindingKind : uint8_t {
  OutOfBounds,
  Misaligned,
  /// Undefined bits reached an address, a branch, a wait, or memory that the host read back.
  Undefined,
  /// Two accesses to one place without order between them.
  Race,
  /// A result of an asynchronous operation was used before it was waited for, or its source was overwritten.
  AsyncNotWaited,
  /// An order that holds between threads, but not between the generic and the async proxy.
  MissingProxyFence,
  BarrierDivergence,
  Deadlock,
  /// Too many arrivals or transaction bytes at an mbarrier, or one that was not initialised or was overwritten.
  BarrierMisuse,
  /// Shared memory, registers or threads over what the target has.
  Budget,
  /// An instruction's own rules were broken, such as different addresses in a warp-uniform operand.
  InvalidOperand,
  /// `trap`, and a device-side assertion.
  Trap,
  /// A branch was taken so often without anything else changing that it will not end.
  NoProgress,
  /// What the simulator does not know; the run stops there.
  Unsupported,
};

/// "out of bounds", "race", …
const char *findingName(FindingKind kind);

/// A thread of a launch.
struct ThreadName {
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  bool known = false;
};

/// "(3,0,0)".
std::string coordinateText(const uint32_t values[3]);
/// "thread (3,0,0) of block (1,0,0)".
std::string threadText(const ThreadName &name);

/// One fault at one instruction.
struct Finding {
  FindingKind kind = FindingKind::Unsupported;
  /// Lower case, no full stop: what was expected and what was found.
  std::string message;
  /// Line of the PTX text, its text, and where that came from by `.loc` ("file.cu:12"; empty: not known).
  ptx::Location at;
  std::string instruction;
  std::string source;
  ThreadName thread;
  /// The other party of a race, who waits for what, the remedy: a line each.
  std::vector<std::string> notes;
  /// How often it was seen.
  uint64_t count = 1;

  /// "kernel.ptx:12: race: … \n  note: …", for people.
  std::string toString(const std::string &ptxName) const;
};

/// All findings of a run; any thread may add.
class Findings {
public:
  /// Adds or counts. Findings are the same if kind, line and `key` are; `key` tells apart what one instruction can do
  /// wrong in several ways. Returns how many different findings there are.
  size_t add(Finding finding, uint64_t key = 0);
  /// Whether nothing was found.
  bool empty() const;
  /// In the order of lines, then of kinds, which does not depend on how blocks were spread over cores.
  std::vector<Finding> all() const;
  /// Forgets all of them.
  void clear();

private:
  struct Key {
    uint32_t line;
    FindingKind kind;
    uint64_t key;
    bool operator<(const Key &other) const {
      return std::tie(line, kind, key) < std::tie(other.line, other.kind, other.key);
    }
  };
  mutable std::mutex mutex;
  std::map<Key, Finding> found;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_FINDINGS_H
