/// The table of instruction forms: text, one line a form, with alternatives that expand to many.
///
///     == float addition
///     add<.rn,.rz,.rm,.rp><,.ftz><,.sat>.f32 : f32 f32 -> f32
///     setp.<lt,gt>.s32 $d0|$d1, $0, $1 : s32 s32 -> pred pred
///     shared sum { st.shared.b32 [%sh], $0; bar.sync 0; ld.shared.b32 $d0, [%sh]; } : u32 -> u32 @ shared=4096
///
/// The class follows `==`. Before ` : ` stands an instruction, whose operands are the destinations and then the
/// sources, or one that places them itself ($d0, $d1 … destinations, $0, $1 … sources, $D all destinations with
/// commas), or a name and a body in braces. Types follow, sources -> destinations: those of PTX, `pred`, packed pairs,
/// `TYPE*COUNT`, `#TEXT` for a constant; `TYPE/KIND` draws the operands otherwise (Operands.h). `<a,b>` stands for each
/// of a and b; `<T:a,b>` names the choice, for `$T` elsewhere in the line; `<T,U:a/b,c/d>` names several that go
/// together. A backslash at the end continues a line, `#` begins a comment line.
#ifndef TILEC_TEST_SIMULATOR_CONFORMANCE_FORMS_H
#define TILEC_TEST_SIMULATOR_CONFORMANCE_FORMS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace conformance {

/// A source or a destination.
struct Operand {
  /// As written: "f32", "e4m3x2", "pred"; "#…" for a constant.
  std::string type;
  /// How its values are drawn; empty: by its type.
  std::string kind;
  /// Bits of its register: 16, 32 or 64; 1 for a predicate.
  unsigned bits = 32;
  bool constant() const { return type[0] == '#'; }
};

/// One concrete form.
struct Form {
  std::string group;
  /// Unique, and what golden files know it by.
  std::string name;
  /// PTX statements with $0, $d0 ….
  std::string body;
  std::vector<Operand> sources, destinations;
  /// approx=FUNCTION:BOUND, shared=BYTES, fill=KIND, threads=N, blocks=N.
  std::map<std::string, std::string> options;

  /// The number that an option gives, or `otherwise`.
  unsigned number(const char *option, unsigned otherwise) const;
  unsigned threads() const { return number("threads", 128); }
  unsigned blocks() const { return number("blocks", 16); }
  unsigned total() const { return threads() * blocks(); }
};

/// Reads one file of the table, appending to `forms`. Returns what is wrong with it, or an empty text.
std::string readForms(const std::string &path, std::vector<Form> &forms);

/// PTX of a module with an entry `form0`, `form1` … for each of the forms, with parameters: operands, results, scratch
/// memory. Operands are at (k * total + thread) * 8, results at (thread * destinations + d) * 8; a block's scratch
/// memory is scratchBytes at block * scratchBytes.
std::string moduleOf(const Form *forms, size_t count);
/// Bytes of a block's scratch memory.
constexpr unsigned scratchBytes = 4096;
/// Words that fill=KIND repeats; a prime, so that no pattern of addresses sees only some.
constexpr unsigned fillWords = 4099;

} // namespace conformance

#endif // TILEC_TEST_SIMULATOR_CONFORMANCE_FORMS_H
