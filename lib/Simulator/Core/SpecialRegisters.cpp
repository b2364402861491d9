#include "lib/Simulator/Core/SpecialRegisters.h"

#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

#include <map>

using namespace tilec;
using namespace tilec::sim;

namespace {
struct SpecialRegister {
  unsigned bytes;
  uint64_t (*value)(const Warp &warp, unsigned lane);
};
} // namespace

static const Grid &gridOf(const Warp &warp) { return *warp.block->cluster->grid; }
static uint32_t axisOf(const Dim3 &size, int axis) { return axis == 0 ? size.x : axis == 1 ? size.y : size.z; }

/// `%name.x`, `.y`, `.z` (and `.w`, which is zero) of something with three coordinates.
template <typename Value>
static void addTriple(std::map<std::string, SpecialRegister, std::less<>> &table, const std::string &name, Value) {
  table[name + ".x"] = {4, [](const Warp &warp, unsigned lane) -> uint64_t { return Value{}(warp, lane, 0); }};
  table[name + ".y"] = {4, [](const Warp &warp, unsigned lane) -> uint64_t { return Value{}(warp, lane, 1); }};
  table[name + ".z"] = {4, [](const Warp &warp, unsigned lane) -> uint64_t { return Value{}(warp, lane, 2); }};
  table[name + ".w"] = {4, [](const Warp &, unsigned) -> uint64_t { return 0; }};
}

namespace {
struct ThreadPlace {
  uint64_t operator()(const Warp &warp, unsigned lane, int axis) const {
    uint32_t place[3];
    unfold(uint64_t(warp.index) * warpSize + lane, gridOf(warp).threads, place);
    return place[axis];
  }
};
struct ThreadCount {
  uint64_t operator()(const Warp &warp, unsigned, int axis) const { return axisOf(gridOf(warp).threads, axis); }
};
struct BlockPlace {
  uint64_t operator()(const Warp &warp, unsigned, int axis) const { return warp.block->place[axis]; }
};
struct BlockCount {
  uint64_t operator()(const Warp &warp, unsigned, int axis) const { return axisOf(gridOf(warp).blocks, axis); }
};
struct ClusterPlace {
  uint64_t operator()(const Warp &warp, unsigned, int axis) const {
    return warp.block->place[axis] / axisOf(gridOf(warp).clusterSize, axis);
  }
};
struct ClusterCount {
  uint64_t operator()(const Warp &warp, unsigned, int axis) const {
    return axisOf(gridOf(warp).blocks, axis) / axisOf(gridOf(warp).clusterSize, axis);
  }
};
struct PlaceInCluster {
  uint64_t operator()(const Warp &warp, unsigned, int axis) const {
    return warp.block->place[axis] % axisOf(gridOf(warp).clusterSize, axis);
  }
};
struct ClusterSize {
  uint64_t operator()(const Warp &warp, unsigned, int axis) const { return axisOf(gridOf(warp).clusterSize, axis); }
};
} // namespace

static std::map<std::string, SpecialRegister, std::less<>> makeTable() {
  std::map<std::string, SpecialRegister, std::less<>> table;
  addTriple(table, "%tid", ThreadPlace{});
  addTriple(table, "%ntid", ThreadCount{});
  addTriple(table, "%ctaid", BlockPlace{});
  addTriple(table, "%nctaid", BlockCount{});
  addTriple(table, "%clusterid", ClusterPlace{});
  addTriple(table, "%nclusterid", ClusterCount{});
  addTriple(table, "%cluster_ctaid", PlaceInCluster{});
  addTriple(table, "%cluster_nctaid", ClusterSize{});
  table["%laneid"] = {4, [](const Warp &, unsigned lane) -> uint64_t { return lane; }};
  table["%warpid"] = {4, [](const Warp &warp, unsigned) -> uint64_t { return warp.index; }};
  table["%nwarpid"] = {
      4, [](const Warp &warp, unsigned) -> uint64_t { return gridOf(warp).target->maxThreadsPerSM / warpSize; }};
  table["%smid"] = {
      4, [](const Warp &warp, unsigned) -> uint64_t { return warp.block->number % gridOf(warp).target->numSMs; }};
  table["%nsmid"] = {4, [](const Warp &warp, unsigned) -> uint64_t { return gridOf(warp).target->numSMs; }};
  table["%gridid"] = {8, [](const Warp &, unsigned) -> uint64_t { return 1; }};
  table["%cluster_ctarank"] = {4, [](const Warp &warp, unsigned) -> uint64_t { return warp.block->rank; }};
  table["%cluster_nctarank"] = {
      4, [](const Warp &warp, unsigned) -> uint64_t { return gridOf(warp).clusterSize.count(); }};
  table["%is_explicit_cluster"] = {
      0, [](const Warp &warp, unsigned) -> uint64_t { return gridOf(warp).clusterSize.count() > 1; }};
  table["%lanemask_eq"] = {4, [](const Warp &, unsigned lane) -> uint64_t { return 1u << lane; }};
  table["%lanemask_lt"] = {4, [](const Warp &, unsigned lane) -> uint64_t { return (1u << lane) - 1; }};
  table["%lanemask_le"] = {4, [](const Warp &, unsigned lane) -> uint64_t { return (2u << lane) - 1; }};
  table["%lanemask_gt"] = {4, [](const Warp &, unsigned lane) -> uint64_t { return ~((2u << lane) - 1); }};
  table["%lanemask_ge"] = {4, [](const Warp &, unsigned lane) -> uint64_t { return ~((1u << lane) - 1); }};
  table["%dynamic_smem_size"] = {
      4, [](const Warp &warp, unsigned) -> uint64_t { return gridOf(warp).dynamicSharedBytes; }};
  table["%total_smem_size"] = {
      4, [](const Warp &warp, unsigned) -> uint64_t { return warp.block->shared.size + sharedBase; }};
  table["%aggr_smem_size"] = {
      4, [](const Warp &warp, unsigned) -> uint64_t { return warp.block->shared.size + sharedBase; }};
  table["%reserved_smem_offset_begin"] = {4, [](const Warp &, unsigned) -> uint64_t { return 0; }};
  table["%reserved_smem_offset_end"] = {4, [](const Warp &, unsigned) -> uint64_t { return sharedBase; }};
  for (const char *name : {"%reserved_smem_offset_0", "%reserved_smem_offset_1"})
    table[name] = {4, [](const Warp &, unsigned) -> uint64_t { return 0; }};
  table["%reserved_smem_offset_cap"] = {4, [](const Warp &, unsigned) -> uint64_t { return sharedBase; }};
  table["%current_graph_exec"] = {8, [](const Warp &, unsigned) -> uint64_t { return 0; }};
  for (int i = 0; i < 32; ++i)
    table["%envreg" + std::to_string(i)] = {4, [](const Warp &, unsigned) -> uint64_t { return 0; }};
  // Known, but no rows: see isClock.
  auto changing = [](const Warp &, unsigned) -> uint64_t { return 0; };
  for (const char *name : {"%clock", "%clock_hi", "%globaltimer_lo", "%globaltimer_hi"})
    table[name] = {4, changing};
  for (const char *name : {"%clock64", "%globaltimer"})
    table[name] = {8, changing};
  return table;
}

static const std::map<std::string, SpecialRegister, std::less<>> &table() {
  static const auto instance = makeTable();
  return instance;
}

unsigned sim::specialRegisterBytes(std::string_view name) {
  auto found = table().find(name);
  // A predicate counts as four bytes here: the question is whether it is known.
  return found == table().end() ? 0 : found->second.bytes ? found->second.bytes : 4;
}

bool sim::isClock(std::string_view name) {
  for (std::string_view clock :
       {"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"})
    if (name == clock)
      return true;
  return false;
}

void sim::writeSpecialRegister(Warp &warp, std::string_view name, Row row) {
  auto found = table().find(name);
  if (found == table().end())
    return;
  Execution x;
  x.registers = warp.registers;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    x.setValue(row, lane, found->second.value(warp, lane));
}
