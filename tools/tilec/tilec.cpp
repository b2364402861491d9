// The compiler's command line.
#include "lib/Pipeline/Compile.h"
#include "lib/Pipeline/Diagnostics.h"
#include "lib/Pipeline/Parameters.h"
#include "tools/tilec/Options.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
struct StageTimes {
  std::vector<std::pair<std::string, double>> stages;
  void add(StringRef stage, double seconds) { stages.push_back({stage.str(), seconds}); }
  void print() const {
    double total = 0, llvmTotal = 0;
    for (const auto &[stage, seconds] : stages) {
      total += seconds;
      if (StringRef(stage).starts_with("llvm-"))
        llvmTotal += seconds;
      llvm::errs() << llvm::format("%10.1f ms  ", seconds * 1e3) << stage << "\n";
    }
    llvm::errs() << llvm::format("%10.1f ms  total, LLVM's share %.0f %%\n", total * 1e3,
                                 total > 0 ? 100 * llvmTotal / total : 0.0);
  }
};

/// Gives the passes' remarks to the diagnostics, in one sentence: what, why, and the remedy.
struct RemarksAsDiagnostics : remark::detail::MLIRRemarkStreamerBase {
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string what, rest;
    for (const auto &argument : remark.getArgs())
      if (argument.key == "Remark")
        what += argument.val;
      else if (argument.key == "Reason")
        rest = ", as " + argument.val + rest;
      else
        rest += "; " + argument.val;
    emitRemark(remark.getLocation()) << what << rest;
  }
};
} // namespace

static int fail(const Twine &message) {
  llvm::errs() << "tilec: error: " << message << "\n";
  return 1;
}

static int run(const Options &options) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFileOrSTDIN(options.input, /*IsText=*/true);
  if (std::error_code code = file.getError())
    return fail("cannot read '" + options.input + "': " + code.message());
  StringRef source = (*file)->getBuffer();
  std::string fileName = options.input == "-" ? "<stdin>" : options.input.getValue();
  if (options.parameters) {
    for (const Parameter &parameter : listParameters(source))
      llvm::outs() << parameter.str() << "\n";
    return 0;
  }
  if (source.trim().empty())
    return fail("'" + fileName + "' is empty; expected a kernel file");
  if (source.contains('\0'))
    return fail("'" + fileName + "' is not text; expected a kernel file");

  StageTimes times;
  CompileOptions compileOptions;
  compileOptions.emit = options.kind;
  if (!options.arch.empty())
    compileOptions.targets.assign(options.arch.begin(), options.arch.end());
  compileOptions.definitions.assign(options.define.begin(), options.define.end());
  compileOptions.configurations.assign(options.config.begin(), options.config.end());
  compileOptions.nameSpace = options.nameSpace;
  compileOptions.sourceName = llvm::sys::path::filename(fileName).str();
  compileOptions.printAfter = options.printAfter;
  compileOptions.lineInfo = options.lineInfo;
  if (options.time)
    compileOptions.onStage = [&](StringRef stage, double seconds) { times.add(stage, seconds); };
  if (options.verbose)
    compileOptions.onProgress = [](const Twine &line) { llvm::errs() << "tilec: " << line << "\n"; };

  DialectRegistry registry;
  registerCompiler(registry);
  // One kernel at a time is compiled faster without a pool of threads.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  printDiagnostics(context, "tilec", options.remarks || options.verbose);
  if (options.remarks || options.verbose) {
    remark::RemarkCategories categories;
    categories.missed = categories.failed = categories.analysis = ".*";
    if (options.verbose)
      categories.passed = ".*";
    if (failed(remark::enableOptimizationRemarks(context, std::make_unique<RemarksAsDiagnostics>(),
                                                 std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
      return 1;
  }
  FailureOr<std::string> result = compile(source, fileName, compileOptions, context);
  if (options.time)
    times.print();
  if (failed(result))
    return 1;
  // Written whole or not at all.
  std::error_code code;
  llvm::ToolOutputFile out(options.output, code, llvm::sys::fs::OF_None);
  if (code)
    return fail("cannot write '" + options.output + "': " + code.message());
  out.os() << *result;
  out.os().flush();
  if (std::error_code code = out.os().error()) {
    out.os().clear_error();
    return fail("cannot write '" + options.output + "': " + code.message());
  }
  out.keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's libraries register hundreds of options for their developers, some under our names; users see ours only.
  llvm::cl::ResetCommandLineParser();
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return error.empty() ? 1 : fail(error);
  return run(options);
}
