// ldmatrix, stmatrix and movmatrix against loads by hand; counters; faults.
#include "test/unit/Simulator/Execute/MemoryKernel.h"

using namespace tilec::sim;

/// Copies `words` words of the buffer to shared memory `s`, then runs `body`; %r0 … %r3 go to the buffer from word 512
/// on.
static std::string withShared(const std::string &body, unsigned words = 256) {
  std::string text = ".shared .align 128 .b8 s[4096];\n.reg .u32 s0, s1;\nmov.u32 s0, s;\nmad.lo.u32 s1, %t, 4, s0;\n";
  for (unsigned i = 0; i < words; i += 32)
    text += "ld.global.b32 %r9, [%a+" + std::to_string(i * 4) + "];\nst.shared.b32 [s1+" + std::to_string(i * 4) +
            "], %r9;\n";
  text += "bar.warp.sync 0xffffffff;\nmov.b32 %r0, 0;\nmov.b32 %r1, 0;\nmov.b32 %r2, 0;\nmov.b32 %r3, 0;\n" + body;
  for (unsigned r = 0; r < 4; ++r)
    text += "st.global.b32 [%a+" + std::to_string((512 + 32 * r) * 4) + "], %r" + std::to_string(r) + ";\n";
  return text;
}

static void fill(MemoryKernel &kernel) {
  for (size_t i = 0; i < 512; ++i)
    kernel.buffer[i] = static_cast<uint32_t>(i * 2654435761u);
}

static uint8_t byteOf(const MemoryKernel &kernel, size_t at) {
  return static_cast<uint8_t>(kernel.buffer[at / 4] >> (at % 4 * 8));
}
static uint16_t halfOf(const MemoryKernel &kernel, size_t at) {
  return static_cast<uint16_t>(byteOf(kernel, at) | byteOf(kernel, at + 1) << 8);
}
static uint32_t result(const MemoryKernel &kernel, unsigned r, unsigned lane) {
  return kernel.buffer[512 + 32 * r + lane];
}

TEST(MatrixLoad, halves) {
  for (unsigned count : {1, 2, 4})
    for (bool transposed : {false, true}) {
      MemoryKernel kernel;
      fill(kernel);
      std::string list = count == 1 ? "{%r0}" : count == 2 ? "{%r0, %r1}" : "{%r0, %r1, %r2, %r3}";
      // Row l of the matrices is at 16 * (l ^ 5).
      ASSERT_EQ(kernel.run(withShared(
                    "xor.b32 %r8, %t, 5;\nmad.lo.u32 %r8, %r8, 16, s0;\nldmatrix.sync.aligned.m8n8.x" +
                    std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 " + list + ", [%r8];\n")),
                "");
      EXPECT_EQ(kernel.report(), "");
      for (unsigned r = 0; r < count; ++r)
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned e = 0; e < 2; ++e) {
            unsigned row = lane / 4, column = lane % 4 * 2 + e;
            if (transposed)
              std::swap(row, column);
            EXPECT_EQ(result(kernel, r, lane) >> (16 * e) & 0xffff,
                      halfOf(kernel, ((8 * r + row) ^ 5) * 16 + column * 2))
                << count << transposed << r << lane;
          }
      AccessCounters counted = kernel.countedBy("ldmatrix");
      EXPECT_EQ(counted.wavefronts, count);
      EXPECT_EQ(counted.minimumWavefronts, count);
      EXPECT_EQ(counted.bytes, 128 * count);
    }
}

TEST(MatrixLoad, conflicts) {
  MemoryKernel kernel;
  fill(kernel);
  // Rows 128 bytes apart all begin in bank 0.
  ASSERT_EQ(kernel.run(withShared("and.b32 %r8, %t, 7;\nmad.lo.u32 %r8, %r8, 128, s0;\n"
                                  "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8];\n")),
            "");
  EXPECT_EQ(kernel.countedBy("ldmatrix").wavefronts, 8u);
  EXPECT_EQ(kernel.countedBy("ldmatrix").minimumWavefronts, 1u);
}

TEST(MatrixLoad, bytes) {
  for (std::string format : {"b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"})
    for (bool wide : {true, false}) {
      if (!wide && format == "b8")
        continue;
      MemoryKernel kernel;
      kernel.target = "sm_120a";
      fill(kernel);
      ASSERT_EQ(kernel.run(withShared(std::string("mad.lo.u32 %r8, %t, 16, s0;\nldmatrix.sync.aligned.") +
                                      (wide ? "m16n16.x2.trans" : "m8n16.x4") + ".shared." + format +
                                      " {%r0, %r1, %r2, %r3}, [%r8];\n")),
                "");
      EXPECT_EQ(kernel.report(), "");
      auto element = [&](unsigned row, unsigned column) -> unsigned {
        if (format == "b8")
          return byteOf(kernel, row * 16 + column);
        unsigned size = format == "b8x16.b6x16_p32" ? 6 : 4, value = 0;
        for (unsigned bit = 0; bit < size; ++bit)
          value |= (byteOf(kernel, row * 16 + (column * size + bit) / 8) >> ((column * size + bit) % 8) & 1u) << bit;
        return value;
      };
      for (unsigned r = 0; r < 4; ++r)
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned e = 0; e < 4; ++e)
            EXPECT_EQ(result(kernel, r, lane) >> (8 * e) & 0xff,
                      wide ? element(r / 2 * 16 + lane % 4 * 4 + e, lane / 4 + r % 2 * 8)
                           : element(8 * r + lane / 4, lane % 4 * 4 + e));
    }
}

TEST(MatrixLoad, storeAndMove) {
  for (bool transposed : {false, true}) {
    MemoryKernel kernel;
    fill(kernel);
    ASSERT_EQ(kernel.run(withShared(
                  std::string("mad.lo.u32 %r8, %t, 16, s0;\nld.global.b32 %r4, [%a];\nld.global.b32 %r5, [%a+128];\n"
                              "stmatrix.sync.aligned.m8n8.x2") +
                  (transposed ? ".trans" : "") +
                  ".shared.b16 [%r8+1024], {%r4, %r5};\nbar.warp.sync -1;\n"
                  "ld.shared.b32 %r0, [s1+1024];\nld.shared.b32 %r1, [s1+1152];\n"
                  "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r4;\n")),
              "");
    EXPECT_EQ(kernel.report(), "");
    EXPECT_EQ(kernel.countedBy("stmatrix").wavefronts, 2u);
    for (unsigned r = 0; r < 2; ++r)
      for (unsigned row = 0; row < 8; ++row)
        for (unsigned column = 0; column < 8; ++column) {
          unsigned i = transposed ? column : row, j = transposed ? row : column; // of the register's matrix
          unsigned expected = kernel.buffer[32 * r + i * 4 + j / 2] >> (j % 2 * 16) & 0xffff;
          EXPECT_EQ(result(kernel, r, row * 4 + column / 2) >> (column % 2 * 16) & 0xffff, expected);
          if (r == 0)
            EXPECT_EQ(result(kernel, 2, column * 4 + row / 2) >> (row % 2 * 16) & 0xffff,
                      kernel.buffer[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff);
        }
  }
  // Accumulators of four bytes: rows g and g + 8 in columns 2 t and 2 t + 1.
  MemoryKernel kernel;
  kernel.target = "sm_120a";
  fill(kernel);
  ASSERT_EQ(
      kernel.run(withShared("mad.lo.u32 %r8, %t, 16, s0;\nld.global.b32 %r4, [%a];\n"
                            "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r8+1024], {%r4};\nbar.warp.sync -1;\n"
                            "ld.shared.b32 %r0, [s1+1024];\n")),
      "");
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column)
      EXPECT_EQ(result(kernel, 0, column * 4 + row / 4) >> (row % 4 * 8) & 0xff,
                kernel.buffer[row % 8 * 4 + column / 2] >> ((column % 2 + row / 8 * 2) * 8) & 0xff);
}

TEST(MatrixLoad, faults) {
  auto reportOf = [](const std::string &body) {
    MemoryKernel kernel;
    fill(kernel);
    EXPECT_EQ(kernel.run(withShared(body)), "");
    return kernel.report();
  };
  EXPECT_NE(reportOf("mad.lo.u32 %r8, %t, 8, s0;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8];\n")
                .find("misaligned"),
            std::string::npos);
  EXPECT_NE(reportOf("mad.lo.u32 %r8, %t, 16, 0x30000;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8];\n")
                .find("out of bounds"),
            std::string::npos);
  EXPECT_NE(reportOf("ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%buf];\n").find("must lie in shared memory"),
            std::string::npos);
  EXPECT_NE(reportOf("mad.lo.u32 %r8, %t, 16, s0;\nsetp.lt.u32 %p1, %t, 7;\n@%p1 "
                     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8];\n")
                .find("all 32 threads of a warp must execute it"),
            std::string::npos);
  // Lanes that jumped past it are waited for until they exit.
  EXPECT_NE(reportOf("setp.lt.u32 %p1, %t, 7;\n@%p1 bra away;\nmad.lo.u32 %r8, %t, 16, s0;\n"
                     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8];\naway:\n@%p1 exit;\n")
                .find("have exited"),
            std::string::npos);
  // A race: rows that another lane has just written.
  EXPECT_NE(reportOf("mad.lo.u32 %r8, %t, 16, s0;\nst.shared.b32 [s1], %t;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 "
                     "{%r0}, [%r8];\n")
                .find("race"),
            std::string::npos);
}

TEST(MatrixLoad, undefinedBits) {
  MemoryKernel kernel;
  fill(kernel);
  // Only 128 bytes were written: rows 8 … 15 are undefined.
  ASSERT_EQ(kernel.run(withShared(
                "mad.lo.u32 %r8, %t, 16, s0;\nldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0, %r1}, [%r8];\n", 32)),
            "");
  EXPECT_EQ(kernel.report(), "");
  EXPECT_TRUE(kernel.undefined->allDefined(512 * 4, 128));
  EXPECT_EQ(kernel.undefined->firstUndefined(512 * 4, 512), 512 * 4 + 128);
  EXPECT_TRUE(kernel.undefined->allDefined(576 * 4, 256));
}
