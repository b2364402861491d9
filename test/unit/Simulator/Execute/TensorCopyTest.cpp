#include "lib/Simulator/Tma/Box.h"
#include "test/unit/Simulator/Execute/BulkKernel.h"

using namespace tilec;
using namespace tilec::sim;

namespace {

/// A tensor of 16-bit values, 96 x 24, rows of 192 bytes, at `address`.
TensorMap halves(uint64_t address, uint32_t columns, uint32_t rows, TensorSwizzle swizzle,
                 TensorType type = TensorType::F16) {
  TensorMap map;
  unsigned size = tensorTypeBits(type) / 8;
  uint64_t dim[] = {192 / size, 24}, strides[] = {192};
  uint32_t box[] = {columns, rows}, steps[] = {1, 1};
  EXPECT_EQ(encodeTiled(&map, type, 2, address, dim, strides, box, steps, TensorInterleave::None, swizzle,
                        TensorPromotion::None, TensorFill::Zero),
            "");
  return map;
}

std::string loadText(int x, int y, const std::string &more = {}, const std::string &operands = {}) {
  return "  @!%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes" + more +
         " [%r1], [%rd0, {" + std::to_string(x) + ", " + std::to_string(y) + "}], [%r2]" + operands + ";\n";
}

std::string storeText(int x, int y, const std::string &operation = {}) {
  return std::string("  @!%p0 cp.") + (operation.empty() ? "" : "reduce.") + "async.bulk.tensor.2d.global.shared::cta" +
         operation + ".tile.bulk_group [%rd0, {" + std::to_string(x) + ", " + std::to_string(y) + "}], [%r1];\n" +
         "  @!%p0 cp.async.bulk.commit_group;\n";
}

/// What `tile` must hold after a load.
std::vector<uint8_t> expectedTile(const BulkRun &run, int x, int y) {
  TensorFields fields;
  EXPECT_EQ(readMap(&run.map, fields), "");
  BoxRequest request;
  request.rank = 2;
  request.coordinates[0] = x;
  request.coordinates[1] = y;
  Box box;
  EXPECT_EQ(enumerateBox(fields, request, 0x400, box), "");
  std::vector<uint8_t> tile(box.bytes);
  for (const BoxPiece &piece : box.pieces)
    for (uint32_t i = 0; i < piece.bytes; ++i)
      tile[piece.shared + i] = piece.inside ? run.input[piece.global - run.inAddress() + i] : 0;
  return tile;
}

TEST(TensorCopy, LoadsFillWhatLiesOutside) {
  constexpr unsigned bytes = 64 * 2 * 16;
  for (auto [x, y] : {std::pair(0, 0), std::pair(-8, 20), std::pair(40, -3), std::pair(88, 30)}) {
    BulkRun run(kernelText(initText + expectText(bytes) + loadText(x, y) + waitText + dumpText(bytes)));
    run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::B128);
    for (uint64_t seed = 0; seed < 4; ++seed) {
      ASSERT_EQ(run.run(seed), Names()) << run.status;
      EXPECT_EQ(std::vector<uint8_t>(run.result.begin(), run.result.begin() + bytes), expectedTile(run, x, y));
    }
  }
}

TEST(TensorCopy, MissingWaitIsFound) {
  constexpr unsigned bytes = 64 * 2 * 16;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    BulkRun run(kernelText(initText + expectText(bytes) + loadText(0, 0) + dumpText(bytes)));
    run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::B128);
    EXPECT_TRUE(isMissingWait(run.run(seed))) << run.status;
  }
}

TEST(TensorCopy, WrongExpectedBytesAreFound) {
  constexpr unsigned bytes = 64 * 2 * 16;
  BulkRun more(kernelText(initText + expectText(bytes + 16) + loadText(0, 0) + waitText + dumpText(bytes)));
  more.map = halves(more.inAddress(), 64, 16, TensorSwizzle::B128);
  Names names = more.run();
  ASSERT_EQ(names.size(), 1u) << more.status;
  EXPECT_TRUE(names[0] == "deadlock" || names[0] == "no progress") << more.status;
}

TEST(TensorCopy, TensorBeyondItsAllocationIsFound) {
  constexpr unsigned bytes = 64 * 2 * 16;
  // 24 rows of 192 bytes are one row more than there is.
  BulkRun run(kernelText(initText + expectText(bytes) + loadText(0, 8) + waitText + dumpText(bytes)), 23 * 192);
  run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::B128);
  Names names = run.run();
  ASSERT_FALSE(names.empty());
  EXPECT_NE(run.status.find("out of bounds"), std::string::npos) << run.status;
}

TEST(TensorCopy, SharedAddressesAreAligned) {
  BulkRun run(kernelText(initText + std::string("  add.u32 %r1, %r1, 64;\n") + loadText(0, 0)));
  run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::B128);
  EXPECT_EQ(run.run(), Names({"misaligned"})) << run.status;
}

TEST(TensorCopy, BytesThatAreNoMapAreFound) {
  BulkRun run(kernelText(initText + loadText(0, 0)));
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
  EXPECT_NE(run.status.find("the 128 bytes are no tensor map"), std::string::npos) << run.status;
}

TEST(TensorCopy, RankMustMatch) {
  BulkRun run(kernelText(initText + loadText(0, 0)));
  uint64_t dim[] = {4096};
  uint32_t box[] = {64}, step[] = {1};
  ASSERT_EQ(encodeTiled(&run.map, TensorType::F16, 1, run.inAddress(), dim, nullptr, box, step, TensorInterleave::None,
                        TensorSwizzle::None, TensorPromotion::None, TensorFill::Zero),
            "");
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
  EXPECT_NE(run.status.find("the instruction has 2 dimensions, but the tensor map has 1"), std::string::npos);
}

TEST(TensorCopy, StoresLeaveWhatLiesOutside) {
  constexpr unsigned bytes = 64 * 2 * 16;
  BulkRun run(kernelText(fillText(bytes) + proxyFenceText + storeText(48, 10) + "  @!%p0 cp.async.bulk.wait_group 0;"));
  run.map = halves(run.outAddress(), 64, 16, TensorSwizzle::None);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ASSERT_EQ(run.run(seed), Names()) << run.status;
    std::vector<uint8_t> expected = run.output;
    for (unsigned y = 0; y < 14; ++y)
      std::copy_n(run.input.begin() + y * 128, 96, expected.begin() + (10 + y) * 192 + 96);
    EXPECT_EQ(run.result, expected);
  }
}

TEST(TensorCopy, MissingProxyFenceIsFound) {
  constexpr unsigned bytes = 64 * 2 * 16;
  BulkRun run(
      kernelText(fillText(bytes) + "  bar.sync 0;\n" + storeText(0, 0) + "  @!%p0 cp.async.bulk.wait_group 0;"));
  run.map = halves(run.outAddress(), 64, 16, TensorSwizzle::None);
  EXPECT_EQ(run.run(), Names({"missing proxy fence"})) << run.status;
}

TEST(TensorCopy, NegativeCoordinatesOfStoresAreFound) {
  BulkRun run(kernelText(fillText(2048) + proxyFenceText + storeText(-8, 0) + "  @!%p0 cp.async.bulk.wait_group 0;"));
  run.map = halves(run.outAddress(), 64, 16, TensorSwizzle::None);
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
}

TEST(TensorCopy, ReductionsOfTheMapsType) {
  constexpr unsigned bytes = 32 * 4 * 8;
  BulkRun run(
      kernelText(fillText(bytes) + proxyFenceText + storeText(4, 2, ".add") + "  @!%p0 cp.async.bulk.wait_group 0;"));
  run.map = halves(run.outAddress(), 32, 8, TensorSwizzle::None, TensorType::S32);
  for (size_t i = 0; i < run.output.size(); ++i)
    run.output[i] = static_cast<uint8_t>(i * 3);
  // Four blocks add the same tile.
  for (uint64_t seed = 0; seed < 3; ++seed) {
    ASSERT_EQ(run.run(seed, 4), Names()) << run.status;
    std::vector<uint8_t> expected = run.output;
    for (unsigned y = 0; y < 8; ++y)
      for (unsigned x = 0; x < 32; ++x) {
        uint32_t a, b;
        uint8_t *at = expected.data() + (2 + y) * 192 + (4 + x) * 4;
        std::memcpy(&a, at, 4);
        std::memcpy(&b, run.input.data() + (y * 32 + x) * 4, 4);
        a += 4 * b;
        std::memcpy(at, &a, 4);
      }
    EXPECT_EQ(run.result, expected);
  }
}

TEST(TensorCopy, NoReductionOfThatType) {
  BulkRun run(
      kernelText(fillText(2048) + proxyFenceText + storeText(0, 0, ".min") + "  @!%p0 cp.async.bulk.wait_group 0;"));
  run.map = halves(run.outAddress(), 32, 8, TensorSwizzle::None, TensorType::F32);
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
}

const char *const clusterMeetText =
    "  barrier.cluster.arrive.release.aligned;\n  barrier.cluster.wait.acquire.aligned;\n";

TEST(TensorCopy, MulticastReachesEveryBlock) {
  constexpr unsigned bytes = 64 * 2 * 16;
  // Block 0 loads for both.
  BulkRun run(kernelText(initText + std::string(clusterMeetText) + expectText(bytes) +
                         "  mov.u16 %h0, 3;\n  setp.ne.u32 %p3, %r4, 0;\n  @%p3 bra WAIT;\n" +
                         loadText(16, 3, ".multicast::cluster", ", %h0") + waitText + dumpText(bytes) +
                         clusterMeetText));
  run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::B128);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ASSERT_EQ(run.run(seed, 2, 2), Names()) << run.status;
    std::vector<uint8_t> tile = expectedTile(run, 16, 3);
    EXPECT_EQ(std::vector<uint8_t>(run.result.begin(), run.result.begin() + bytes), tile);
    EXPECT_EQ(std::vector<uint8_t>(run.result.begin() + bytes, run.result.begin() + 2 * bytes), tile);
  }
}

TEST(TensorCopy, MulticastMaskBeyondTheCluster) {
  BulkRun run(
      kernelText(initText + std::string("  mov.u16 %h0, 4;\n") + loadText(0, 0, ".multicast::cluster", ", %h0")));
  run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::B128);
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
  EXPECT_NE(run.status.find("names block 2 of a cluster of 1"), std::string::npos) << run.status;
}

TEST(TensorCopy, Im2col) {
  constexpr unsigned bytes = 32 * 2 * 20;
  BulkRun run(kernelText(initText + expectText(bytes) +
                         "  @!%p0 cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                         "[%r1], [%rd0, {0, 2, 1, 0}], [%r2], {1, 2};\n" +
                         waitText + dumpText(bytes)));
  uint64_t dim[] = {32, 9, 7, 3}, strides[] = {64, 576, 4032};
  uint32_t steps[] = {1, 1, 1, 1};
  int lower[] = {-1, -1}, upper[] = {-1, -1};
  ASSERT_EQ(encodeIm2col(&run.map, TensorType::F16, 4, run.inAddress(), dim, strides, lower, upper, 32, 20, steps,
                         TensorInterleave::None, TensorSwizzle::None, TensorPromotion::None, TensorFill::Zero),
            "");
  ASSERT_EQ(run.run(), Names()) << run.status;
  // The corner runs through columns -1 … 7 of each row, and the offsets (1, 2) are added.
  int w = 2, h = 1;
  for (unsigned pixel = 0; pixel < 20; ++pixel) {
    int column = w + 1, row = h + 2;
    std::vector<uint8_t> expected(64, 0);
    if (column < 9 && row < 7)
      std::copy_n(run.input.begin() + column * 64 + row * 576, 64, expected.begin());
    EXPECT_EQ(std::vector<uint8_t>(run.result.begin() + pixel * 64, run.result.begin() + pixel * 64 + 64), expected);
    if (++w > 7) {
      w = -1;
      ++h;
    }
  }
}

TEST(TensorCopy, MapsAreReplacedOnTheDevice) {
  constexpr unsigned bytes = 64 * 2 * 16;
  // The map comes by parameter, is copied to shared memory, gets another address and goes to `out` + 32768.
  std::string text = initText + std::string(R"(
  add.u64 %rd5, %rd2, 32768;
  shl.b32 %r10, %r0, 2;
  mul.wide.u32 %rd6, %r10, 1;
  add.u64 %rd7, %rd0, %rd6;
  ld.b32 %r11, [%rd7];
  add.u32 %r12, %r3, %r10;
  st.shared.b32 [%r12], %r11;
  bar.sync 0;
  add.u64 %rd8, %rd1, 192;
  @!%p0 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r3], %rd8;
  @!%p0 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r3], 1, 8;
  bar.sync 0;
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd5], [%r3], 128;
  fence.proxy.tensormap::generic.acquire.gpu [%rd5], 128;
  mov.b64 %rd0, %rd5;
)") + expectText(bytes / 2) +
                     loadText(0, 0) + waitText + dumpText(bytes / 2);
  BulkRun run(kernelText(text));
  run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::None);
  ASSERT_EQ(run.run(), Names()) << run.status;
  for (unsigned y = 0; y < 8; ++y)
    for (unsigned i = 0; i < 128; ++i)
      ASSERT_EQ(run.result[y * 128 + i], run.input[(y + 1) * 192 + i]);
}

TEST(TensorCopy, GatherNeedsItsTarget) {
  std::string text =
      "  @!%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes "
      "[%r1], [%rd0, {0, 1, 5, 3, 9}], [%r2];\n";
  BulkRun old(kernelText(initText + text));
  EXPECT_NE(old.run().at(0).find("load mode tile::gather4 needs sm_100a"), std::string::npos);
}

TEST(TensorCopy, GatherIntoTheBlocksOwnMemory) {
  constexpr unsigned bytes = 4 * 128;
  std::string text = "  @!%p0 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
                     "[%r1], [%rd0, {8, 1, 23, 3, 24}], [%r2];\n";
  BulkRun run(kernelText(initText + expectText(bytes) + text + waitText + dumpText(bytes), "sm_120a"), 65536, 65536,
              "sm_120a");
  run.map = halves(run.inAddress(), 64, 1, TensorSwizzle::B128);
  ASSERT_EQ(run.run(), Names()) << run.status;
  unsigned rows[] = {1, 23, 3};
  for (unsigned y = 0; y < 4; ++y)
    for (unsigned i = 0; i < 128; ++i)
      EXPECT_EQ(run.result[y * 128 + (i ^ y << 4)], y < 3 ? run.input[rows[y] * 192 + 16 + i] : 0);
}

TEST(TensorCopy, ScatterOnItsTarget) {
  BulkRun run(kernelText(fillText(512) + proxyFenceText +
                             "  @!%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group "
                             "[%rd0, {0, 7, 2, 24, 9}], [%r1];\n  @!%p0 cp.async.bulk.commit_group;\n"
                             "  @!%p0 cp.async.bulk.wait_group 0;\n",
                         "sm_100a"),
              65536, 65536, "sm_100a");
  run.map = halves(run.outAddress(), 64, 1, TensorSwizzle::None);
  ASSERT_EQ(run.run(), Names()) << run.status;
  std::vector<uint8_t> expected = run.output;
  unsigned rows[] = {7, 2, 24, 9};
  for (unsigned i = 0; i < 4; ++i)
    if (rows[i] < 24)
      std::copy_n(run.input.begin() + i * 128, 128, expected.begin() + rows[i] * 192);
  EXPECT_EQ(run.result, expected);
}

TEST(TensorCopy, ColumnsAreStored) {
  constexpr unsigned bytes = 16 * 2 * 10;
  BulkRun run(kernelText(fillText(bytes) + proxyFenceText +
                         "  @!%p0 cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group "
                         "[%rd0, {0, 3, 1}], [%r1];\n  @!%p0 cp.async.bulk.commit_group;\n"
                         "  @!%p0 cp.async.bulk.wait_group 0;\n"));
  uint64_t dim[] = {16, 8, 2}, strides[] = {32, 256};
  uint32_t steps[] = {1, 1, 1};
  int lower[] = {1}, upper[] = {-1};
  ASSERT_EQ(encodeIm2col(&run.map, TensorType::F16, 3, run.outAddress(), dim, strides, lower, upper, 16, 10, steps,
                         TensorInterleave::None, TensorSwizzle::None, TensorPromotion::None, TensorFill::Zero),
            "");
  ASSERT_EQ(run.run(), Names()) << run.status;
  // Pixels 3 … 6 of the second image; the third one does not exist.
  std::vector<uint8_t> expected = run.output;
  std::copy_n(run.input.begin(), 4 * 32, expected.begin() + 256 + 3 * 32);
  EXPECT_EQ(run.result, expected);
  lower[0] = -1;
  ASSERT_EQ(encodeIm2col(&run.map, TensorType::F16, 3, run.outAddress(), dim, strides, lower, upper, 16, 10, steps,
                         TensorInterleave::None, TensorSwizzle::None, TensorPromotion::None, TensorFill::Zero),
            "");
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
}

TEST(TensorCopy, PrefetchChecksItsMap) {
  BulkRun run(kernelText("  @!%p0 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd0, {0, 0}];\n"));
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
  run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::None);
  EXPECT_EQ(run.run(), Names()) << run.status;
}

/// As an H200 does it: whatever the type, every two bytes are 0x7ff7.
TEST(TensorCopy, NotANumberFills) {
  constexpr unsigned bytes = 64 * 2 * 16;
  BulkRun run(kernelText(initText + expectText(bytes) + loadText(88, 0) + waitText + dumpText(bytes)));
  uint64_t dim[] = {96, 24}, strides[] = {192};
  uint32_t box[] = {64, 16}, steps[] = {1, 1};
  ASSERT_EQ(encodeTiled(&run.map, TensorType::F16, 2, run.inAddress(), dim, strides, box, steps, TensorInterleave::None,
                        TensorSwizzle::None, TensorPromotion::None, TensorFill::NaN),
            "");
  ASSERT_EQ(run.run(), Names()) << run.status;
  for (unsigned y = 0; y < 16; ++y)
    for (unsigned x = 0; x < 64; ++x) {
      uint16_t found, inside;
      std::memcpy(&found, run.result.data() + (y * 64 + x) * 2, 2);
      std::memcpy(&inside, run.input.data() + y * 192 + (88 + x) * 2, 2);
      EXPECT_EQ(found, x < 8 ? inside : 0x7ff7);
    }
}

/// Hardware stops with an illegal instruction, though the ISA does not say so.
TEST(TensorCopy, InnermostCoordinatesOffSixteenBytesAreFound) {
  for (int x : {5, -1, 4, 90}) {
    BulkRun run(kernelText(initText + loadText(x, 0)));
    run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::None);
    EXPECT_EQ(run.run(), Names({"misaligned"})) << run.status;
    EXPECT_NE(run.status.find("innermost coordinate " + std::to_string(x) + " of 2-byte elements is at byte " +
                              std::to_string(2 * x) + ": a multiple of 16 is expected"),
              std::string::npos)
        << run.status;
  }
}

/// Without checks the results are the same.
TEST(TensorCopy, Unchecked) {
  constexpr unsigned bytes = 64 * 2 * 16;
  BulkRun run(kernelText(initText + expectText(bytes) + loadText(8, 9) + waitText + dumpText(bytes)));
  run.map = halves(run.inAddress(), 64, 16, TensorSwizzle::B128);
  run.device->options().check = false;
  ASSERT_EQ(run.run(3), Names()) << run.status;
  EXPECT_EQ(std::vector<uint8_t>(run.result.begin(), run.result.begin() + bytes), expectedTile(run, 8, 9));
}

/// As an H200 does it: where a row ends inside a unit of 16 bytes, the rest of the unit is written as well.
TEST(TensorCopy, StoresWriteWholeUnits) {
  constexpr unsigned bytes = 64 * 2 * 16;
  BulkRun run(kernelText(fillText(bytes) + proxyFenceText + storeText(64, 0) + "  @!%p0 cp.async.bulk.wait_group 0;"));
  uint64_t dim[] = {75, 24}, strides[] = {192};
  uint32_t box[] = {64, 16}, steps[] = {1, 1};
  ASSERT_EQ(encodeTiled(&run.map, TensorType::F16, 2, run.outAddress(), dim, strides, box, steps,
                        TensorInterleave::None, TensorSwizzle::None, TensorPromotion::None, TensorFill::Zero),
            "");
  ASSERT_EQ(run.run(), Names()) << run.status;
  // Elements 64 … 74 end at byte 22 of the box's row, their unit at 32.
  std::vector<uint8_t> expected = run.output;
  for (unsigned y = 0; y < 16; ++y)
    std::copy_n(run.input.begin() + y * 128, 32, expected.begin() + y * 192 + 128);
  EXPECT_EQ(run.result, expected);
}

/// As an H200 does it: to the nearest value, subnormal ones too, NaN canonical; what fills is not rounded.
TEST(TensorCopy, LoadsRoundToTf32) {
  constexpr unsigned bytes = 32 * 4;
  const uint32_t values[][2] = {{0x3f800fff, 0x3f800000}, {0x3f801001, 0x3f802000}, {0xbf803001, 0xbf804000},
                                {0x00001801, 0x00002000}, {0x80000fff, 0x80000000}, {0x7f800000, 0x7f800000},
                                {0xff800000, 0xff800000}, {0x7f800001, 0x7fffe000}, {0xffc12345, 0x7fffe000}};
  for (TensorType type : {TensorType::TF32, TensorType::TF32Ftz, TensorType::F32, TensorType::F32Ftz}) {
    bool rounds = type == TensorType::TF32 || type == TensorType::TF32Ftz;
    BulkRun run(kernelText(initText + expectText(bytes) + loadText(0, 0) + waitText + dumpText(bytes)));
    uint64_t dim[] = {std::size(values), 1}, strides[] = {192};
    uint32_t box[] = {32, 1}, steps[] = {1, 1};
    ASSERT_EQ(encodeTiled(&run.map, type, 2, run.inAddress(), dim, strides, box, steps, TensorInterleave::None,
                          TensorSwizzle::None, TensorPromotion::None, TensorFill::NaN),
              "");
    for (size_t i = 0; i < std::size(values); ++i)
      std::memcpy(run.input.data() + i * 4, &values[i][0], 4);
    ASSERT_EQ(run.run(), Names()) << run.status;
    for (size_t i = 0; i < 32; ++i) {
      uint32_t found;
      std::memcpy(&found, run.result.data() + i * 4, 4);
      EXPECT_EQ(found, i < std::size(values) ? values[i][rounds] : 0x7ff77ff7) << "element " << i;
    }
  }
}

TEST(TensorCopy, StoresLeaveTf32AsItIs) {
  constexpr unsigned bytes = 32 * 4 * 8;
  BulkRun run(kernelText(fillText(bytes) + proxyFenceText + storeText(0, 0) + "  @!%p0 cp.async.bulk.wait_group 0;"));
  run.map = halves(run.outAddress(), 32, 8, TensorSwizzle::None, TensorType::TF32);
  ASSERT_EQ(run.run(), Names()) << run.status;
  for (unsigned y = 0; y < 8; ++y)
    EXPECT_TRUE(
        std::equal(run.result.begin() + y * 192, run.result.begin() + y * 192 + 128, run.input.begin() + y * 128));
}

/// A map can have a box of up to 256 to the fifth, which is found before anything is laid out.
TEST(TensorCopy, BoxesThatNoSharedMemoryHoldsAreFound) {
  BulkRun run(kernelText(initText + std::string("  @!%p0 cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::"
                                                "complete_tx::bytes [%r1], [%rd0, {0, 0, 0}], [%r2];\n")));
  uint64_t dim[] = {256, 256, 256}, strides[] = {512, 131072};
  uint32_t box[] = {256, 256, 256}, steps[] = {1, 1, 1};
  ASSERT_EQ(encodeTiled(&run.map, TensorType::F16, 3, run.inAddress(), dim, strides, box, steps, TensorInterleave::None,
                        TensorSwizzle::None, TensorPromotion::None, TensorFill::Zero),
            "");
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
  EXPECT_NE(run.status.find("the map's box has more than 262144 bytes, which no shared memory holds"),
            std::string::npos)
      << run.status;
}

} // namespace
