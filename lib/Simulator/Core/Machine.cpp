/// Construction of blocks and warps, and what stands in their registers when they start.
#include "lib/Simulator/Core/Machine.h"

#include "lib/Simulator/Core/BlockBarriers.h"
#include "lib/Simulator/Core/ClusterBarrier.h"
#include "lib/Simulator/Core/Mbarriers.h"
#include "lib/Simulator/Core/SpecialRegisters.h"
#include "lib/Simulator/Core/Start.h"
#include "lib/Simulator/Core/WarpAsync.h"

#include <algorithm>
#include <cstring>

using namespace tilec;
using namespace tilec::sim;

Warp::Warp() = default;
Warp::~Warp() = default;
Block::Block() = default;
Block::~Block() = default;
Cluster::Cluster() = default;
Cluster::~Cluster() = default;

bool Cluster::finished() const {
  return std::all_of(blocks.begin(), blocks.end(),
                     [](const std::unique_ptr<Block> &block) { return block->liveWarps == 0; });
}

Agent Block::newAgent() { return (static_cast<Agent>(number) << agentBits) | nextAgent++; }

uint64_t sim::addressOf(const Grid &grid, const ptx::Variable &variable) {
  const Program &program = *grid.program;
  switch (variable.space) {
  case ptx::Space::Shared: {
    auto found = program.sharedOffsets.find(&variable);
    return sharedBase + (found == program.sharedOffsets.end() ? program.dynamicSharedOffset : found->second);
  }
  case ptx::Space::Local:
  case ptx::Space::Parameter: {
    auto parameter = program.parameterOffsets.find(&variable);
    if (parameter != program.parameterOffsets.end())
      return parameter->second;
    auto found = program.localOffsets.find(&variable);
    return found == program.localOffsets.end() ? 0 : found->second;
  }
  default: {
    auto found = grid.variables->find(&variable);
    return found == grid.variables->end() ? 0 : found->second->base;
  }
  }
}

/// Writes the rows that do not change: constants, addresses, parameters, special registers.
static void writeInitialRows(const Grid &grid, Warp &warp) {
  for (const InitialRow &initial : grid.program->initialRows) {
    std::byte *at = warp.registers + initial.row.offset;
    uint64_t value = initial.value;
    if (initial.kind == InitialRow::Kind::Special) {
      writeSpecialRegister(warp, initial.special, initial.row);
    } else {
      if (initial.kind == InitialRow::Kind::Symbol)
        value = addressOf(grid, *initial.symbol) + initial.value;
      switch (initial.row.bytes) {
      case 0:
        *reinterpret_cast<LaneMask *>(at) = value ? allLanes : 0;
        break;
      case 1:
        std::fill_n(reinterpret_cast<uint8_t *>(at), warpSize, static_cast<uint8_t>(value));
        break;
      case 2:
        std::fill_n(reinterpret_cast<uint16_t *>(at), warpSize, static_cast<uint16_t>(value));
        break;
      case 4:
        std::fill_n(reinterpret_cast<uint32_t *>(at), warpSize, static_cast<uint32_t>(value));
        break;
      case 8:
        std::fill_n(reinterpret_cast<uint64_t *>(at), warpSize, value);
        break;
      default:
        for (unsigned lane = 0; lane < warpSize; ++lane) {
          reinterpret_cast<uint64_t *>(at)[2 * lane] = value;
          reinterpret_cast<uint64_t *>(at)[2 * lane + 1] = 0;
        }
      }
    }
    if (warp.mayBeUndefined)
      warp.mayBeUndefined[initial.row.offset / rowAlignment] = 0;
  }
}

static void startWarp(Grid &grid, Block &block, unsigned index, uint64_t threads) {
  auto warp = std::make_unique<Warp>();
  const Program &program = *grid.program;
  warp->block = &block;
  warp->index = index;
  uint64_t rest = threads - static_cast<uint64_t>(index) * warpSize;
  warp->existing = rest >= warpSize ? allLanes : (1u << rest) - 1;
  warp->alive = warp->existing;
  warp->registers = block.registerFile.data() + static_cast<size_t>(index) * program.registerBytes;
  if (grid.options.check) {
    warp->undefined = block.undefinedFile.data() + static_cast<size_t>(index) * program.registerBytes;
    warp->mayBeUndefined =
        block.undefinedFlags.data() + static_cast<size_t>(index) * (program.registerBytes / rowAlignment);
  }
  warp->stamp = {block.newAgent(), 1};
  warp->order.seen.reach(warp->stamp.agent, warp->stamp.clock);
  warp->async = std::make_unique<WarpAsync>();
  if (program.localBytes) {
    warp->localBytes.assign(static_cast<size_t>(program.localBytes) * warpSize, std::byte{0xcd});
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      auto region = std::make_unique<Region>();
      region->space = ptx::Space::Local;
      region->size = program.localBytes;
      region->bytes = warp->localBytes.data() + static_cast<size_t>(lane) * program.localBytes;
      region->name = "local memory of the thread";
      if (grid.options.check)
        region->undefined = std::make_unique<UndefinedBits>(program.localBytes, /*undefined=*/true);
      warp->local.push_back(std::move(region));
    }
  }
  Split split;
  split.lanes = warp->existing;
  warp->splits.push_back(std::move(split));
  writeInitialRows(grid, *warp);
  block.warps.push_back(std::move(warp));
}

static void startBlock(Grid &grid, Cluster &cluster, unsigned rank, uint64_t number, const uint32_t place[3]) {
  const Program &program = *grid.program;
  auto block = std::make_unique<Block>();
  block->cluster = &cluster;
  block->number = number;
  block->rank = rank;
  std::copy_n(place, 3, block->place);
  uint32_t sharedSize = program.staticSharedBytes;
  if (grid.dynamicSharedBytes)
    sharedSize = program.dynamicSharedOffset + grid.dynamicSharedBytes;
  block->sharedBytes.assign(sharedSize, std::byte{0xcd});
  block->shared.space = ptx::Space::Shared;
  block->shared.base = sharedBase;
  block->shared.size = sharedSize;
  block->shared.bytes = block->sharedBytes.data();
  block->shared.name = "shared memory of the block";
  uint64_t threads = grid.threads.count();
  auto warps = static_cast<unsigned>((threads + warpSize - 1) / warpSize);
  // Registers hold what was never written: a pattern that is neither zero nor a small number.
  block->registerFile.assign(static_cast<size_t>(program.registerBytes) * warps, std::byte{0xcd});
  if (grid.options.check) {
    block->shared.undefined = std::make_unique<UndefinedBits>(sharedSize, /*undefined=*/true);
    block->shared.races = std::make_unique<RaceShadow>(sharedSize);
    block->undefinedFile.assign(block->registerFile.size(), std::byte{0xff});
    block->undefinedFlags.assign(block->registerFile.size() / rowAlignment, 1);
  }
  block->liveWarps = warps;
  block->barriers = std::make_unique<BlockBarriers>();
  block->mbarriers = std::make_unique<Mbarriers>();
  Block &placed = *block;
  cluster.blocks.push_back(std::move(block));
  for (unsigned i = 0; i < warps; ++i)
    startWarp(grid, placed, i, threads);
}

std::unique_ptr<Cluster> sim::startCluster(Grid &grid, uint64_t number, Counters &counters) {
  auto cluster = std::make_unique<Cluster>();
  cluster->grid = &grid;
  cluster->counters = &counters;
  cluster->barrier = std::make_unique<ClusterBarrier>();
  cluster->random.seed(grid.options.seed * 0x9e3779b97f4a7c15ull + number);
  const Dim3 &size = grid.clusterSize;
  uint32_t across = grid.blocks.x / size.x, down = grid.blocks.y / size.y;
  uint32_t first[3] = {static_cast<uint32_t>(number % across) * size.x,
                       static_cast<uint32_t>(number / across % down) * size.y,
                       static_cast<uint32_t>(number / across / down) * size.z};
  unsigned rank = 0;
  for (uint32_t z = 0; z < size.z; ++z)
    for (uint32_t y = 0; y < size.y; ++y)
      for (uint32_t x = 0; x < size.x; ++x) {
        uint32_t place[3] = {first[0] + x, first[1] + y, first[2] + z};
        uint64_t blockNumber = (static_cast<uint64_t>(place[2]) * grid.blocks.y + place[1]) * grid.blocks.x + place[0];
        startBlock(grid, *cluster, rank++, blockNumber, place);
      }
  return cluster;
}
