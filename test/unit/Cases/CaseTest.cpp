#include "test/cases/Case.h"

#include "test/cases/Data.h"
#include "test/cases/Expression.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace cases;

static const char *text = "//! define BM=8 T=f16\n"
                          "//! arch sm_89\n"
                          "//! run M=1,7 N=$BM\n"
                          "//! run M=5 N=6\n"
                          "//! in X $T [M, N + 1] normal 2 seed 3 gap 4 offset 1\n"
                          "//! out Y f32 [M]\n"
                          "//! scalar S i32 = N * 2\n"
                          "//! repeat 20\n"
                          "//! expect Y[i] = sum(k < N: X[i, k]) within relative 2*eps($T)\n"
                          "#BM = 4 : index\n"
                          "!T  = bf16\n";

TEST(Case, ReadsEveryLine) {
  std::string error;
  Case read = parseCase("family/name", text, "BM=8 T=f16", error);
  ASSERT_EQ(error, "");
  EXPECT_EQ(read.minimumSm, 89);
  ASSERT_EQ(read.runs.size(), 3u);
  EXPECT_EQ(read.runs[1], (Sizes{{"M", 7}, {"N", 8}}));
  ASSERT_EQ(read.buffers.size(), 2u);
  EXPECT_EQ(read.buffers[0].type, tilec::ElementType::F16);
  EXPECT_EQ(read.buffers[0].extents[1], "N + 1");
  EXPECT_EQ(read.buffers[0].generator.low, 2);
  EXPECT_EQ(read.buffers[0].seed, 3u);
  EXPECT_EQ(read.buffers[0].gap, "4");
  EXPECT_EQ(read.buffers[0].offset, 1);
  EXPECT_EQ(read.scalars.at(0).value, "N * 2");
  EXPECT_EQ(read.repeat, 20);
  EXPECT_EQ(read.expectations.at(0).tolerance.bound, "2*eps(f16)");
}

TEST(Case, TheTextsOwnParametersCountWithoutDefinitions) {
  std::string error;
  Case read = parseCase("family/name", text, "", error);
  ASSERT_EQ(error, "");
  EXPECT_EQ(read.buffers[0].type, tilec::ElementType::BF16);
  EXPECT_EQ(read.runs[0].at("N"), 4);
}

static const char *formulas = "//! run M=8 K=64\n"
                              "//! in S f8E8M0FNU [M, K / 32] codes 120 134\n"
                              "//! in Q i4 [K, M] bits 3 9 seed 4 order 1 0 gap 2\n"
                              "//! in X f32 [M, K] gap 4 where [i, k] = i == k ?\n"
                              "//!     decode(f4E2M1FN, k) : 0\n"
                              "//! out Y f32 [M]\n"
                              "//! let Z f64 [M] where [i] = 2 * Y[i]\n"
                              "//! expect Z[i] = X[i, 0] >= 0 within bits\n";

TEST(Case, ReadsFormulasAndOrders) {
  std::string error;
  Case read = parseCase("family/name", formulas, "", error);
  ASSERT_EQ(error, "");
  ASSERT_EQ(read.buffers.size(), 5u);
  EXPECT_EQ(read.buffers[0].generator.low, 120);
  EXPECT_EQ(read.buffers[0].generator.high, 134);
  EXPECT_EQ(read.buffers[1].order, (std::vector<size_t>{1, 0}));
  EXPECT_EQ(read.buffers[1].gap, "2");
  EXPECT_EQ(read.buffers[2].generator.kind, Generator::Kind::Formula);
  EXPECT_EQ(read.buffers[2].generator.expression, "i == k ? decode(f4E2M1FN, k) : 0");
  EXPECT_EQ(read.buffers[2].gap, "4");
  EXPECT_EQ(read.buffers[4].generator.kind, Generator::Kind::Table);
  EXPECT_EQ(read.buffers[4].generator.indices, std::vector<std::string>{"i"});
  EXPECT_EQ(read.expectations.at(0).tolerance.kind, Tolerance::Kind::Bits);
  EXPECT_EQ(read.expectations.at(0).expression, "X[i, 0] >= 0");
}

TEST(Case, negative_lines_are_refused_with_their_number) {
  std::string error;
  for (const char *line :
       {"//! bogus 1", "//! in X f32 [M]", "//! in X f9 [M] bits", "//! out X f32", "//! in X f32 [M] normal",
        "//! in X f32 [M, N] bits order 0 0", "//! in X f32 [M, N] bits order 1", "//! in X f32 [M] where [i, j] = 1",
        "//! let X f32 [M] bits", "//! out X f32 [M] where [i] = 1", "//! in X i8 [M] codes 1", "//! expect Y[i] = 1",
        "//! expect Y[i] = 1 within roughly", "//! run M=$NONE"}) {
    (void)parseCase("family/name", std::string("\n") + line + "\n", "", error);
    EXPECT_EQ(error.substr(0, 7), "line 2:") << line;
  }
}

/// Reads every size, scalar and reference of a case, without running it.
static std::string problemOf(const Case &read) {
  std::string problem;
  for (const Sizes &sizes : read.runs) {
    Names names;
    for (const auto &[name, value] : sizes)
      names.values.push_back(name);
    for (const BufferSpec &buffer : read.buffers) {
      names.buffers.push_back(buffer.name);
      for (const std::string &extent : buffer.extents)
        if (evaluateSize(extent, sizes, problem) < 0)
          return buffer.name + " has a negative extent, " + extent;
    }
    for (const ScalarSpec &scalar : read.scalars) {
      names.values.push_back(scalar.name);
      (void)evaluateSize(scalar.value, sizes, problem);
    }
    Names before = names;
    before.buffers.clear();
    for (const BufferSpec &buffer : read.buffers) {
      Names all = before;
      all.values.insert(all.values.end(), buffer.generator.indices.begin(), buffer.generator.indices.end());
      std::string error;
      if (!buffer.generator.indices.empty())
        (void)Expression::parse(buffer.generator.expression, all, error);
      if (!error.empty())
        return buffer.name + ": " + error;
      before.buffers.push_back(buffer.name);
    }
    for (const Expectation &expectation : read.expectations) {
      Names all = names;
      all.values.insert(all.values.end(), expectation.indices.begin(), expectation.indices.end());
      if (names.buffer(expectation.buffer) < 0)
        return "no buffer " + expectation.buffer;
      std::string error;
      (void)Expression::parse(expectation.expression, all, error);
      (void)evaluateSize(expectation.tolerance.bound, sizes, problem);
      if (!error.empty())
        return error;
    }
  }
  return problem;
}

TEST(Case, EveryCaseOfTheTreeReads) {
  std::filesystem::path root = std::filesystem::path(TILEC_SOURCE_DIR) / "test" / "cases";
  int files = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".case")
      continue;
    ++files;
    std::ifstream file(entry.path());
    std::stringstream stream;
    stream << file.rdbuf();
    std::vector<std::string> configurations;
    for (std::string line; std::getline(stream, line);)
      if (line.compare(0, 11, "//! define ") == 0)
        configurations.push_back(line.substr(11));
    if (configurations.empty())
      configurations.push_back("");
    for (const std::string &configuration : configurations) {
      std::string error;
      Case read = parseCase(entry.path().stem().string(), stream.str(), configuration, error);
      EXPECT_EQ(error, "") << entry.path();
      EXPECT_EQ(problemOf(read), "") << entry.path() << " " << configuration;
    }
  }
  EXPECT_GT(files, 50);
}
