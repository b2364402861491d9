/// What names mean in a function body. PTX has blocks in braces whose registers, variables and labels shadow those
/// outside (inline assembly and call sequences come in such blocks), and `%r<5>` declares names without writing them.
/// A register of such a range is made when it is first named, so a range costs nothing however long it is.
#ifndef TILEC_LIB_SIMULATOR_PTX_SCOPES_H
#define TILEC_LIB_SIMULATOR_PTX_SCOPES_H

#include "lib/Simulator/Ptx/Module.h"

#include <optional>
#include <unordered_map>

namespace tilec::ptx {

/// What a name stands for in a body.
struct Meaning {
  enum class Kind : uint8_t { Register, Parameter, Variable };
  Kind kind = Kind::Register;
  /// How deep its scope is nested.
  uint32_t depth = 0;
  /// Number of the register, or the place in Function::variables.
  uint32_t index = 0;
};

/// The scopes of one function, from its parameters on.
class Scopes {
public:
  /// Registers are added to `function` as they are declared or, of a range, named.
  explicit Scopes(Function &function);

  /// Scopes deeper than this are refused, which bounds the work per name.
  static constexpr uint32_t maxDepth = 128;

  /// Opens a scope inside the current one; false if that is too deep.
  bool open();
  /// Closes the innermost scope; false if only the function's own is left.
  bool close();
  /// A number of the current scope, unique in the function; that of the function is 0.
  uint32_t current() const { return stack.back().id; }

  /// Declares a name in the current scope; false: it is declared there already.
  bool declare(std::string_view name, Meaning meaning);
  /// Declares `prefix` 0 … count - 1 as registers; false: one of them is declared there already.
  bool declareRange(std::string_view prefix, uint64_t count, Type type, unsigned vector);
  /// What the name stands for, if anything. The text must outlive this object.
  std::optional<Meaning> find(std::string_view name);
  /// The size of a range around the scope whose prefix the name has (for messages), with the prefix; 0: there is none.
  uint64_t rangeAround(std::string_view name, std::string_view &prefix) const;

  /// Declares a label in the current scope, known afterwards as `unique`; false: it is there already.
  bool declareLabel(std::string_view name, std::string unique);
  /// The unique name of a label seen from a scope by number, or null. To be asked when the body is complete.
  const std::string *findLabel(std::string_view name, uint32_t scope) const;

private:
  /// A range, and the smallest number with that prefix that is declared as a name of its own, in one scope.
  struct Range {
    uint32_t depth = 0;
    uint64_t count = 0, smallestSingle = ~uint64_t(0);
    Type type = Type::None;
    unsigned vector = 1;
    /// Register of each number, plus 1; 0: not made yet. Those beyond its size are in `names`.
    std::vector<uint32_t> members;
    /// The smallest number made so far that is in `names`.
    uint64_t smallestBeyond = ~uint64_t(0);
    /// The range of that prefix further out, in rangePool; -1: none.
    int64_t outside = -1;
  };
  /// What a declaration in a scope hid.
  struct Hidden {
    std::string_view name;
    bool existed;
    Meaning before;
  };
  struct Scope {
    uint32_t id = 0;
    bool hasRanges = false;
    std::vector<Hidden> names;
    /// Prefixes of ranges declared here.
    std::vector<std::string_view> prefixes;
  };
  struct LabelKey {
    std::string_view name;
    uint32_t scope;
    bool operator==(const LabelKey &other) const { return scope == other.scope && name == other.name; }
  };
  struct LabelHash {
    size_t operator()(const LabelKey &key) const {
      return std::hash<std::string_view>()(key.name) ^ (key.scope * size_t(0x9e3779b97f4a7c15));
    }
  };

  uint32_t depth() const { return uint32_t(stack.size()) - 1; }
  void set(std::string_view name, Meaning meaning);
  Range &rangeHere(std::string_view prefix);
  /// The register of that number in a range, made if it is new.
  Meaning member(Range &range, std::string_view name, uint64_t number);

  Function &function;
  std::unordered_map<std::string_view, Meaning> names;
  /// The innermost range of a prefix, in rangePool.
  std::unordered_map<std::string_view, int64_t> ranges;
  std::vector<Range> rangePool;
  /// A range has a prefix that ends in a digit, so that a name may belong to several prefixes.
  bool ambiguous = false;
  /// Numbers for which Range::members has room, over all ranges ever; bounded whatever the text says.
  size_t memberRoom = 0;
  std::unordered_map<LabelKey, std::string, LabelHash> labels;
  std::vector<Scope> stack;
  /// Of every scope ever opened, by its number.
  std::vector<uint32_t> parents;
};

} // namespace tilec::ptx

#endif // TILEC_LIB_SIMULATOR_PTX_SCOPES_H
