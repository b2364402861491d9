/// Tokens: every notation of numbers, words with their marks, comments and places.
#include "lib/Simulator/Ptx/Lexer.h"

#include <gtest/gtest.h>

using namespace tilec::ptx;

static Token only(std::string_view text) {
  Lexer lexer(text);
  Token token = lexer.next();
  EXPECT_EQ(lexer.next().kind, Token::Kind::End) << text;
  return token;
}

TEST(PtxLexer, integersInEveryBase) {
  EXPECT_EQ(only("0x1fU").bits, 31u);
  EXPECT_EQ(only("0X1F").bits, 31u);
  EXPECT_EQ(only("017").bits, 15u);
  EXPECT_EQ(only("0b101").bits, 5u);
  EXPECT_EQ(only("0").bits, 0u);
  EXPECT_EQ(only("42U").bits, 42u);
  EXPECT_TRUE(only("42U").isUnsigned);
  EXPECT_FALSE(only("42").isUnsigned);
  EXPECT_TRUE(only("9223372036854775808").isUnsigned);
  EXPECT_EQ(only("18446744073709551615").bits, ~uint64_t(0));
}

TEST(PtxLexer, floats) {
  EXPECT_EQ(only("0f3F800000").bits, 0x3f800000u);
  EXPECT_EQ(only("0F3f800000").type, Type::F32);
  EXPECT_EQ(only("0d3FF0000000000000").bits, 0x3ff0000000000000u);
  for (const char *text : {"1.0", "1.", "1e0", "1.0E+0", "10e-1", "01.0"}) {
    EXPECT_EQ(only(text).kind, Token::Kind::Float) << text;
    EXPECT_EQ(only(text).bits, 0x3ff0000000000000u) << text;
    EXPECT_EQ(only(text).type, Type::F64) << text;
  }
}

TEST(PtxLexer, badNumbers) {
  for (const char *text : {"0x", "08", "0b2", "0b", "0f3F80", "0d12", "18446744073709551616", "12ab", "0x1g", "1e999"})
    EXPECT_EQ(Lexer(text).next().kind, Token::Kind::Bad) << text;
}

TEST(PtxLexer, namesAndWords) {
  for (const char *text : {"%r1", "$L__BB0_1", "_ZN3fooE", "a$b", "_", "%p"})
    EXPECT_EQ(only(text).kind, Token::Kind::Name) << text;
  for (const char *text : {".L1::no_allocate", ".shared::cluster", ".mbarrier::complete_tx::bytes", ".2d", ".f32"})
    EXPECT_EQ(only(text).text, text);
  Lexer lexer("%tid.x:a % 4");
  EXPECT_EQ(lexer.next().text, "%tid");
  EXPECT_EQ(lexer.next().text, ".x");
  EXPECT_TRUE(lexer.next().is(':'));
  EXPECT_EQ(lexer.next().text, "a");
  EXPECT_TRUE(lexer.next().is('%'));
}

TEST(PtxLexer, commentsAndPlaces) {
  Lexer lexer("// one\n/* two\n three */ a\r\n\tb");
  Token a = lexer.next(), b = lexer.next();
  EXPECT_EQ(a.location.line, 3u);
  EXPECT_EQ(a.location.column, 11u);
  EXPECT_EQ(b.location.line, 4u);
  EXPECT_EQ(b.location.column, 2u);
  Token open = Lexer("a\n").next();
  EXPECT_EQ(open.text, "a");
  Lexer unclosed("\n  /* no end\n\n");
  Token bad = unclosed.next();
  EXPECT_EQ(bad.kind, Token::Kind::Bad);
  EXPECT_EQ(bad.location.line, 2u);
  EXPECT_EQ(bad.location.column, 3u);
}

TEST(PtxLexer, zerosAtTheEndAreLeftOut) {
  EXPECT_EQ(only(std::string_view("a\0\0", 3)).text, "a");
  EXPECT_EQ(Lexer(std::string_view("\0a", 2)).next().kind, Token::Kind::Bad);
}
