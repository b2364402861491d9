// Prints register, shared and scale layouts, and what moving tiles between them costs.
#include "lib/Pipeline/Compile.h"
#include "lib/Pipeline/Diagnostics.h"
#include "lib/Pipeline/Parameters.h"
#include "lib/Pipeline/Pipeline.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tools/tile-layout/Options.h"
#include "tools/tile-layout/Tables.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tile;

/// Exit statuses.
enum { Printed = 0, WrongInput = 1, BadUse = 2 };

static int fail(const Twine &message, int status = BadUse) {
  llvm::errs() << "tile-layout: error: " << message << "\n";
  return status;
}

//===----------------------------------------------------------------------===//
// Kernel files
//===----------------------------------------------------------------------===//

/// The module of a file, planned, with the places of the source; null where that has been diagnosed.
static OwningOpRef<ModuleOp> planFile(StringRef source, StringRef fileName, const Options &options,
                                      MLIRContext &context) {
  // The compiler's own checks first, with its messages; the text that it prints has no places, so it is parsed again.
  CompileOptions compileOptions;
  compileOptions.emit = Emit::Tile;
  compileOptions.definitions.assign(options.define.begin(), options.define.end());
  if (failed(compile(source, fileName, compileOptions, context)))
    return {};
  ParameterError ignored;
  FailureOr<std::string> text = overrideParameters(source, compileOptions.definitions, ignored);
  if (failed(text))
    return {};
  llvm::SourceMgr manager;
  manager.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(*text, fileName), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(manager, ParserConfig(&context));
  if (!module)
    return {};
  if (auto planned = (*module)->getAttrOfType<StringAttr>("tile.target")) {
    if (options.arch.empty() || options.arch == planned.getValue())
      return module;
    fail("'" + fileName + "' is planned for " + planned.getValue() + " already; expected no --arch " + options.arch);
    return {};
  }
  (*module)->setAttr("tile.target",
                     StringAttr::get(&context, options.arch.empty() ? "sm_80" : options.arch.getValue()));
  PassManager passes(&context);
  buildPlanningPipeline(passes);
  if (failed(passes.run(*module)))
    return {};
  return module;
}

static int reportFile(const Options &options, MLIRContext &context) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFileOrSTDIN(options.input, /*IsText=*/true);
  if (std::error_code code = file.getError())
    return fail("cannot read '" + options.input + "': " + code.message());
  StringRef source = (*file)->getBuffer();
  std::string fileName = options.input == "-" ? "<stdin>" : options.input.getValue();
  if (source.trim().empty() || source.contains('\0'))
    return fail("'" + fileName + "' is " + (source.contains('\0') ? "not text" : "empty") + "; expected a kernel file",
                WrongInput);
  OwningOpRef<ModuleOp> module = planFile(source, fileName, options, context);
  if (!module)
    return WrongInput;

  StringRef name = (*module)->getAttrOfType<StringAttr>("tile.target").getValue();
  const Target *target = lookupTarget(name);
  if (!target)
    return fail("'" + fileName + "' is planned for the unknown target '" + name + "'; expected one of " + targetNames(),
                WrongInput);
  std::vector<KernelReport> reports;
  std::vector<std::string> names;
  for (KernelOp kernel : module->getOps<KernelOp>()) {
    names.push_back(kernel.getSymName().str());
    if (options.kernel.empty() || options.kernel == kernel.getSymName())
      reports.push_back(surveyKernel(kernel, *target));
  }
  if (reports.empty())
    return fail("no kernel '" + options.kernel + "'; the file has " + llvm::join(names, ", "));
  if (options.isJson) {
    printJson(reports, options.full, llvm::outs());
    return Printed;
  }
  for (const KernelReport &report : reports) {
    if (&report != &reports.front())
      llvm::outs() << "\n";
    printText(report, options.full, llvm::outs());
  }
  return Printed;
}

//===----------------------------------------------------------------------===//
// Layouts from the command line
//===----------------------------------------------------------------------===//

namespace {
/// Keeps the first error of the parser or of a verifier.
class FirstError {
public:
  explicit FirstError(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (text.empty())
            text = diagnostic.str();
          return success();
        }) {}
  std::string text;

private:
  ScopedDiagnosticHandler handler;
};
} // namespace

template <typename Attr> static Attr parseAs(StringRef text, MLIRContext &context) {
  return dyn_cast_or_null<Attr>(parseAttribute(text, &context));
}

static int reportLayouts(const Options &options, MLIRContext &context) {
  FirstError said(context);
  auto wrong = [&](const Twine &option, const Twine &expected) {
    return fail(option + ": " + (said.text.empty() ? expected.str() : said.text));
  };
  auto emitError = [&]() { return mlir::emitError(UnknownLoc::get(&context)); };
  Type element = parseType(options.type, &context);
  if (!element || !isElementType(element))
    return fail("--type " + options.type + ": expected one of " + elementTypeNames());

  KernelReport report;
  TileType tile;
  SharedType buffer;
  if (!options.layout.empty()) {
    auto layout = parseAs<LayoutAttr>(options.layout, context);
    if (layout)
      tile = TileType::getChecked(emitError, &context, ArrayRef<int64_t>(options.extents), element, layout);
    if (!tile)
      return wrong("--layout", "expected #tile.layout<…>");
    report.addTile(tile, "", "");
  }
  if (!options.shared.empty()) {
    auto swizzle = parseAs<SwizzleAttr>(options.shared, context);
    if (swizzle)
      buffer = SharedType::getChecked(emitError, &context, ArrayRef<int64_t>(options.extents), element, swizzle);
    if (!buffer)
      return wrong("--shared", "expected #tile.swizzle<…>");
    report.addBuffer(buffer, "", "");
  }
  if (tile && buffer) {
    SmallVector<int64_t> begin(options.extents.size());
    const Target *target = lookupTarget(options.arch.empty() ? "sm_80" : options.arch.getValue());
    assert(target && "the options were checked");
    for (bool isStore : {false, true}) {
      if (isStore && memoryBits(element) < 8)
        continue; // copies alone fill packed buffers
      AccessEntry entry;
      entry.op = isStore ? "tile.shared_store" : "tile.shared_load";
      entry.tile = entry.buffer = 0;
      entry.access = isStore ? describeSharedStore(tile, buffer) : describeSharedLoad(tile, buffer, begin, *target);
      report.addAccess(std::move(entry));
    }
  }
  if (options.isJson)
    printJson(report, options.full, llvm::outs());
  else
    printText(report, options.full, llvm::outs());
  return Printed;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's libraries register hundreds of options for their developers, some under our names; users see ours only.
  llvm::cl::ResetCommandLineParser();
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return error.empty() ? int(BadUse) : fail(error);
  if (!options.scales.empty()) {
    std::optional<ScaleMatrix> scales =
        ScaleMatrix::create(options.scaleOrder, options.extents[0], options.extents[1], &error);
    if (!scales)
      return fail("--shape " + options.shape + ": " + error);
    printScales(*scales, options.full, options.isJson, llvm::outs());
    return Printed;
  }
  DialectRegistry registry;
  registerCompiler(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  context.loadAllAvailableDialects();
  if (options.input.empty())
    return reportLayouts(options, context);
  printDiagnostics(context, "tile-layout", /*remarks=*/false);
  return reportFile(options, context);
}
