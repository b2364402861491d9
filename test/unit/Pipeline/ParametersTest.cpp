// Parameters in kernel files: which aliases are parameters, and what -D makes of them.
#include "lib/Pipeline/Parameters.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tile;

namespace {
std::string list(StringRef source) {
  std::string text;
  for (const Parameter &parameter : listParameters(source))
    text += std::to_string(parameter.line) + ":" + std::to_string(parameter.column) + " " + parameter.str() + "\n";
  return text;
}

std::string overridden(StringRef source, std::vector<std::string> definitions) {
  ParameterError error;
  FailureOr<std::string> result = overrideParameters(source, definitions, error);
  EXPECT_TRUE(succeeded(result)) << error.message;
  return result.value_or("");
}

std::string refused(StringRef source, std::vector<std::string> definitions) {
  ParameterError error;
  FailureOr<std::string> result = overrideParameters(source, definitions, error);
  EXPECT_TRUE(failed(result));
  return error.str("k.mlir");
}

const char *kernel = "// a file\n"
                     "#BM = 128 : index  // rows, not #BN = 3\n"
                     "!T = bf16\n"
                     "  #WITH_BIAS = true\n"
                     "#EPS = 1.0e-5 : f32\n"
                     "#small=-3:i8\n"
                     "!a = !tile.tile<[#BM, 64] x !T>\n"
                     "#map = affine_map<(d0) -> (d0 + 3)>\n"
                     "tile.kernel @k() { #BM = 7 }\n";

TEST(Parameters, lists_scalar_aliases_in_order_with_positions) {
  EXPECT_EQ(list(kernel), "2:1 #BM = 128 : index\n3:1 !T = bf16\n4:3 #WITH_BIAS = true\n5:1 #EPS = 1.0e-5 : f32\n"
                          "6:1 #small = -3 : i8\n");
}

TEST(Parameters, kinds_follow_the_right_side) {
  std::vector<Parameter> all = listParameters("#a = 1\n#b = 0x1F : i32\n#c = 2. : f16\n#d = 0x3C00 : f16\n#e = false\n"
                                              "#f = f8E4M3FN\n!g = ui4\n!h = index\n#i = 3.5E+2\n");
  std::vector<ParameterKind> kinds;
  for (const Parameter &parameter : all)
    kinds.push_back(parameter.kind);
  EXPECT_EQ(kinds, (std::vector<ParameterKind>{ParameterKind::Integer, ParameterKind::Integer, ParameterKind::Float,
                                               ParameterKind::Float, ParameterKind::Bool, ParameterKind::Type,
                                               ParameterKind::Type, ParameterKind::Type, ParameterKind::Float}));
}

TEST(Parameters, every_other_alias_is_none) {
  EXPECT_EQ(list("#a = [1, 2]\n#b = \"128\"\n#c = dense<1> : tensor<4xi32>\n#d = 1 : tensor<i8>\n!e = tensor<4xf32>\n"
                 "!f = !llvm.ptr\n#g = #other\n!h = (f32) -> f32\n!i = vector<4xf32>\n#j = {x = 1}\n#k = unit\n"
                 "!l = 128\n!m = true\n#n = @symbol\n#o = i0\n#p = abc\n#q = 1x\n#t.x = 1\n"),
            "");
}

TEST(Parameters, comments_strings_and_brackets_hide_definitions) {
  EXPECT_EQ(list("// #A = 1\n\"op\"() {s = \"#B = 2\", t = \"\\\"#C = 3\"} : () -> ()\nmodule {\n#D = 4\n}\n#E = 5\n"
                 "f(%x : i32,\n#F = 6)\n\"open string\n#G = 7\nx#H = 8\n"),
            "6:1 #E = 5\n10:1 #G = 7\n");
}

TEST(Parameters, comments_may_stand_inside_a_definition) {
  std::string source = "#A // the rows\n  = // of a tile\n  64 /// here\n  : index\n#B = 1";
  EXPECT_EQ(list(source), "1:1 #A = 64 : index\n5:1 #B = 1\n");
  EXPECT_EQ(overridden(source, {"A=8"}), "#A // the rows\n  = // of a tile\n  8 /// here\n  : index\n#B = 1");
}

TEST(Parameters, override_touches_the_value_only) {
  std::string expected = kernel;
  expected.replace(expected.find("128"), 3, "64");
  expected.replace(expected.find("bf16"), 4, "f16");
  expected.replace(expected.find("true"), 4, "false");
  EXPECT_EQ(overridden(kernel, {"BM=64", "T=f16", "WITH_BIAS=false"}), expected);
  EXPECT_EQ(overridden(kernel, {}), kernel);
  EXPECT_EQ(overridden(kernel, {"WITH_BIAS = false", "!T=f16", "#BM= 64 "}), expected);
}

TEST(Parameters, last_line_without_line_end_and_carriage_returns) {
  EXPECT_EQ(overridden("#A = 1 : index\r\n!T = f32", {"T=f64", "A=-1"}), "#A = -1 : index\r\n!T = f64");
  EXPECT_EQ(overridden("#A = 1", {"A=0x10"}), "#A = 0x10");
  EXPECT_EQ(overridden("#A = 1\r\n", {"A=2"}), "#A = 2\r\n");
}

TEST(Parameters, every_chunk_that_defines_the_name_is_changed) {
  std::string source = "#A = 1\nop {\n// -----\n#A = 2 : i32\n#B = 3\n// -----\n#B = 4\n";
  EXPECT_EQ(list(source), "1:1 #A = 1\n4:1 #A = 2 : i32\n5:1 #B = 3\n7:1 #B = 4\n");
  EXPECT_EQ(overridden(source, {"A=9"}), "#A = 9\nop {\n// -----\n#A = 9 : i32\n#B = 3\n// -----\n#B = 4\n");
}

TEST(Parameters, floats_are_written_as_mlir_reads_them) {
  const char *source = "#E = 1.0 : f32";
  EXPECT_EQ(overridden(source, {"E=1e-5"}), "#E = 1.0e-5 : f32");
  EXPECT_EQ(overridden(source, {"E=2"}), "#E = 2.0 : f32");
  EXPECT_EQ(overridden(source, {"E=-2.5E+3"}), "#E = -2.5E+3 : f32");
  EXPECT_EQ(overridden(source, {"E=0x7F800000"}), "#E = 0x7F800000 : f32");
  EXPECT_EQ(refused(source, {"E=1e39"}),
            "k.mlir:1:1: error: parameter 'E' expects a number of type 'f32', but -D gives "
            "'1e39'");
  EXPECT_EQ(refused(source, {"E=0x17F800000"}).substr(0, 19), "k.mlir:1:1: error: ");
  EXPECT_EQ(refused(source, {"E=.5"}).substr(0, 19), "k.mlir:1:1: error: ");
  EXPECT_EQ(refused("#E = 1.0 : f8E4M3FN", {"E=1000"}),
            "k.mlir:1:1: error: parameter 'E' expects a number of type 'f8E4M3FN', but -D gives '1000'");
}

TEST(Parameters, integers_fit_their_type) {
  EXPECT_EQ(overridden("#A = 1 : i8", {"A=255"}), "#A = 255 : i8");
  EXPECT_EQ(overridden("#A = 1 : i8", {"A=-128"}), "#A = -128 : i8");
  EXPECT_EQ(overridden("#A = 1 : si8", {"A=127"}), "#A = 127 : si8");
  EXPECT_EQ(overridden("#A = 1 : i1", {"A=0"}), "#A = 0 : i1");
  EXPECT_EQ(overridden("#A = 1 : i128", {"A=340282366920938463463374607431768211455"}),
            "#A = 340282366920938463463374607431768211455 : i128");
  EXPECT_EQ(overridden("#A = 1 : index", {"A=09"}), "#A = 09 : index");
  EXPECT_EQ(refused("#A = 1 : i8", {"A=256"}),
            "k.mlir:1:1: error: parameter 'A' expects an integer of type 'i8' (-128 to 255), but -D gives '256'");
  EXPECT_EQ(refused("\n #A = 1 : si8", {"A=128"}),
            "k.mlir:2:2: error: parameter 'A' expects an integer of type 'si8' (-128 to 127), but -D gives '128'");
  EXPECT_EQ(refused("#A = 1 : ui8", {"A=-1"}),
            "k.mlir:1:1: error: parameter 'A' expects an integer of type 'ui8' (0 to 255), but -D gives '-1'");
  EXPECT_EQ(refused("#A = 1 : i8", {"A=-129"}).substr(0, 19), "k.mlir:1:1: error: ");
  EXPECT_EQ(refused("#A = 1 : index", {"A=9223372036854775808"}).substr(0, 19), "k.mlir:1:1: error: ");
  EXPECT_EQ(refused("#A = 1", {"A=99999999999999999999"}).substr(0, 19), "k.mlir:1:1: error: ");
}

TEST(Parameters, a_declared_type_may_be_a_parameter_itself) {
  const char *source = "!T = i8\n#A = 1 : !T";
  EXPECT_EQ(overridden(source, {"A=200"}), "!T = i8\n#A = 200 : !T");
  EXPECT_EQ(overridden(source, {"A=300", "T=i16"}), "!T = i16\n#A = 300 : !T");
  EXPECT_EQ(refused(source, {"A=300"}),
            "k.mlir:2:1: error: parameter 'A' expects an integer of type 'i8' (-128 to 255), but -D gives '300'");
}

TEST(Parameters, wrong_kinds_say_what_was_expected_and_found) {
  const std::string index = "k.mlir:2:1: error: parameter 'BM' expects an integer of type 'index' "
                            "(-9223372036854775808 to 9223372036854775807), but -D gives ";
  EXPECT_EQ(refused(kernel, {"BM=f16"}), index + "'f16'");
  EXPECT_EQ(refused(kernel, {"BM=abc"}), index + "'abc'");
  EXPECT_EQ(refused(kernel, {"BM=1.5"}), index + "'1.5'");
  EXPECT_EQ(refused(kernel, {"BM="}), index + "''");
  EXPECT_EQ(refused(kernel, {"BM=64 : i32"}), index + "'64 : i32'");
  EXPECT_EQ(refused(kernel, {"BM=6\n4"}), index + "'6\n4'");
  EXPECT_EQ(refused(kernel, {"T=3"}),
            "k.mlir:3:1: error: parameter 'T' expects a scalar type such as f16, bf16 or f32, but -D gives '3'");
  EXPECT_EQ(refused(kernel, {"T=tensor<4xf32>"}).substr(0, 19), "k.mlir:3:1: error: ");
  EXPECT_EQ(refused(kernel, {"WITH_BIAS=2"}),
            "k.mlir:4:3: error: parameter 'WITH_BIAS' expects true or false, but -D gives '2'");
  EXPECT_EQ(refused(kernel, {"EPS=true"}),
            "k.mlir:5:1: error: parameter 'EPS' expects a number of type 'f32', but -D gives 'true'");
}

TEST(Parameters, unknown_names_list_the_known_ones) {
  EXPECT_EQ(refused("#BM = 128 : index\n!T = bf16\n// -----\n#BM = 64 : index\n", {"BQ=3"}),
            "k.mlir:1:1: error: unknown parameter 'BQ'; the file has '#BM = 128 : index', '!T = bf16'");
  EXPECT_EQ(refused("", {"BQ=3"}), "k.mlir:1:1: error: unknown parameter 'BQ'; the file has no parameters");
  // A known alias that is no parameter is unknown as one.
  EXPECT_EQ(refused("!a = tensor<4xf32>", {"a=f32"}),
            "k.mlir:1:1: error: unknown parameter 'a'; the file has no parameters");
}

TEST(Parameters, malformed_and_repeated_definitions) {
  EXPECT_EQ(refused(kernel, {"BM"}), "k.mlir:1:1: error: -D expects NAME=VALUE, but got 'BM'");
  EXPECT_EQ(refused(kernel, {"=3"}), "k.mlir:1:1: error: -D expects NAME=VALUE, but got '=3'");
  EXPECT_EQ(refused(kernel, {""}), "k.mlir:1:1: error: -D expects NAME=VALUE, but got ''");
  EXPECT_EQ(refused(kernel, {"BM=1", "T=f16", "BM=2"}), "k.mlir:1:1: error: -D BM is given twice, with '1' and '2'");
  EXPECT_EQ(refused(kernel, {"BM=1", "#BM=1"}), "k.mlir:1:1: error: -D BM is given twice, with '1' and '1'");
}

TEST(Parameters, the_sigil_tells_equal_names_apart) {
  const char *source = "#T = 1\n!T = f32\n";
  EXPECT_EQ(refused(source, {"T=2"}),
            "k.mlir:2:1: error: -D T is ambiguous between '#T' and '!T'; write the one that is meant, with its sign");
  EXPECT_EQ(overridden(source, {"#T=2", "!T=f16"}), "#T = 2\n!T = f16\n");
}

TEST(Parameters, no_text_is_too_broken) {
  for (StringRef source : {"#", "!", "#A", "#A =", "#A = -", "#A = 1 :", "#A = 1 : ", "\"", "\"\\", "#A = 1e",
                           "#A = 1.0e-", "}}}#A = 1", "// -----", "#A = 0x", "#= 1", "//"})
    for (const Parameter &parameter : listParameters(source))
      EXPECT_EQ(source.substr(parameter.offset, parameter.value.size()), parameter.value) << source.str();
  EXPECT_EQ(list(StringRef("\0#A = 1\0", 8)), "1:2 #A = 1\n");
}
} // namespace
