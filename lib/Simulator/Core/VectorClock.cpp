/// Vector clocks as sorted arrays. Most joins are between clocks that know the same agents (the warps of a block), so
/// equal keys are walked side by side and only the rest is merged.
#include "lib/Simulator/Core/Races.h"

#include <algorithm>

namespace tilec::sim {

using Entry = std::pair<Agent, uint32_t>;

static bool beforeAgent(const Entry &entry, Agent agent) { return entry.first < agent; }

uint32_t VectorClock::of(Agent agent) const {
  auto at = std::lower_bound(entries.begin(), entries.end(), agent, beforeAgent);
  return at != entries.end() && at->first == agent ? at->second : 0;
}

void VectorClock::reach(Agent agent, uint32_t clock) {
  if (clock == 0)
    return;
  auto at = std::lower_bound(entries.begin(), entries.end(), agent, beforeAgent);
  if (at != entries.end() && at->first == agent)
    at->second = std::max(at->second, clock);
  else
    entries.insert(at, {agent, clock});
}

void VectorClock::join(const VectorClock &other) {
  if (this == &other || other.entries.empty())
    return;
  size_t mine = 0, theirs = 0;
  // What I know of is raised in place; what I do not know of is counted.
  size_t unknown = 0;
  while (mine < entries.size() && theirs < other.entries.size()) {
    if (entries[mine].first == other.entries[theirs].first) {
      entries[mine].second = std::max(entries[mine].second, other.entries[theirs].second);
      ++mine;
      ++theirs;
    } else if (entries[mine].first < other.entries[theirs].first) {
      ++mine;
    } else {
      ++unknown;
      ++theirs;
    }
  }
  unknown += other.entries.size() - theirs;
  if (unknown == 0)
    return;
  // Merged from the back, into the grown array.
  size_t i = entries.size(), j = other.entries.size();
  entries.resize(i + unknown);
  for (size_t to = entries.size(); j > 0; --to) {
    if (i > 0 && entries[i - 1].first >= other.entries[j - 1].first) {
      if (entries[i - 1].first == other.entries[j - 1].first)
        --j;
      entries[to - 1] = entries[i - 1];
      --i;
    } else {
      entries[to - 1] = other.entries[j - 1];
      --j;
    }
  }
}

void VectorClock::clear() { entries.clear(); }

} // namespace tilec::sim
