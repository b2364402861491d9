#include "lib/Pipeline/Diagnostics.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tile;

/// One line per diagnostic: file, position, kind and text; the source line stays out of it.
static std::string textOf(const Diagnostic &diagnostic, StringRef tool) {
  static constexpr StringRef kinds[] = {"note", "warning", "error", "remark"};
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto show = [&](const Diagnostic &one) {
    if (auto place = one.getLocation()->findInstanceOf<FileLineColLoc>())
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn() << ": ";
    else
      stream << tool << ": ";
    stream << kinds[static_cast<int>(one.getSeverity())] << ": " << StringRef(one.str()).rtrim() << "\n";
  };
  show(diagnostic);
  for (const Diagnostic &note : diagnostic.getNotes())
    show(note);
  return text;
}

void tile::printDiagnostics(MLIRContext &context, StringRef tool, bool remarks) {
  context.getDiagEngine().registerHandler(
      [tool = tool.str(), remarks, said = llvm::StringSet<>()](Diagnostic &diagnostic) mutable {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Remark && !remarks)
          return success();
        std::string text = textOf(diagnostic, tool);
        if (said.insert(text).second)
          llvm::errs() << text;
        return success();
      });
}
