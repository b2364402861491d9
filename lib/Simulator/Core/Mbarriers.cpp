#include "lib/Simulator/Core/Mbarriers.h"

namespace tilec::sim {

MbarrierBits MbarrierBits::unpack(uint64_t bits) {
  MbarrierBits result;
  result.pending = static_cast<uint32_t>(bits & countLimit);
  result.expected = static_cast<uint32_t>(bits >> 20 & countLimit);
  result.transactions = static_cast<int64_t>(bits >> 40 & 0x1fffff) - (int64_t(1) << 20);
  result.phase = static_cast<unsigned>(bits >> 61);
  return result;
}

uint64_t MbarrierBits::pack() const {
  return uint64_t(pending & countLimit) | uint64_t(expected & countLimit) << 20 |
         (static_cast<uint64_t>(transactions + (int64_t(1) << 20)) & 0x1fffff) << 40 | uint64_t(phase & 7) << 61;
}

MbarrierRecord *Mbarriers::find(uint64_t offset) {
  auto at = records.find(offset);
  return at == records.end() ? nullptr : &at->second;
}

std::string mbarrierName(const Grid &grid, const Block &block, uint64_t offset, const MbarrierRecord &record) {
  std::string text = "mbarrier at shared address " + std::to_string(block.shared.base + offset);
  if (block.cluster && block.cluster->blocks.size() > 1)
    text += " of block " + std::to_string(block.rank) + " in the cluster";
  if (record.init && record.init->text)
    text += " (init at " + grid.program->lineText(*record.init) + ")";
  return text;
}

std::string mbarrierText(const Grid &grid, const Block &block, uint64_t offset, const MbarrierRecord &record) {
  MbarrierBits bits = MbarrierBits::unpack(record.bits);
  return mbarrierName(grid, block, offset, record) + ": phase " + std::to_string(record.phase) +
         " is not complete: " + std::to_string(bits.pending) + " pending arrivals, " +
         std::to_string(bits.transactions) + " pending bytes";
}

} // namespace tilec::sim
