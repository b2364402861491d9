// The driver: parameters are overridden in the text, the text is parsed once, and each target gets a copy of the module.
#include "lib/Pipeline/Compile.h"
#include "dialect/Tile.h"
#include "lib/Codegen/LaunchHeader.h"
#include "lib/Codegen/Ptx.h"
#include "lib/Codegen/Ptxas.h"
#include "lib/Codegen/Sidecar.h"
#include "lib/Pipeline/DescribeKernels.h"
#include "lib/Pipeline/Parameters.h"
#include "lib/Pipeline/Pipeline.h"
#include "lib/Target/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

using namespace mlir;
using namespace mlir::tile;

void tile::registerCompiler(DialectRegistry &registry) {
  registry.insert<TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect, LLVM::LLVMDialect,
                  NVVM::NVVMDialect>();
  registerPtxTranslations(registry);
}

namespace {
/// One target's road through the compiler.
class Compilation {
public:
  Compilation(const CompileOptions &options, const Target &target, MLIRContext &context)
      : options(options), target(target), context(context) {}

  /// Plans a copy of the parsed module.
  LogicalResult plan(ModuleOp parsed);
  LogicalResult convert();
  /// An error where the pass after which the IR was to be printed is none of those that ran.
  LogicalResult checkPrintAfter();
  LogicalResult translate();
  /// Runs ptxas where it is at hand; `required` makes its absence an error.
  LogicalResult assemble(bool required);
  KernelImage image(std::vector<KernelVariant> variants) const;

  OwningOpRef<ModuleOp> module;
  std::string ptx, llvmIR, cubin;
  /// The names of the passes that ran, in order.
  llvm::SetVector<StringRef> passes;

private:
  LogicalResult run(void (*build)(OpPassManager &), StringRef stage);
  void report(const PtxasResult &result);

  const CompileOptions &options;
  const Target &target;
  MLIRContext &context;
  std::vector<KernelResources> resources;
};
} // namespace

/// Times `work` as a stage.
static LogicalResult timed(const CompileOptions &options, StringRef stage, function_ref<LogicalResult()> work) {
  auto begin = std::chrono::steady_clock::now();
  LogicalResult result = work();
  if (options.onStage)
    options.onStage(stage, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return result;
}

static void progress(const CompileOptions &options, const Twine &line) {
  if (options.onProgress)
    options.onProgress(line);
}

LogicalResult Compilation::run(void (*build)(OpPassManager &), StringRef stage) {
  return timed(options, stage, [&] {
    PassManager manager(&context);
    // Every pass of ours leaves valid IR, which its tests check; users need not pay for checking it again.
#ifdef NDEBUG
    manager.enableVerifier(false);
#endif
    build(manager);
    if (!options.printAfter.empty()) {
      context.disableMultithreading();
      manager.enableIRPrinting(
          [](Pass *, Operation *) { return false; },
          [&](Pass *pass, Operation *) {
            if (!pass->getArgument().empty())
              passes.insert(pass->getArgument());
            return pass->getArgument() == options.printAfter;
          },
          /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false);
    }
    return manager.run(*module);
  });
}

LogicalResult Compilation::plan(ModuleOp parsed) {
  module = parsed.clone();
  (*module)->setAttr("tile.target", StringAttr::get(&context, target.name));
  return run(buildPlanningPipeline, "plan");
}

LogicalResult Compilation::convert() { return run(buildConversionPipeline, "convert"); }

LogicalResult Compilation::checkPrintAfter() {
  if (options.printAfter.empty() || passes.contains(options.printAfter))
    return success();
  return emitError(UnknownLoc::get(&context))
         << "no pass '" << options.printAfter << "' has run; these have: " << llvm::join(passes, ", ");
}

/// The lowest PTX ISA version that the kernels' instructions need.
static unsigned ptxVersionFor(ModuleOp module, const Target &target) {
  unsigned version = target.ptxVersion;
  module.walk([&](LLVM::CallIntrinsicOp call) {
    if (call.getIntrin().contains(".e4m3.") || call.getIntrin().contains(".e5m2."))
      version = std::max(version, target.ptxVersionF8Mma);
  });
  return version;
}

LogicalResult Compilation::translate() {
  PtxOptions ptxOptions;
  ptxOptions.chip = target.name.str();
  ptxOptions.isaVersion = ptxVersionFor(*module, target);
  ptxOptions.optimizationLevel = options.optimizationLevel;
  ptxOptions.lineInfo = options.lineInfo;
  ptxOptions.onStage = options.onStage;
  if (options.emit == Emit::LLVM)
    ptxOptions.llvmIR = &llvmIR;
  FailureOr<std::string> text = translateToPtx(*module, ptxOptions);
  if (failed(text))
    return failure();
  ptx = *text;
  progress(options, Twine(target.name) + ": " + Twine(ptx.size()) + " bytes of PTX");
  return success();
}

/// Spills and numbered warnings are remarks at the kernel: slow, but right.
void Compilation::report(const PtxasResult &result) {
  for (const KernelResources &kernel : result.kernels) {
    progress(options, Twine(target.name) + ": " + kernel.name + " takes " + Twine(kernel.registers) + " registers");
    if (kernel.spills()) {
      Operation *function = SymbolTable::lookupSymbolIn(*module, kernel.name);
      emitRemark(function ? function->getLoc() : module->getLoc())
          << "kernel '" << kernel.name << "' spills " << kernel.spillStores << " bytes on " << target.name
          << "; smaller tiles or more warps need fewer registers";
    }
  }
  for (const PtxasWarning &warning : result.warnings)
    if (!warning.code.empty())
      emitRemark(module->getLoc()) << "ptxas for " << target.name << ": " << warning.code << ": " << warning.text;
}

LogicalResult Compilation::assemble(bool required) {
  return timed(options, "ptxas", [&]() -> LogicalResult {
    llvm::Expected<std::string> path = findPtxas();
    if (!path) {
      std::string reason = llvm::toString(path.takeError());
      if (required)
        return emitError(UnknownLoc::get(&context)) << reason;
      progress(options, "no cubin: " + reason);
      return success();
    }
    PtxasOptions ptxasOptions;
    ptxasOptions.chip = target.name.str();
    ptxasOptions.path = *path;
    ptxasOptions.lineInfo = options.lineInfo;
    llvm::Expected<PtxasResult> result = runPtxas(ptx, ptxasOptions);
    if (!result)
      return emitError(module->getLoc()) << llvm::toString(result.takeError());
    cubin = result->cubin;
    resources = result->kernels;
    report(*result);
    return success();
  });
}

KernelImage Compilation::image(std::vector<KernelVariant> variants) const {
  KernelImage result;
  result.arch = target.name.str();
  result.ptx = ptx;
  result.cubin.assign(cubin.begin(), cubin.end());
  result.ptxVersion = ptxVersionFor(*module, target);
  for (KernelVariant &variant : variants)
    for (const KernelResources &kernel : resources)
      if (kernel.name == variant.symbol) {
        variant.registers = kernel.registers;
        variant.spillBytes = kernel.spillStores + kernel.spillLoads;
      }
  result.variants = std::move(variants);
  return result;
}

/// MLIR's parser is recursive: text that nests without end would overflow the stack. An error from a depth on that no
/// kernel needs; brackets, and signs before signs, count.
static LogicalResult checkNesting(StringRef text, StringRef fileName, MLIRContext &context) {
  constexpr unsigned limit = 256;
  unsigned depth = 0, signs = 0, line = 1;
  size_t lineStart = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      continue;
    }
    if (c == '\n') {
      ++line;
      lineStart = i + 1;
    }
    if (text.substr(i).starts_with("->")) {
      ++i;
      continue;
    }
    if (StringRef("([{<").contains(c))
      ++depth;
    else if (StringRef(")]}>").contains(c))
      depth -= depth > 0;
    signs = c == '-' ? signs + 1 : llvm::isSpace(c) ? signs : 0;
    if (depth + signs > limit)
      return emitError(FileLineColLoc::get(&context, fileName, line, i - lineStart + 1))
             << "nested too deeply; expected at most " << limit << " levels";
  }
  return success();
}

/// Kernel names become names in PTX and in C++.
static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static OwningOpRef<ModuleOp> parse(StringRef text, StringRef fileName, MLIRContext &context) {
  if (failed(checkNesting(text, fileName, context)))
    return {};
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, fileName);
  llvm::SourceMgr manager;
  manager.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(manager, config);
  if (!module)
    return {};
  Location begin = FileLineColLoc::get(&context, fileName, 1, 1);
  (*module)->setLoc(begin);
  bool any = false;
  for (Operation &op : *module->getBody()) {
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      any = true;
      if (isIdentifier(kernel.getSymName()))
        continue;
      kernel.emitOpError("expects a name of letters, digits and '_', found '") << kernel.getSymName() << "'";
      return {};
    }
    op.emitOpError("is not allowed beside kernels; expected only 'tile.kernel' in a kernel file");
    return {};
  }
  if (!any) {
    emitError(begin) << "expected at least one 'tile.kernel', found none";
    return {};
  }
  return module;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << "\n";
  return text;
}

/// Header and sidecar: the images of all targets under one interface.
static FailureOr<std::string> emitForHost(std::vector<std::unique_ptr<Compilation>> &compilations,
                                          std::vector<std::vector<std::vector<KernelVariant>>> &variants,
                                          std::vector<KernelInterface> interfaces, const CompileOptions &options,
                                          StringRef source, MLIRContext &context) {
  for (auto [k, interface] : llvm::enumerate(interfaces)) {
    KernelConfiguration &configuration = interface.configurations.front();
    for (const Parameter &parameter : listParameters(source))
      configuration.parameters.push_back({parameter.name, parameter.value});
    for (auto [t, compilation] : llvm::enumerate(compilations))
      configuration.images.push_back(compilation->image(variants[t][k]));
  }
  llvm::Expected<std::string> text = "";
  if (options.emit == Emit::Header) {
    HeaderOptions header;
    header.nameSpace = options.nameSpace;
    header.source = options.sourceName;
    text = emitLaunchHeader(interfaces, header);
  } else {
    SidecarOptions sidecar;
    sidecar.source = options.sourceName;
    text = emitSidecar(interfaces, sidecar);
  }
  if (!text)
    return emitError(UnknownLoc::get(&context)) << llvm::toString(text.takeError());
  return *text;
}

FailureOr<std::string> tile::compile(StringRef source, StringRef fileName, const CompileOptions &options,
                                     MLIRContext &context) {
  std::vector<const Target *> targets;
  for (const std::string &name : options.targets) {
    if (llvm::count(options.targets, name) > 1)
      return emitError(UnknownLoc::get(&context)) << "target '" << name << "' is given twice";
    targets.push_back(lookupTarget(name));
    if (!targets.back())
      return emitError(UnknownLoc::get(&context)) << "unknown target '" << name << "'; expected one of "
                                                  << targetNames();
  }
  bool forHost = options.emit == Emit::Header || options.emit == Emit::Json;
  if (targets.size() != 1 && !forHost)
    return emitError(UnknownLoc::get(&context))
           << "expected one target, found " << targets.size() << "; only a header or a sidecar holds several";

  // Diagnostics speak of the user's text; the printed form of ops inside the compiler would bury that.
  context.printOpOnDiagnostic(false);
  ParameterError error;
  FailureOr<std::string> text = overrideParameters(source, options.definitions, error);
  if (failed(text))
    return emitError(FileLineColLoc::get(&context, fileName, error.line, error.column)) << error.message;
  OwningOpRef<ModuleOp> parsed;
  if (failed(timed(options, "parse", [&] {
        parsed = parse(*text, fileName, context);
        return LogicalResult::success(static_cast<bool>(parsed));
      })))
    return failure();
  if (options.emit == Emit::Tile)
    return print(*parsed);

  std::vector<std::unique_ptr<Compilation>> compilations;
  std::vector<std::vector<std::vector<KernelVariant>>> variants;
  std::vector<KernelInterface> interfaces;
  for (const Target *target : targets) {
    auto compilation = std::make_unique<Compilation>(options, *target, context);
    if (failed(compilation->plan(*parsed)))
      return failure();
    if (options.emit == Emit::Planned) {
      if (failed(compilation->checkPrintAfter()))
        return failure();
      return print(*compilation->module);
    }
    if (forHost) {
      auto described = describeKernels(*compilation->module);
      if (failed(described))
        return failure();
      auto &own = variants.emplace_back();
      interfaces.clear();
      for (auto &[interface, list] : *described) {
        interfaces.push_back(interface);
        own.push_back(list);
      }
    }
    if (failed(compilation->convert()) || failed(compilation->checkPrintAfter()))
      return failure();
    if (options.emit == Emit::NVVM)
      return print(*compilation->module);
    if (failed(compilation->translate()))
      return failure();
    if (options.emit == Emit::LLVM)
      return compilation->llvmIR;
    if (options.emit == Emit::PTX)
      return compilation->ptx;
    if (failed(compilation->assemble(/*required=*/options.emit == Emit::Cubin)))
      return failure();
    if (options.emit == Emit::Cubin)
      return compilation->cubin;
    compilations.push_back(std::move(compilation));
  }
  return emitForHost(compilations, variants, interfaces, options, *text, context);
}
