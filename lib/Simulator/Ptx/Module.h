/// A PTX module as written: what the parser makes of the text and what the decoder reads. Nothing here knows what an
/// instruction does; an instruction is its opcode, its modifiers in order, and its operands. Sources: PTX ISA, chapters
/// "Syntax", "State Spaces, Types, and Variables", "Instruction Operands", "Directives".
#ifndef TILEC_LIB_SIMULATOR_PTX_MODULE_H
#define TILEC_LIB_SIMULATOR_PTX_MODULE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::ptx {

/// A place in the PTX text; both count from 1. Line 0: not known.
struct Location {
  uint32_t line = 0, column = 0;
};

/// What a `.loc` directive says of the instructions after it. File 0: nothing known. Functions inlined at a place say
/// where they were inlined; the innermost is kept here.
struct SourceLocation {
  uint32_t file = 0, line = 0, column = 0;
};

/// An error in a text, with its place.
struct Error {
  Location location;
  /// Lower case, no full stop: what was expected and what was found.
  std::string message;
};

/// State spaces of variables and addresses.
enum class Space : uint8_t { Register, Constant, Global, Local, Parameter, Shared };
/// The name without the dot ("reg", "const", …).
const char *spaceName(Space space);

/// Fundamental types, the packed ones of registers, and the opaque ones that variables may have.
enum class Type : uint8_t {
  None,
  // clang-format off
  B8, B16, B32, B64, B128,
  U8, U16, U32, U64,
  S8, S16, S32, S64,
  F16, F16x2, BF16, BF16x2, F32, F64,
  // clang-format on
  Predicate,
};
/// Bytes of a value; 0 for predicates and None.
unsigned typeBytes(Type type);
/// The name without the dot.
const char *typeName(Type type);
/// The type of that name (without the dot), or None.
Type typeOfName(std::string_view name);

/// How a name is known to other modules.
enum class Linkage : uint8_t { None, Extern, Visible, Weak, Common };

/// A variable of any space but registers: module-level, or inside a function. Also a parameter of a function.
struct Variable {
  Location location;
  std::string name;
  Space space = Space::Global;
  Linkage linkage = Linkage::None;
  /// Element type, and 1, 2 or 4 for `.v2`/`.v4` elements.
  Type type = Type::B8;
  unsigned vector = 1;
  /// Bytes; at least the type's own.
  uint64_t alignment = 1;
  /// Extents of an array, outermost first; 0 for `[]`. Empty: no array.
  std::vector<uint64_t> extents;
  /// Parameters declared `.reg` in device functions: the value travels in a register, in a body the one numbered `reg`.
  bool inRegister = false;
  uint32_t reg = 0;
  /// The content at load, shorter than the variable if the rest is zero; the holes that addresses fill are zero here.
  std::vector<std::byte> initial;
  /// Bytes at `offset` (4 or 8 of them) that hold the address of a symbol plus a constant, as generic(symbol) or as an
  /// address in the symbol's own space. `mask` other than -1 selects one byte of it (`0xff00(symbol)`): then one byte
  /// is stored, shifted down.
  struct Relocation {
    uint64_t offset = 0;
    unsigned bytes = 8;
    std::string symbol;
    int64_t addend = 0;
    bool generic = false;
    uint64_t mask = ~uint64_t(0);
  };
  std::vector<Relocation> relocations;

  /// Bytes of the whole; 0 for an unsized array.
  uint64_t bytes() const;
};

/// A register of a function. `%r<5>` declares five of them; those that no instruction names are left out.
struct Register {
  std::string name;
  Type type = Type::B32;
  /// 1, 2 or 4.
  unsigned vector = 1;
};

/// An operand as written.
struct Operand {
  enum class Kind : uint8_t {
    /// A register of the function; `reg` is its number. `negated` for `!p`. `component`: 0…3 for `.x`…`.w`, else -1.
    Register,
    /// A special register: `name` with its percent sign and its component ("%tid.x", "%clock64", "%lanemask_lt").
    Special,
    /// An integer, in `bits` as a 64-bit two's complement number; its type is S64 or U64.
    Integer,
    /// A floating-point constant in `bits`: 0f… has its 32 bits and type F32, 0d… and decimals 64 bits and type F64.
    Float,
    /// An address in brackets: base in `elements[0]` (register, symbol or integer) plus `offset`. Tensor coordinates
    /// `[a, {x, y}]` make further elements: the base, then a Vector for each brace.
    Address,
    /// The address of a variable or function (`mov.u64 %rd1, name+4;`), `name` plus `offset`. Also labels.
    Symbol,
    /// Braces, parts in `elements`.
    Vector,
    /// `_`.
    Sink,
    /// `p|q`, parts in `elements`; also `%r1|%p1` of shfl.
    Pair,
    /// A list in parentheses of `call`, parts in `elements`.
    List,
  };
  Kind kind = Kind::Sink;
  Location location;
  bool negated = false;
  int component = -1;
  uint32_t reg = 0;
  Type type = Type::None;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::string name;
  std::vector<Operand> elements;
};

/// One instruction. `ld.global.nc.v4.f32` has opcode "ld" and modifiers "global", "nc", "v4", "f32"; modifiers keep a
/// scope marker such as "L1::no_allocate" whole.
struct Instruction {
  Location location;
  SourceLocation source;
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<Operand> operands;
  /// `@p` or `@!p`: register number, or -1.
  int32_t guard = -1;
  bool guardNegated = false;
};

/// `name: .branchtargets a, b;`, `.calltargets f, g;` and `.callprototype …` inside a body.
struct LabelList {
  enum class Kind : uint8_t { Branches, Calls, Prototype };
  Kind kind = Kind::Branches;
  std::vector<std::string> names;
  /// Of a prototype.
  std::vector<Variable> results, parameters;
};

/// A kernel (`.entry`) or a device function (`.func`).
struct Function {
  Location location;
  std::string name;
  bool isKernel = false;
  Linkage linkage = Linkage::None;
  /// False: a declaration or `.alias`.
  bool hasBody = false;
  std::vector<Variable> results, parameters;
  std::vector<Register> registers;
  /// Variables declared in the body (.shared, .local, .param, .const, .global); names of inner scopes are made unique
  /// by the parser, operands refer to the unique name.
  std::vector<Variable> variables;
  std::vector<Instruction> instructions;
  /// Label → index of the instruction after it (may be instructions.size()).
  std::map<std::string, uint32_t, std::less<>> labels;
  std::map<std::string, LabelList, std::less<>> labelLists;
  /// Performance directives: 0 where absent. `.reqntid`, `.maxntid`, `.reqnctapercluster`, `.maxclusterrank`,
  /// `.maxnreg`, `.minnctapersm`; `.explicitcluster`, `.noreturn`.
  uint32_t requiredThreads[3] = {0, 0, 0};
  uint32_t maxThreads[3] = {0, 0, 0};
  uint32_t requiredCluster[3] = {0, 0, 0};
  uint32_t maxClusterRank = 0, maxRegisters = 0, minBlocksPerSM = 0;
  bool explicitCluster = false, noReturn = false;
  /// `.blocksareclusters`: the grid of a launch counts clusters.
  bool blocksAreClusters = false;
};

/// A module. Sections of debug information (`.section .debug_…`) are skipped.
struct Module {
  /// major * 10 + minor of `.version`.
  unsigned version = 0;
  /// As written ("sm_90a").
  std::string target;
  /// Further words of `.target` ("debug", "texmode_independent").
  std::vector<std::string> targetOptions;
  /// 32 or 64.
  unsigned addressSize = 64;
  /// `.file` index → name.
  std::map<uint32_t, std::string> files;
  std::vector<Variable> variables;
  std::vector<std::unique_ptr<Function>> functions;
  /// `.alias a, b`.
  std::map<std::string, std::string, std::less<>> aliases;

  /// The function of that name, or null.
  const Function *findFunction(std::string_view name) const;
};

/// Parses a module. On failure null, and `error` says where and why.
std::unique_ptr<Module> parse(std::string_view text, Error &error);

/// The line of `text` with that number, without its end, for messages.
std::string_view lineOf(std::string_view text, uint32_t line);

} // namespace tilec::ptx

#endif // TILEC_LIB_SIMULATOR_PTX_MODULE_H
