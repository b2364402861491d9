/// The neutral index expressions of KernelInterface.h: parsed, checked and printed as C++ over lib/Runtime/Index.h.
#ifndef TILEC_LIB_CODEGEN_INDEXEXPRESSION_H
#define TILEC_LIB_CODEGEN_INDEXEXPRESSION_H

#include "lib/Codegen/KernelInterface.h"
#include "lib/Runtime/Argument.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace mlir::tile {

/// What an expression must give.
enum class ExpressionKind { Index, Predicate };

/// C++ for an expression over the launcher's arguments, dead ones not counted: argument number i is written
/// `arguments[i]`, so no name of the source reaches C++. For A and n the live arguments 0 and 1, "dim(A, 0) + n" gives
/// "(dim(arguments[0].view, 0) + arguments[1].index())". Fails on text that does not parse, an unknown or dead
/// argument, a scalar that is not an integer, a dimension beyond the rank, or the wrong kind.
llvm::Expected<std::string> translateExpression(llvm::StringRef text, const std::vector<KernelArgument> &arguments,
                                                ExpressionKind kind);

/// The value of an expression for the launcher's arguments, dead ones not counted; of a predicate 0 or 1.
using IndexFunction = std::function<tilec::Index(const tilec::Argument *arguments)>;

/// The same expression as a function, for launches without a C++ compiler. Fails as translateExpression does.
llvm::Expected<IndexFunction> compileExpression(llvm::StringRef text, const std::vector<KernelArgument> &arguments,
                                                ExpressionKind kind);

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_INDEXEXPRESSION_H
