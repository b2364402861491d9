/// Time grows with the size of the text and no faster. The limits are far above what a plain build takes, so that only
/// quadratic work exceeds them, also under a sanitizer.
#include "test/unit/Simulator/Ptx/ParseText.h"

#include <chrono>

using namespace tilec::ptx;

static double secondsOf(const std::string &text, const char *what) {
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(parseModule(text).error, "") << what;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

static std::string repeated(int count, const std::string &text) {
  std::string result;
  for (int i = 0; i < count; ++i) {
    std::string piece = text;
    for (size_t place; (place = piece.find('#')) != std::string::npos;)
      piece.replace(place, 1, std::to_string(i));
    result += piece;
  }
  return result;
}

TEST(PtxSpeed, largeModules) {
  constexpr int count = 20000;
  const std::string head = ".func f() { .reg .b32 %r<60000>; .reg .pred p;\n";
  const std::pair<const char *, std::string> rows[] = {
      {"instructions", head + repeated(count, "mad.lo.s32 %r#, %r#, %r1, %r2;\n") + "}"},
      {"single registers", head + repeated(count, ".reg .b32 s#; mov.b32 s#, %r1;\n") + "}"},
      {"labels", head + repeated(count, "L#: @p bra L#;\n") + "}"},
      {"far labels", head + repeated(count, "bra L;\n") + "L: }"},
      {"scopes with one label", head + repeated(count, "{ L: .param .b32 a; st.param.b32 [a], %r1; bra L; }\n") + "}"},
      {"deep scopes", head + std::string(127, '{') + repeated(count, "bra L;\n") + std::string(127, '}') + "L: }"},
      {"ranges in scopes", head + repeated(count, "{ .reg .b32 %r<3>; mov.b32 %r1, %r#; }\n") + "}"},
      {"functions", repeated(count, ".func f#() { ret; }\n")},
      {"variables", repeated(count, ".global .u32 a#;\n")},
      {"indexed arrays", head + ".local .u32 a[4];" + repeated(count, ".local .u32 b#; mov.u64 %r1, a[1];\n") + "}"},
      {"initial content", ".global .b8 a[] = {0" + repeated(count, ", #") + "};"},
      {"long names", head + repeated(1000, ".reg .b32 a" + std::string(1000, '1') + "x#;\n") + "}"},
  };
  for (const auto &row : rows) {
    double seconds = secondsOf(row.second, row.first);
    RecordProperty(row.first, std::to_string(seconds));
    EXPECT_LT(seconds, 5.0) << row.first;
  }
}
