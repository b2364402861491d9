/// Runs emitted scalar arithmetic on this machine, so that tests can try it on millions of numbers without a GPU.
#ifndef TEST_UNIT_CONVERSION_SCALARJIT_H
#define TEST_UNIT_CONVERSION_SCALARJIT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include <map>
#include <memory>
#include <vector>

namespace mlir::tile {

class ScalarJit {
public:
  ScalarJit();

  /// Builds a function of scalars with `build`, compiles it and returns its address.
  using Build = function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;
  void *compile(ArrayRef<Type> arguments, Build build);

  /// The same as a function pointer, whose C++ types the caller matches: uint8_t for i8, float for f32, …
  template <typename Signature> Signature *compile(ArrayRef<Type> arguments, Build build) {
    return reinterpret_cast<Signature *>(compile(arguments, build));
  }

  /// For use inside `build`: calls a C++ function from float to float by its name.
  static Value call(ImplicitLocOpBuilder &b, StringRef name, Value x);
  /// Functions that `call` may name; to be set before compile().
  std::map<std::string, float (*)(float)> functions;

  Type f32, f64, i8, i32, i64;

private:
  MLIRContext context;
  std::vector<std::unique_ptr<llvm::orc::LLJIT>> compiled;
};

} // namespace mlir::tile

#endif
