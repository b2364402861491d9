/// What is no PTX is refused with its place, what was expected and what was found.
#include "test/unit/Simulator/Ptx/ParseText.h"

using namespace tilec::ptx;

namespace {
struct Row {
  const char *text, *error;
};
} // namespace

TEST(PtxError, heads) {
  const Row rows[] = {
      {"", "1:1: expected '.version' at the start of a module, but got the end of the text"},
      {".version 9", "1:10: expected a version such as 9.0, but got '9'"},
      {".version 9.0 .entry", "1:14: expected '.target' after '.version', but got '.entry'"},
      {".version 9.0 .target debug", "1:27: expected a target such as sm_90a, but got the end of the text"},
      {".version 9.0 .target sm_80, sm_90", "1:29: expected one target, but got 'sm_80' and 'sm_90'"},
      {".version 9.0 .target sm_80 .address_size 16", "1:42: expected an address size of 32 or 64, but got 16"},
      {".version 9.0 .target sm_80 .version 9.0", "1:28: expected one '.version' in a module, but got a second"},
      {".version 9.0 .target sm_80 mov", "1:28: expected a directive, but got 'mov'"},
      {"#define X", "1:1: preprocessor lines are not supported, but got '#'"},
      {".version 9.0 .target sm_80 /* x", "1:28: expected the comment to end in '*/', but got '/*'"},
      {".version 9.0 .target sm_80 .section .debug_str { .b8 1",
       "1:55: expected '}' to end the section, but got the end of the text"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(parseWhole(row.text).error, row.error) << row.text;
}

TEST(PtxError, declarations) {
  const Row rows[] = {
      {".global .u32 a", "2:15: expected ';' after the declaration, but got the end of the text"},
      {".global .q32 a;", "2:9: expected a type, but got '.q32'"},
      {".global a;", "2:9: expected a type, but got 'a'"},
      {".global .u32 .f32 a;", "2:14: expected one type, but got '.f32'"},
      {".global .pred a;", "2:15: expected a type that memory can hold, but got '.pred' in '.global'"},
      {".global .align 3 .u32 a;", "2:16: expected a power of two as alignment, but got 3"},
      {".global .v4 .f64 a;", "2:18: expected a vector of at most 16 bytes, but got .v4 of .f64"},
      {".global .texref a;", "2:9: variables of type '.texref' are not supported"},
      {".tex .u32 a;", "2:1: variables of state space '.tex' are not supported"},
      {".sreg .u32 a;", "2:1: variables of state space '.sreg' are not supported"},
      {".const[2] .u32 a;", "2:7: banks of constant memory are not supported"},
      {".reg .u32 a;", "2:6: expected '.reg' inside a function"},
      {".global .u32 a[-1];", "2:16: expected an extent from 0 to 281474976710656, but got -1"},
      {".global .u32 a[2][];", "2:19: expected an extent, but got ']'"},
      {".global .b8 a[1<<40][1<<40];", "2:21: expected a variable of at most 2^48 bytes"},
      {".global .u32 a[2] = {1,2,3};", "2:26: expected at most 2 elements of 'a', but got more"},
      {".global .u32 a[2] = 1;", "2:21: expected '{' to begin the elements, but got '1'"},
      {".global .u32 a = 1.5;",
       "2:18: expected an integer for an element of type '.u32', but got a floating-point number"},
      {".global .f32 a = 1;",
       "2:18: expected a floating-point number for an element of type '.f32', but got an integer"},
      {".global .f16 a = 1.0;", "2:18: expected no initial value of type '.f16'"},
      {".shared .u32 a = 1;", "2:18: expected no initial value in '.shared'"},
      {".extern .global .u32 a = 1;", "2:26: expected no initial value of an '.extern' variable"},
      {".global .u32 a = b;", "2:18: undeclared symbol 'b'"},
      {".global .u16 a; .global .u16 b = a;",
       "2:34: expected an element of 8 bytes for an address, but got type '.u16'"},
      {".global .u32 a; .global .u8 b = 0xF0(a);", "2:33: expected a mask that selects one byte, but got '0xF0'"},
      {".global .u32 a = 1 / 0;", "2:20: expected a divisor other than 0"},
      {".global .u32 a = 1.0 & 2;", "2:22: expected integers around '&', but got a floating-point number"},
      {".global .u32 a = 99999999999999999999;",
       "2:18: expected an integer of at most 64 bits, but got '99999999999999999999'"},
      {".global .u32 a = (.u32)1;", "2:19: expected a cast to .s64, .u64 or .f64, but got '.u32'"},
      {".global .b8 a[1<<40] [2] = {{1}};", ""},
      {".global .b8 a[2][1<<40] = {{1},{1}};", "2:34: expected at most 256 MiB of initial content in a module"},
      {".globl .u32 a;", "2:1: directive '.globl' is not known here"},
      {".visible .u32 a;", "2:10: expected a state space, but got '.u32'"},
      {".file x", "2:7: expected the number of a file, but got 'x'"},
      {".pragma nounroll;", "2:9: expected a string after '.pragma', but got 'nounroll'"},
      {".pragma \"x", "2:9: expected the string to end on its line, but got '\"x'"},
      {"\x80", "2:1: expected PTX, but got '\\x80'"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(parseModule(row.text).error, row.error) << row.text;
}

TEST(PtxError, functions) {
  const Row rows[] = {
      {".func f() { ret;", "2:17: expected '}' to end the body of 'f', but got the end of the text"},
      {".func f() ret;", "2:11: expected '{' or ';' after the head of a function, but got 'ret'"},
      {".func f() .maxnred 3 {}", "2:11: directive '.maxnred' is not known of functions"},
      {".entry f(.reg .u32 a) {}", "2:20: expected kernel parameters in '.param', but got '.reg'"},
      {".entry f(.global .u32 a) {}", "2:10: expected '.param' or '.reg', but got '.global'"},
      {".entry f() .reqntid 0 {}", "2:21: expected an extent from 1 to 4294967295, but got 0"},
      {".func f(.reg .u32 a); .func f() { ret; }",
       "2:29: expected 'f' with the parameters it has in line 2, but got others"},
      {".func f(); .func g(); .alias f, g;", "2:33: expected a function with a body after ',', but got 'g'"},
      {".func f() .attribute {}", "2:11: directive '.attribute' is not known of functions"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(parseModule(row.text).error, row.error) << row.text;
}

TEST(PtxError, instructions) {
  const Row rows[] = {
      {"mov.u32 %r1, %r10;", "3:14: undeclared register '%r10': %r<10> ends at %r9"},
      {"mov.u32 %x1, 1;", "3:9: undeclared register '%x1'"},
      {"mov.u32 x, 1;", "3:9: undeclared name 'x': no register, variable, function or label"},
      {"ld.u32 %r1, [x+4];", "3:14: undeclared name 'x': no register, variable, function or label"},
      {"bra L;", "3:5: undeclared name 'L': no register, variable, function or label"},
      {"{ L: ret; } bra L;", "3:17: undeclared name 'L': no register, variable, function or label"},
      {"T: .branchtargets A;", "3:19: undeclared label 'A'"},
      {"T: .branchtargets T;", "3:19: expected a label, but got 'T'"},
      {"T: .calltargets array;", "3:17: expected a function that is declared before, but got 'array'"},
      {"ld.u32 %r1, [L]; L:", "3:14: expected a variable in an address, but got label 'L'"},
      {"@%r1 ret;", "3:2: expected a predicate after '@', but got '%r1' of type .b32"},
      {"@x ret;", "3:2: undeclared register 'x'"},
      {"@array ret;", "3:2: undeclared register 'array'"},
      {"x !%r1;", "3:4: expected a predicate after '!'"},
      {"x [p];", "3:4: expected a register, a variable or an integer as the base of an address"},
      {"x [%tid.x];", "3:4: expected a register, a variable or an integer as the base of an address"},
      {"x [%r1+%r2];", "3:8: expected a constant, but got '%r2'"},
      {"x [%r1+1.5];", "3:8: expected an integer offset, but got a floating-point number"},
      {"x [%r1;", "3:7: expected ']' after the address, but got ';'"},
      {"x {%r1, {%r2}};", "3:9: expected a register or a constant, but got '{'"},
      {"x {%r1;", "3:7: expected '}' after the elements, but got ';'"},
      {"x {};", "3:4: expected a constant, but got '}'"},
      {"x %r1.x;", "3:6: expected a component of a vector of 1, but got '.x'"},
      {"x %r1.b0;", "3:6: expected a component from .x to .w, but got '.b0'"},
      {"x %laneid.x;", "3:10: expected a component of a vector of 1, but got '.x'"},
      {"x p|5;", "3:5: expected a register after '|', but got '5'"},
      {"x p|array;", "3:5: expected a register after '|', but got 'array'"},
      {"x -%r1;", "3:4: expected a constant, but got '%r1'"},
      {"x %r1 %r2;", "3:7: expected ';' after the operands, but got '%r2'"},
      {"x %r1,;", "3:7: expected an operand, but got ';'"},
      {"x %r1", "4:1: expected ';' after the operands, but got '}'"},
      {"x g[1];", "3:3: expected an array before '[', but got 'g'"},
      {"x 08;", "3:3: expected octal digits after the leading 0, but got '08'"},
      {"x 12ab;", "3:3: expected the number to end, but got '12ab'"},
      {"%r1 5;", "3:1: expected an instruction, a directive or '}', but got '%r1'"},
      {";", "3:1: expected an instruction, a directive or '}', but got ';'"},
      {"%r1: ret;", "3:1: expected a label, but got '%r1'"},
      {".branchtargets A;", "3:1: expected a label before '.branchtargets'"},
      {".loc 1 2 ret;", "3:10: expected a column, but got 'ret'"},
      {".loc 1 2 3, at 4", "3:13: expected 'function_name' or 'inlined_at', but got 'at'"},
      {".reg .b32 %r<-1>;", "3:14: expected a number of registers from 0 to 4294967295, but got -1"},
      {".reg .b32 _;", "3:11: expected the name of a register, but got '_'"},
      {"x (1;", "3:5: expected ')' to end the expression, but got ';'"},
      {"call g, (%r1;", "3:13: expected ')' after the elements, but got ';'"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(parseBody(row.text).error, row.error) << row.text;
}

TEST(PtxError, deepExpressions) {
  for (char c : {'(', '-', '!', '~'})
    EXPECT_NE(parseBody("x " + std::string(1000000, c) + "1;").error.find("nested at most 200 levels deep"),
              std::string::npos);
  std::string chain = "x 1";
  for (int i = 0; i < 10000; ++i)
    chain += " ? 1 : 1";
  EXPECT_NE(parseBody(chain + ";").error.find("nested at most 200 levels deep"), std::string::npos);
}

/// Every text that ends early is an error, or complete, and never more than that.
TEST(PtxError, everyPrefix) {
  std::string text = ".version 9.0 .target sm_90a .global .b8 a[4] = {1, (2 + 3) ? 4 : 5}; .entry k(.param .u64 x) "
                     ".reqntid 1, 2 { .reg .b64 %r<4>; L: ld.param.u64 %r1, [x+-4]; @!p bra L; { } }";
  for (size_t size = 0; size < text.size(); ++size) {
    Error error;
    if (!parse(std::string_view(text).substr(0, size), error)) {
      EXPECT_FALSE(error.message.empty());
      EXPECT_EQ(error.location.line, 1u);
    }
  }
}
