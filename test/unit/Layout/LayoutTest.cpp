/// Laws of Layout, cross-checked by enumerating every holder.
#include "lib/Layout/Layout.h"
#include "RandomLayout.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir::tile;
using llvm::ArrayRef;
using llvm::SmallVector;
using Coords = SmallVector<int64_t>;

template <typename Visit>
static void forEachHolder(const Layout &layout, Visit visit) {
  for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
    for (unsigned lane = 0; lane < Layout::numLanes; ++lane)
      for (unsigned reg = 0, e = layout.numRegisters(); reg < e; ++reg)
        visit(reg, lane, warp, layout.coordinates(reg, lane, warp));
}

/// Every padded position is held, each by replication() holders.
static void expectCovered(const Layout &layout) {
  std::map<Coords, unsigned> count;
  forEachHolder(layout, [&](unsigned, unsigned, unsigned, const Coords &c) { ++count[c]; });
  uint64_t positions = 1;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    positions *= layout.paddedExtent(dim);
  EXPECT_EQ(count.size(), positions) << layout.str();
  for (auto &[c, n] : count) {
    ASSERT_EQ(n, layout.replication()) << layout.str();
    for (unsigned dim = 0; dim < layout.rank(); ++dim)
      ASSERT_LT(c[dim], layout.paddedExtent(dim));
  }
}

static std::vector<Layout> samples(unsigned count = 36) {
  std::mt19937 random(1);
  std::vector<Layout> result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(randomLayout(random, 1 + i % 3, i & 1, i & 2));
  return result;
}

TEST(Layout, worked_example_of_the_header) {
  auto layout = Layout::create({16, 24}, {{0, 1}, {8, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}, {},
                               {{1, 3, Place::Register}});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->numRegisters(), 12u);
  EXPECT_EQ(layout->coordinates(3, 6, 0), (Coords{9, 5}));
  EXPECT_EQ(layout->coordinates(11, 6, 0), (Coords{9, 21}));
  EXPECT_EQ(layout->paddedExtent(1), 24);
  EXPECT_EQ(layout->contiguity(1), 2u);
  EXPECT_EQ(layout->contiguity(0), 1u);
}

TEST(Layout, create_refuses_with_a_reason) {
  std::string why;
  SmallVector<Basis> lanes{{1}, {2}, {4}, {8}, {16}};
  EXPECT_FALSE(Layout::create({32}, {}, ArrayRef<Basis>(lanes).drop_back(), {}, {}, &why));
  EXPECT_EQ(why, "expected 5 lane bases, but got 4");
  EXPECT_FALSE(Layout::create({64}, {}, lanes, {}, {}, &why));
  EXPECT_EQ(why, "dimension 0 has extent 64, but the bases and digits cover only 32");
  EXPECT_FALSE(Layout::create({32}, {{0}}, lanes, {}, {}, &why));
  EXPECT_EQ(why, "register basis 0 is zero or a combination of the ones before it");
  EXPECT_FALSE(Layout::create({32}, {{64}}, lanes, {}, {}, &why));
  EXPECT_EQ(why, "the bases reach only 2^6 of 2^7 positions");
  EXPECT_FALSE(Layout::create({32}, {}, lanes, {{1, 2}}, {}, &why));
  EXPECT_EQ(why, "warp basis 0 has 2 coordinates, but the tile has rank 1");
  EXPECT_FALSE(Layout::create({32}, {}, lanes, {{-1}}, {}, &why));
  EXPECT_FALSE(Layout::create({32}, {}, lanes, {}, {{0, 4, Place::Register}}, &why));
  EXPECT_EQ(why, "digit 4 is not an odd number of at least 3");
  EXPECT_FALSE(Layout::create({32}, {}, lanes, {}, {{1, 3, Place::Register}}, &why));
  EXPECT_FALSE(Layout::create({32}, {}, lanes, {}, {{-1, 3, Place::Register}}, &why));
  EXPECT_FALSE(Layout::create({32}, {}, lanes, {}, {{0, 3, Place::Register}, {0, 5, Place::Warp}}, &why));
  EXPECT_EQ(why, "dimension 0 has more than one digit");
  EXPECT_FALSE(Layout::create({0}, {}, lanes, {}, {}, &why));
  EXPECT_FALSE(Layout::create({32}, {}, lanes, {}, {{0, 65, Place::Warp}}, &why));
  EXPECT_EQ(why, "more than 64 warps");
}

TEST(Layout, every_position_is_held_equally_often) {
  for (const Layout &layout : samples())
    expectCovered(layout);
}

TEST(Layout, parts_combine_to_coordinates) {
  for (const Layout &layout : samples())
    forEachHolder(layout, [&](unsigned reg, unsigned lane, unsigned warp, const Coords &c) {
      for (unsigned dim = 0; dim < layout.rank(); ++dim) {
        int64_t r = layout.registerOffset(reg, dim), t = layout.threadOffset(lane, warp, dim);
        ASSERT_EQ(r ^ t, c[dim]) << layout.str();
        if (layout.isAdditive(dim)) {
          ASSERT_EQ(r + t, c[dim]) << layout.str();
        }
      }
    });
}

TEST(Layout, find_inverts_coordinates) {
  for (const Layout &layout : samples())
    forEachHolder(layout, [&](unsigned, unsigned, unsigned, const Coords &c) {
      auto holder = layout.find(c);
      ASSERT_TRUE(holder);
      ASSERT_EQ(layout.coordinates(holder->reg, holder->lane, holder->warp), c) << layout.str();
    });
}

TEST(Layout, transpose_slice_expand_relabel_coordinates) {
  for (const Layout &layout : samples()) {
    SmallVector<unsigned> perm;
    for (unsigned i = 0; i < layout.rank(); ++i)
      perm.push_back((i + 1) % layout.rank());
    Layout transposed = layout.transpose(perm);
    EXPECT_EQ(transposed.numRegisters(), layout.numRegisters());
    forEachHolder(layout, [&](unsigned reg, unsigned lane, unsigned warp, const Coords &c) {
      Coords expected;
      for (unsigned from : perm)
        expected.push_back(c[from]);
      ASSERT_EQ(transposed.coordinates(reg, lane, warp), expected);
    });
    for (unsigned axis = 0; axis < layout.rank(); ++axis) {
      Layout sliced = layout.slice(axis);
      EXPECT_EQ(sliced.numWarps(), layout.numWarps());
      expectCovered(sliced);
      Layout expanded = sliced.expandDims(axis);
      EXPECT_EQ(expanded.slice(axis), sliced);
      auto map = layout.registerMapTo(expanded);
      ASSERT_TRUE(map) << layout.str() << sliced.str();
      forEachHolder(layout, [&](unsigned reg, unsigned lane, unsigned warp, const Coords &c) {
        if (!layout.isLive(c))
          return;
        Coords expected(c);
        expected.erase(expected.begin() + axis);
        ASSERT_EQ(sliced.coordinates((*map)[reg], lane, warp), expected) << layout.str();
      });
    }
  }
}

TEST(Layout, register_map_is_found_exactly_when_it_exists) {
  std::mt19937 random(7);
  unsigned found = 0;
  for (unsigned i = 0; i < 200; ++i) {
    Layout a = randomLayout(random, 1 + i % 2, false, i & 2);
    // Permute registers, or swap a register bit with a thread bit.
    SmallVector<Basis> regs(a.registerBases()), lanes(a.laneBases());
    std::shuffle(regs.begin(), regs.end(), random);
    if (i % 3 == 0 && !regs.empty())
      std::swap(regs[0], lanes[i % 5]);
    auto b = Layout::create(a.extents(), regs, lanes, a.warpBases(), a.digits());
    if (!b)
      continue;
    bool exists = true;
    for (unsigned warp = 0; warp < a.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 32; ++lane) {
        std::set<Coords> have;
        for (unsigned reg = 0; reg < b->numRegisters(); ++reg)
          have.insert(b->coordinates(reg, lane, warp));
        for (unsigned reg = 0; reg < a.numRegisters(); ++reg)
          exists &= have.count(a.coordinates(reg, lane, warp)) == 1;
      }
    auto map = a.registerMapTo(*b);
    // A map that differs between threads does not count.
    EXPECT_TRUE(exists || !map);
    if (!map)
      continue;
    ++found;
    forEachHolder(a, [&](unsigned reg, unsigned lane, unsigned warp, const Coords &c) {
      ASSERT_EQ(b->coordinates((*map)[reg], lane, warp), c);
    });
  }
  EXPECT_GT(found, 50u);
}

TEST(Layout, contiguity_is_what_every_thread_has) {
  for (const Layout &layout : samples(48))
    for (unsigned dim = 0; dim < layout.rank(); ++dim) {
      auto holds = [&](unsigned v) {
        bool all = layout.numRegisters() % v == 0;
        forEachHolder(layout, [&](unsigned reg, unsigned lane, unsigned warp, const Coords &c) {
          if (!all)
            return;
          Coords start = layout.coordinates(reg / v * v, lane, warp);
          Coords expected(start);
          expected[dim] += reg % v;
          all &= c == expected && start[dim] % v == 0;
        });
        return all;
      };
      unsigned v = layout.contiguity(dim);
      EXPECT_TRUE(holds(v)) << layout.str();
      EXPECT_FALSE(holds(2 * v)) << layout.str() << " dim " << dim;
    }
}

TEST(Layout, blocked_covers_any_extent) {
  for (int64_t m : {1, 4, 24, 64, 96})
    for (int64_t n : {1, 4, 40, 128, 208})
      for (unsigned numWarps : {1, 3, 4, 6}) {
        Layout layout = Layout::blocked({m, n}, {1, 4}, {4, 8}, {numWarps % 2 ? 1 : 2, 1}, {1, 0}, numWarps);
        EXPECT_EQ(layout.numWarps(), numWarps);
        expectCovered(layout);
      }
  // 192 rows over three warp groups: the digit is on the warps.
  Layout rows = Layout::blocked({192, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0}, 12);
  EXPECT_EQ(rows.numRegisters(), 192u * 64 / (12 * 32));
  EXPECT_EQ(rows.replication(), 1u);
}

TEST(Layout, coalesced_wastes_little_and_keeps_runs_long) {
  for (int64_t m : {1, 8, 64, 96})
    for (int64_t n : {4, 40, 96, 176, 208, 256})
      for (unsigned bits : {8u, 16u, 32u})
        for (unsigned numWarps : {1u, 4u}) {
          Layout layout = Layout::coalesced({m, n}, {1, 0}, bits, numWarps);
          expectCovered(layout);
          if (m * n < 32 * numWarps)
            continue;
          uint64_t holders = uint64_t(layout.numRegisters()) * 32 * numWarps;
          EXPECT_LE(holders, 2u * m * n) << layout.str();
        }
  Layout exact = Layout::coalesced({64, 176}, {1, 0}, 32, 4);
  EXPECT_EQ(exact.paddedExtent(1), 176);
  EXPECT_EQ(exact.contiguity(1), 4u);
  EXPECT_EQ(exact.odd(1), 11u);
  Layout padded = Layout::coalesced({64, 176}, {1, 0}, 16, 4);
  EXPECT_EQ(padded.paddedExtent(1), 192);
  EXPECT_EQ(padded.contiguity(1), 8u);
  Layout row = Layout::coalesced({4096}, {0}, 16, 4);
  EXPECT_EQ(row.numRegisters(), 32u);
  EXPECT_EQ(row.contiguity(0), 8u);
  Layout column = Layout::coalesced({128, 64}, {0, 1}, 16, 4);
  EXPECT_EQ(column.contiguity(0), 8u);
}

TEST(Layout, reshape_keeps_row_major_order) {
  std::mt19937 random(3);
  unsigned done = 0;
  auto flat = [](const Coords &c, ArrayRef<int64_t> extents) {
    int64_t result = 0;
    for (auto [x, e] : llvm::zip(c, extents))
      result = result * e + x;
    return result;
  };
  for (unsigned i = 0; i < 60; ++i) {
    Layout layout = randomLayout(random, 2, i & 1, i & 2);
    int64_t m = layout.extents()[0], n = layout.extents()[1];
    for (SmallVector<int64_t> to : {SmallVector<int64_t>{m * n}, {1, m * n}, {m, n, 1}, {m, 1, n}, {n, m},
                                    {m % 2 ? m : m / 2, m % 2 ? n : 2 * n}}) {
      auto reshaped = layout.reshape(to);
      if (!reshaped)
        continue;
      ++done;
      forEachHolder(layout, [&](unsigned reg, unsigned lane, unsigned warp, const Coords &c) {
        if (!layout.isLive(c))
          return;
        ASSERT_EQ(flat(reshaped->coordinates(reg, lane, warp), to), flat(c, layout.extents())) << layout.str();
      });
    }
  }
  EXPECT_GT(done, 150u);
  EXPECT_FALSE(samples(1)[0].reshape({7}));
}

TEST(Layout, doubled_holds_both_halves_of_each_element) {
  std::mt19937 random(7);
  for (unsigned i = 0; i < 60; ++i) {
    Layout layout = randomLayout(random, 2, i & 1, i & 2);
    for (unsigned axis : {0u, 1u}) {
      Layout doubled = layout.doubled(axis);
      EXPECT_EQ(doubled.extents()[axis], 2 * layout.extents()[axis]);
      forEachHolder(layout, [&](unsigned reg, unsigned lane, unsigned warp, const Coords &c) {
        for (unsigned half : {0u, 1u}) {
          Coords both(c);
          both[axis] = 2 * c[axis] + half;
          ASSERT_EQ(doubled.coordinates(2 * reg + half, lane, warp), both) << layout.str();
        }
      });
      std::optional<Layout> halved = doubled.halved(axis);
      ASSERT_TRUE(halved);
      EXPECT_EQ(*halved, layout);
      auto pairs = doubled.halvedRegisters(axis);
      ASSERT_EQ(pairs.size(), layout.numRegisters());
      for (unsigned reg = 0; reg < pairs.size(); ++reg)
        ASSERT_EQ(pairs[reg], std::pair(2 * reg, 2 * reg + 1));
    }
  }
}

TEST(Layout, halved_needs_pairs_in_one_thread) {
  Layout rows = Layout::blocked({16, 8}, {1, 4}, {4, 2}, {1, 1}, {1, 0}, 1);
  std::optional<Layout> pairs = rows.halved(1);
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->extents(), ArrayRef<int64_t>({16, 4}));
  EXPECT_EQ(pairs->numRegisters(), rows.numRegisters() / 2);
  EXPECT_FALSE(rows.halved(0)); // neighbours in lanes
  // The pair's bit need not be the first, and digits stay above the bits.
  std::optional<Layout> turned =
      Layout::create({2, 12}, {Basis{1, 0}, Basis{0, 1}, Basis{0, 2}},
                     {Basis{0, 0}, Basis{0, 0}, Basis{0, 0}, Basis{0, 0}, Basis{0, 0}}, {}, {{1, 3, Place::Register}});
  ASSERT_TRUE(turned);
  std::optional<Layout> half = turned->halved(1);
  ASSERT_TRUE(half);
  auto registers = turned->halvedRegisters(1);
  ASSERT_EQ(registers.size(), half->numRegisters());
  for (unsigned reg = 0; reg < registers.size(); ++reg) {
    auto position = half->coordinates(reg, 0, 0);
    position[1] *= 2;
    EXPECT_EQ(turned->coordinates(registers[reg].first, 0, 0), position);
    ++position[1];
    EXPECT_EQ(turned->coordinates(registers[reg].second, 0, 0), position);
  }
  // A lane that moves by an odd number would tear pairs.
  std::optional<Layout> mixed =
      Layout::create({64}, {Basis{1}}, {Basis{3}, Basis{4}, Basis{8}, Basis{16}, Basis{32}}, {}, {});
  ASSERT_TRUE(mixed);
  EXPECT_FALSE(mixed->halved(0));
}

TEST(Layout, replicated_over_warps_by_bits_or_digits) {
  SmallVector<Basis> lanes = {Basis{1}, Basis{2}, Basis{4}, Basis{0}, Basis{0}};
  auto layout = [&](ArrayRef<int64_t> extents, ArrayRef<Basis> warps, ArrayRef<Digit> digits) {
    return *Layout::create(extents, {}, lanes, warps, digits);
  };
  EXPECT_FALSE(layout({8}, {}, {}).isReplicatedOverWarps()); // over lanes only
  EXPECT_FALSE(layout({16}, {Basis{8}}, {}).isReplicatedOverWarps());
  EXPECT_TRUE(layout({16}, {Basis{8}, Basis{0}}, {}).isReplicatedOverWarps());
  EXPECT_FALSE(layout({24}, {}, {{0, 3, Place::Warp}}).isReplicatedOverWarps());
  EXPECT_TRUE(layout({24}, {}, {{0, 3, Place::Warp}}).slice(0).isReplicatedOverWarps());
}

TEST(Layout, coalesced_with_a_least_vector) {
  // 64 elements for 128 threads: each would have one; with granules of two, threads replicate.
  Layout small = Layout::coalesced({8, 8}, {1, 0}, 4, 4, 128, 2);
  EXPECT_EQ(small.contiguity(1), 2u);
  EXPECT_EQ(small.replication(), 4u);
  EXPECT_EQ(Layout::coalesced({64, 256}, {1, 0}, 4, 4, 128, 2).contiguity(1), 32u);
}

TEST(Layout, equal_layouts_hash_equally) {
  auto all = samples(), again = samples();
  for (unsigned i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i], again[i]);
    EXPECT_EQ(hash_value(all[i]), hash_value(again[i]));
  }
}

TEST(Layout, rank_zero_is_replicated_everywhere) {
  Layout scalar = Layout::coalesced({}, {}, 32, 4);
  EXPECT_EQ(scalar.numRegisters(), 1u);
  EXPECT_EQ(scalar.replication(), 128u);
}
