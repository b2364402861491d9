/// A numeric case: a kernel text whose `//!` lines say how to run and judge it. README.md describes the format.
#ifndef TEST_CASES_CASE_H
#define TEST_CASES_CASE_H

#include "lib/Runtime/ElementType.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cases {

/// Values of a case's sizes in one run: {"M", 7}.
using Sizes = std::map<std::string, int64_t>;

/// How a buffer is filled.
struct Generator {
  enum class Kind { Output, Normal, Uniform, Integers, Codes, Bits, Iota, Constant, Special, Formula, Table };
  Kind kind = Kind::Output;
  /// Deviation; or lowest and highest. For codes and bits the range of codes, all of them where it is empty.
  double low = 0, high = 0;
  /// Formula and Table: element [indices] = expression.
  std::vector<std::string> indices;
  std::string expression;
};

/// A view argument, or (Generator::Kind::Table) a table of the reference that no kernel sees.
struct BufferSpec {
  std::string name;
  tilec::ElementType type = tilec::ElementType::F32;
  /// One expression for each extent.
  std::vector<std::string> extents;
  /// Dimensions from the outermost to the innermost in memory; empty: row-major.
  std::vector<size_t> order;
  Generator generator;
  uint64_t seed = 0;
  /// Elements between the end of a row (along the innermost dimension) and the next row's start; as an expression.
  std::string gap = "0";
  /// Elements between an aligned address and the first element.
  int64_t offset = 0;
};

/// A scalar argument: its type and an expression over the sizes.
struct ScalarSpec {
  std::string name;
  tilec::ElementType type = tilec::ElementType::Index;
  std::string value;
};

/// How results are compared.
struct Tolerance {
  enum class Kind {
    /// The same number; NaN is NaN.
    Exact,
    /// The same, and zeros have the same sign.
    Bits,
    /// ||out - ref|| / ||ref||.
    Relative,
    /// |out - ref| / max(|ref|, 1) of every element.
    Each,
    /// |out - ref| / |ref| of every element.
    Strict
  };
  Kind kind = Kind::Exact;
  /// Expression; `eps(T)` is half a unit in the last place at 1.
  std::string bound = "0";
};

/// What an output holds: Y[i, j] = expression.
struct Expectation {
  std::string buffer;
  std::vector<std::string> indices;
  std::string expression;
  Tolerance tolerance;
};

/// A case with the parameters of one of its configurations put in.
struct Case {
  /// "reduce/sum-rows".
  std::string name;
  /// What `//! define` gives: "BM=64 T=f16"; empty: the text's own parameters.
  std::string definitions;
  int minimumSm = 80;
  std::vector<Sizes> runs;
  /// Instead of them on a simulated device, where there are any.
  std::vector<Sizes> simulatedRuns;
  std::vector<BufferSpec> buffers;
  std::vector<ScalarSpec> scalars;
  std::vector<Expectation> expectations;
  /// Runs more, whose results must have the same bits.
  int repeat = 0;
  /// Elements to compare, drawn at random; 0: all.
  int64_t sample = 0;
  /// Too large for a simulated device.
  bool gpuOnly = false;
};

/// Reads a case text in the configuration that `definitions` names. Empty `error` on success, else "line N: …".
Case parseCase(const std::string &name, const std::string &text, const std::string &definitions, std::string &error);

} // namespace cases

#endif // TEST_CASES_CASE_H
