// The compiler's command line.
#include "lib/Pipeline/Compile.h"
#include "lib/Pipeline/Parameters.h"
#include "lib/Target/Target.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::tile;
namespace cl = llvm::cl;

namespace {
/// The options of one run; no globals, and `--help` shows these only.
struct Options {
  cl::OptionCategory category{"Options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("kernel.mlir (- is standard input)"), cl::Required,
                             cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("Output; its suffix chooses what is made: .ptx .cubin .h .ll .mlir .json"),
                              cl::value_desc("file"), cl::init("-"), cl::cat(category)};
  cl::list<std::string> arch{"arch", cl::CommaSeparated, cl::value_desc("targets"), cl::cat(category),
                             cl::desc("sm_80 (default), sm_89, sm_90a, sm_100a, sm_120a; several for .h and .json")};
  cl::list<std::string> define{"D", cl::Prefix, cl::value_desc("NAME=VALUE"), cl::cat(category),
                               cl::desc("Sets a parameter of the file, such as BM=64 or T=f16")};
  cl::list<std::string> config{"config", cl::value_desc("NAME=VALUE … [if PREDICATE]"), cl::cat(category),
                               cl::desc("A configuration of a header, tried in order at launch; several")};
  cl::opt<std::string> emit{"emit", cl::value_desc("what"), cl::cat(category),
                            cl::desc("tile, planned, nvvm, llvm, ptx, cubin, header or json; wins over the suffix")};
  cl::opt<std::string> nameSpace{"namespace", cl::value_desc("ns"), cl::cat(category),
                                 cl::desc("C++ namespace around the header's kernels")};
  cl::opt<bool> remarks{"remarks", cl::cat(category), cl::desc("Show what was not optimised and why")};
  cl::opt<bool> time{"time", cl::cat(category), cl::desc("Show the time of each stage, and LLVM's share")};
  cl::opt<bool> verbose{"v", cl::cat(category), cl::desc("Say what is done")};
  cl::opt<bool> lineInfo{"line-info", cl::cat(category), cl::desc("Lead from PTX to source lines (.loc)")};
  cl::opt<bool> parameters{"parameters", cl::cat(category), cl::desc("List the file's parameters and stop")};
  cl::opt<std::string> printAfter{"print-after", cl::value_desc("pass"), cl::cat(category),
                                  cl::desc("Print the IR after a pass, e.g. tile-stage, to standard error")};
};

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
} // namespace

static int fail(const Twine &message) {
  llvm::errs() << "tilec: error: " << message << "\n";
  return 1;
}

/// What to emit, from --emit or the output's suffix.
static std::optional<Emit> chooseEmit(const Options &options, std::string &error) {
  struct Kind {
    StringRef name, suffix;
    Emit emit;
  };
  static constexpr Kind kinds[] = {
      {"tile", "", Emit::Tile},       {"planned", ".mlir", Emit::Planned}, {"nvvm", "", Emit::NVVM},
      {"llvm", ".ll", Emit::LLVM},    {"ptx", ".ptx", Emit::PTX},          {"cubin", ".cubin", Emit::Cubin},
      {"header", ".h", Emit::Header}, {"json", ".json", Emit::Json}};
  if (!options.emit.empty()) {
    for (const Kind &kind : kinds)
      if (kind.name == options.emit)
        return kind.emit;
    error = "unknown --emit '" + options.emit +
            "'; expected tile, planned, nvvm, llvm, ptx, cubin, header or json";
    return std::nullopt;
  }
  if (options.output == "-")
    return Emit::PTX;
  StringRef suffix = llvm::sys::path::extension(options.output);
  for (const Kind &kind : kinds)
    if (!kind.suffix.empty() && kind.suffix == suffix)
      return kind.emit;
  error = "cannot tell from '" + options.output +
          "' what to make; expected a name that ends in .ptx, .cubin, .h, .ll, .mlir or .json, or --emit";
  return std::nullopt;
}

/// One line per diagnostic: file, position, kind and text; the source line stays out of it. Remarks only on demand.
static void printDiagnostic(const Diagnostic &diagnostic, bool remarks) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark && !remarks)
    return;
  static constexpr StringRef kinds[] = {"note", "warning", "error", "remark"};
  auto show = [](const Diagnostic &one) {
    if (auto place = one.getLocation()->findInstanceOf<FileLineColLoc>())
      llvm::errs() << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn() << ": ";
    else
      llvm::errs() << "tilec: ";
    llvm::errs() << kinds[static_cast<int>(one.getSeverity())] << ": " << one.str() << "\n";
  };
  show(diagnostic);
  for (const Diagnostic &note : diagnostic.getNotes())
    show(note);
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

  std::string error;
  std::optional<Emit> emit = chooseEmit(options, error);
  if (!emit)
    return fail(error);
  StageTimes times;
  CompileOptions compileOptions;
  compileOptions.emit = *emit;
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
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    printDiagnostic(diagnostic, options.remarks || options.verbose);
    return success();
  });
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
  if (out.os().has_error())
    return fail("cannot write '" + options.output + "': " + out.os().error().message());
  out.keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's libraries register hundreds of options for their developers, some under our names; users see ours only.
  cl::ResetCommandLineParser();
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "tilec: tile-level kernels to PTX and a C++ launch header\n");
  return run(options);
}
