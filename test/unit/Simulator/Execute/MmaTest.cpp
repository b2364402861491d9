// Every form of mma against plain matrices; undefined bits; divergence.
#include "test/unit/Simulator/Execute/MatrixCase.h"
#include "test/unit/Simulator/Execute/MemoryKernel.h"

using namespace tilec::sim;

TEST(Mma, everyShapeAndType) {
  for (const MatrixCase &one : mmaCases())
    for (bool check : {false, true}) {
      MatrixCase::Data data = one.make(7);
      MemoryKernel kernel;
      kernel.target = one.target;
      kernel.check = check;
      kernel.buffer = data.words;
      kernel.definedWords = data.words.size();
      ASSERT_EQ(kernel.run(one.body()), "") << one.instruction << "\n" << one.body();
      ASSERT_EQ(kernel.report(), "") << one.instruction;
      std::vector<uint32_t> found(kernel.buffer.begin() + one.startD(), kernel.buffer.end());
      ASSERT_EQ(found.size(), data.expected.size());
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], data.expected[i]) << one.instruction << ", word " << i;
      EXPECT_EQ(kernel.counters.matrixMultiplyAdds, uint64_t(one.m) * one.n * one.kept());
    }
}

/// m8n8k4 of f16: four products, every layout and accumulator type, by the formulas of the ISA.
TEST(Mma, quadPairs) {
  for (bool aByRow : {true, false})
    for (bool bByRow : {true, false})
      for (std::string types : {"f32.f32", "f32.f16", "f16.f16"}) {
        std::string d = types.substr(0, 3), c = types.substr(4);
        unsigned regsC = c == "f16" ? 4 : 8, regsD = d == "f16" ? 4 : 8;
        MatrixCase pick{"", 8, 8, 4, d, "f16", "f16", c};
        std::mt19937 random(5);
        double a[4][8][4], b[4][4][8], sums[4][8][8];
        for (auto &matrix : a)
          for (auto &row : matrix)
            for (double &value : row)
              value = pick.pick(random, "f16");
        for (auto &matrix : b)
          for (auto &row : matrix)
            for (double &value : row)
              value = pick.pick(random, "f16");
        for (auto &matrix : sums)
          for (auto &row : matrix)
            for (double &value : row)
              value = static_cast<int>(random() % 9) - 4;
        MemoryKernel kernel;
        auto placeC = [](const std::string &type, unsigned lane, unsigned i) -> std::pair<unsigned, unsigned> {
          unsigned high = lane < 16 ? 0 : 4;
          if (type == "f16")
            return {lane % 4 + high, i};
          return {(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
        };
        for (unsigned lane = 0; lane < 32; ++lane) {
          unsigned q = lane % 16 / 4, high = lane < 16 ? 0 : 4, l = lane % 4;
          for (unsigned i = 0; i < 4; ++i) {
            MatrixCase::put(kernel.buffer, MatrixCase::bitOf(0, lane, i, 16, 32), 16,
                            encode("f16", aByRow ? a[q][l + high][i] : a[q][i + high][l]));
            MatrixCase::put(kernel.buffer, MatrixCase::bitOf(64, lane, i, 16, 32), 16,
                            encode("f16", bByRow ? b[q][l][i + high] : b[q][i][l + high]));
          }
          for (unsigned i = 0; i < 8; ++i) {
            auto [row, column] = placeC(c, lane, i);
            MatrixCase::put(kernel.buffer, MatrixCase::bitOf(128, lane, i, bitsOfType(c), 32), bitsOfType(c),
                            encode(c, sums[q][row][column]));
          }
        }
        for (unsigned q = 0; q < 4; ++q)
          for (unsigned i = 0; i < 8; ++i)
            for (unsigned j = 0; j < 8; ++j)
              for (unsigned e = 0; e < 4; ++e)
                sums[q][i][j] += a[q][i][e] * b[q][e][j];
        std::string body = ".reg .b32 x<30>;\n", lists[4];
        unsigned counts[4] = {2, 2, regsC, regsD}, next = 0;
        for (unsigned operand = 0; operand < 4; ++operand)
          for (unsigned r = 0; r < counts[operand]; ++r, ++next) {
            lists[operand] += (r ? ", x" : "x") + std::to_string(next);
            if (operand < 3)
              body += "ld.global.b32 x" + std::to_string(next) + ", [%a+" +
                      std::to_string((operand * 64 + r * 32) * 4) + "];\n";
          }
        body += std::string("mma.sync.aligned.m8n8k4") + (aByRow ? ".row" : ".col") + (bByRow ? ".row." : ".col.") + d +
                ".f16.f16." + c + " {" + lists[3] + "}, {" + lists[0] + "}, {" + lists[1] + "}, {" + lists[2] + "};\n";
        for (unsigned r = 0; r < regsD; ++r)
          body += "st.global.b32 [%a+" + std::to_string((512 + r * 32) * 4) + "], x" +
                  std::to_string(next - regsD + r) + ";\n";
        ASSERT_EQ(kernel.run(body), "") << body;
        EXPECT_EQ(kernel.report(), "");
        std::vector<uint32_t> expected(regsD * 32);
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned i = 0; i < 8; ++i) {
            auto [row, column] = placeC(d, lane, i);
            MatrixCase::put(expected, MatrixCase::bitOf(0, lane, i, bitsOfType(d), 32), bitsOfType(d),
                            encode(d, sums[lane % 16 / 4][row][column]));
          }
        for (size_t i = 0; i < expected.size(); ++i)
          ASSERT_EQ(kernel.buffer[512 + i], expected[i]) << body << i;
      }
}

static MatrixCase caseOf(const std::string &text) {
  for (const MatrixCase &one : mmaCases())
    if (one.instruction.find(text) != std::string::npos)
      return one;
  ADD_FAILURE() << text;
  return {};
}

static std::string reportOf(const MatrixCase &one, const std::string &before, MemoryKernel &kernel) {
  kernel.buffer = one.make(1).words;
  kernel.definedWords = kernel.buffer.size();
  std::string body = one.body();
  body.insert(body.find("mma."), before);
  EXPECT_EQ(kernel.run(body), "") << body;
  return kernel.report();
}

TEST(Mma, undefinedBits) {
  MatrixCase one = caseOf("m16n8k16.row.col.f32.f16");
  // Registers x0 … x3 are A, x4 and x5 B, x6 … x9 C; lane 5 is g = 1, t = 1.
  auto undefinedPlaces = [&](const std::string &reg) {
    MemoryKernel kernel;
    EXPECT_EQ(reportOf(one, ".reg .b32 never;\nsetp.eq.u32 %p1, %t, 5;\n@%p1 mov.b32 " + reg + ", never;\n", kernel),
              "");
    std::vector<std::pair<unsigned, unsigned>> places;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        if (!kernel.undefined->allDefined((one.startD() + i * 32 + lane) * 4, 4))
          places.push_back(one.placeOfC(lane, i));
    return places;
  };
  auto row = undefinedPlaces("x1");
  EXPECT_EQ(row.size(), 8u);
  for (auto [i, j] : row)
    EXPECT_EQ(i, 9u);
  auto column = undefinedPlaces("x4");
  EXPECT_EQ(column.size(), 16u);
  for (auto [i, j] : column)
    EXPECT_EQ(j, 1u);
  auto element = undefinedPlaces("x8");
  ASSERT_EQ(element.size(), 1u);
  EXPECT_EQ(element[0], std::make_pair(9u, 2u));
}

TEST(Mma, wholeWarp) {
  MatrixCase one = caseOf("m16n8k16.row.col.f32.f16");
  MemoryKernel kernel;
  EXPECT_NE(reportOf(one, "setp.lt.u32 %p1, %t, 7;\n@%p1 ", kernel).find("25 skip it by their predicate"),
            std::string::npos);
  MemoryKernel exited;
  EXPECT_NE(reportOf(one, "setp.lt.u32 %p1, %t, 7;\n@%p1 exit;\n", exited).find("7 have exited"), std::string::npos);
  MemoryKernel few;
  few.threads = 20;
  EXPECT_NE(reportOf(one, "", few).find("12 of them do not exist"), std::string::npos);
  // Lanes that are late are waited for.
  MemoryKernel late;
  EXPECT_EQ(reportOf(one, "setp.lt.u32 %p1, %t, 7;\n@%p1 bra work;\nbra.uni join;\nwork:\nadd.u32 %r1, %t, 1;\njoin:\n",
                     late),
            "");
}

TEST(Mma, badMetadata) {
  MatrixCase one = caseOf("sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16");
  MemoryKernel kernel;
  EXPECT_NE(reportOf(one, "mov.b32 x70, 0x44444441;\n", kernel).find("has no meaning"), std::string::npos);
}

TEST(Mma, textErrors) {
  auto errorOf = [](const std::string &instruction) {
    MemoryKernel kernel;
    return kernel.run(".reg .b32 x<20>;\n" + instruction + ";\n");
  };
  EXPECT_NE(
      errorOf("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {x0,x1,x2,x3}, {x0,x1,x2,x3}, {x0,x1}, {x0,x1,x2,x3}")
          .find("shape"),
      std::string::npos);
  EXPECT_NE(
      errorOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {x0,x1,x2,x3}, {x0,x1,x2}, {x0,x1}, {x0,x1,x2,x3}")
          .find("registers"),
      std::string::npos);
  EXPECT_NE(errorOf("tcgen05.wait::ld.sync.aligned").find("not simulated yet"), std::string::npos);
}
