/// Turns one parsed instruction into an operation. Each family of instructions has functions of type Bind, listed by
/// opcode in a table (Instructions.h). A Bind reads modifiers and operands through a Binder and sets handler, rows and
/// data; whatever it has not read is an error, so an unknown modifier can never be skipped silently.
///
/// Worked example, `add.sat.s32 %r1, %r2, 5;`:
///     ptx::Type type = b.takeType();              // S32
///     bool saturate = b.take("sat");
///     b.destination(0, type); b.source(1, type); b.source(2, type);
///     b.operation.run = …; b.operation.kind = InstructionClass::Integer;
///     return b.finish();
#ifndef TILEC_LIB_SIMULATOR_CORE_BINDER_H
#define TILEC_LIB_SIMULATOR_CORE_BINDER_H

#include "lib/Simulator/Core/Program.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace tilec::sim {

class ProgramBuilder;

/// An address operand: a base row plus a constant, or a variable.
struct AddressOperand {
  /// The base: a register's row (4 or 8 bytes), or the row of a constant (variable's address, integer).
  Row base;
  int64_t offset = 0;
  /// The variable it names, if it does.
  const ptx::Variable *variable = nullptr;
};

/// One instruction on its way to an operation: what of its modifiers and operands has been read, and what it has
/// become.
class Binder {
public:
  Binder(ProgramBuilder &builder, const ptx::Function &function, const ptx::Instruction &instruction,
         Operation &operation);

  const ptx::Function &function;
  const ptx::Instruction &instruction;
  Operation &operation;

  /// \name Modifiers. Each can be taken once; their order is not checked.
  /// @{
  /// Whether the modifier is there; takes it.
  bool take(std::string_view modifier);
  /// Whether it is there; leaves it.
  bool has(std::string_view modifier) const;
  /// The number in `choices` of the first of them that is there (taken), or -1.
  int takeOneOf(std::initializer_list<std::string_view> choices);
  /// The next modifier, in order, that names a fundamental type of ptx::Type; takes it. None, and an error by finish(),
  /// if there is none.
  ptx::Type takeType();
  /// The next modifier not yet taken, whatever it is; empty if none. Takes it.
  std::string_view takeNext();
  /// @}

  /// \name Operands. Rows are appended to the operation in the order of the calls; all destinations come first.
  /// A register must have the width of `type` (or more, with `mayBeWider`: ld, st, cvt); an immediate becomes a
  /// constant row of that type. Type None: any width, a register only.
  /// @{
  /// How many operands are written, operand `i`, and whether it is `{…}` or `_`.
  size_t operandCount() const { return instruction.operands.size(); }
  const ptx::Operand &operand(size_t i) const;
  bool isVector(size_t i) const;
  bool isSink(size_t i) const;
  /// Adds operand `i` as a destination; a sink gets a row that nobody reads.
  Row destination(size_t i, ptx::Type type, bool mayBeWider = false);
  /// Adds operand `i` as a source.
  Row source(size_t i, ptx::Type type, bool mayBeWider = false);
  /// Adds any operand, such as an element of a vector.
  Row destination(const ptx::Operand &operand, ptx::Type type, bool mayBeWider = false);
  Row source(const ptx::Operand &operand, ptx::Type type, bool mayBeWider = false);
  /// Adds all elements of `{…}`, or the one register; returns how many.
  unsigned destinations(size_t i, ptx::Type type, bool mayBeWider = false);
  unsigned sources(size_t i, ptx::Type type, bool mayBeWider = false);
  /// Adds a row that no operand names, such as the carry flag (ProgramBuilder::namedRow).
  void addDestination(Row row) {
    rows.push_back(row);
    ++operation.destinations;
  }
  /// The same for a row that is read.
  void addSource(Row row) {
    rows.push_back(row);
    ++operation.sources;
  }
  /// Adds a predicate source; `negated` says whether `!` was written. Immediates 0 and 1 are taken.
  Row predicateSource(size_t i, bool &negated);
  /// Adds the base of `[base + offset]` as a source row.
  AddressOperand address(size_t i);
  AddressOperand address(const ptx::Operand &operand);
  /// The value of an operand that must be an integer constant; an error if it is not.
  int64_t constant(size_t i);
  /// A scratch row of the operation's own, not added to it.
  Row scratch(unsigned bytes);
  /// A row with this value in all lanes, not added to the operation.
  Row constantRow(uint64_t value, unsigned bytes);
  /// The number of the operation after a label; resolved when the whole function is decoded, into `slot`.
  void label(size_t i, uint64_t *slot);
  /// @}

  /// The SM that the module is for (90), and whether for that one's own features (`sm_90a`).
  unsigned targetSM() const;
  bool targetHasFeatures() const;
  /// The PTX version that the module is written in (80: 8.0).
  unsigned ptxVersion() const;
  /// The program that is being decoded.
  ProgramBuilder &builder() { return programBuilder; }

  /// Records the error; returns false. The first one counts.
  bool fail(std::string message);
  /// "instruction needs sm_90 or later" where the module's target is older.
  bool require(unsigned sm);
  /// Whether all went well: no error, nothing left unread, a handler set.
  bool finish();
  const std::string &error() const { return message; }

private:
  ProgramBuilder &programBuilder;
  std::vector<bool> taken;
  std::vector<bool> operandUsed;
  std::vector<Row> rows;
  std::string message;
};

/// Decodes the instruction of the binder into its operation; false with Binder::error().
using Bind = bool (*)(Binder &);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_BINDER_H
