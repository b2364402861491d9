/// Decodes a kernel and the functions it calls into a Program. Every instruction becomes one operation, so the number
/// of an operation is its function's start plus its place in the function; after the last one comes an implicit end.
#ifndef TILEC_LIB_SIMULATOR_CORE_PROGRAMBUILDER_H
#define TILEC_LIB_SIMULATOR_CORE_PROGRAMBUILDER_H

#include "lib/Simulator/Core/Program.h"
#include "lib/Target/Target.h"

#include <map>
#include <set>
#include <tuple>

namespace tilec::sim {

/// Decodes one kernel; used once.
class ProgramBuilder {
public:
  ProgramBuilder(std::shared_ptr<const ptx::Module> module, std::shared_ptr<const std::string> text,
                 const mlir::tile::Target &device);

  /// The program of a kernel; null, and `error`, if something in it is not known or not right.
  std::unique_ptr<Program> build(const ptx::Function &kernel, ptx::Error &error);

  /// \name For binders
  /// @{
  Program &program() { return *result; }
  const ptx::Module &module() const { return *ptxModule; }
  /// The simulated device, and the SM that the module was written for (at most the device's).
  const mlir::tile::Target &device() const { return target; }
  unsigned moduleSM() const { return sm; }
  bool moduleHasFeatures() const { return hasFeatures; }

  /// Row of a register; `component` of a vector register, else -1.
  Row registerRow(const ptx::Function &function, uint32_t reg, int component = -1);
  /// The same constant in all lanes.
  Row constantRow(uint64_t value, unsigned bytes);
  /// A special register; a row without bytes (predicate) where the name is not known.
  Row specialRow(const std::string &name, unsigned bytes);
  /// The address of a variable in its own space, plus `offset`.
  Row symbolRow(const ptx::Variable &variable, int64_t offset, unsigned bytes);
  /// A row of nobody else's.
  Row newRow(unsigned bytes);
  /// One row for each name, such as the carry flag ("cc") of a function.
  Row namedRow(const ptx::Function &function, const std::string &name, unsigned bytes);

  /// A variable visible in the function: its parameters and results, its own variables, the module's. Null: none.
  const ptx::Variable *findVariable(const ptx::Function &function, std::string_view name) const;
  /// The function's first operation, and its number in the module (its address is that plus 1); -1: not part of the
  /// program.
  int64_t startOf(const ptx::Function &function) const;
  int64_t numberOf(const ptx::Function &function) const;
  /// Whether it is a parameter of the kernel itself (which lies in the parameter block, not in local memory).
  bool isKernelParameter(const ptx::Variable &variable) const;
  /// @}

private:
  void collectFunctions(const ptx::Function &function);
  void collectFromVariables(const std::vector<ptx::Variable> &variables);
  /// The place of a variable behind what is placed already; `total` grows. Beyond `most` bytes it is an error.
  uint32_t place(const ptx::Variable &variable, uint32_t &total, uint64_t most);
  void layOutParameters(const ptx::Function &kernel);
  void layOutLocals(const ptx::Function &function);
  bool decode(const ptx::Function &function, ptx::Error &error);

  std::shared_ptr<const ptx::Module> ptxModule;
  std::shared_ptr<const std::string> text;
  const mlir::tile::Target &target;
  unsigned sm = 0;
  bool hasFeatures = false;

  std::unique_ptr<Program> result;
  /// The largest alignment of shared arrays without a size.
  uint32_t dynamicSharedAlignment = 0;
  /// The first thing that had no place; empty: none.
  ptx::Error layoutError;
  std::vector<const ptx::Function *> functions;
  std::map<const ptx::Function *, uint32_t> starts;
  std::map<std::tuple<const ptx::Function *, uint32_t, int>, Row> registerRows;
  std::map<std::pair<uint64_t, unsigned>, Row> constantRows;
  std::map<std::pair<std::string, unsigned>, Row> specialRows;
  std::map<std::tuple<const ptx::Variable *, int64_t, unsigned>, Row> symbolRows;
  std::map<std::tuple<const ptx::Function *, std::string, unsigned>, Row> namedRows;
  std::map<const ptx::Function *, std::map<std::string_view, const ptx::Variable *>> scopes;
  std::map<std::string_view, const ptx::Variable *> moduleScope;
};

/// Whether a special register of that name exists, with its width in bytes; 0: no.
unsigned specialRegisterBytes(std::string_view name);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_PROGRAMBUILDER_H
