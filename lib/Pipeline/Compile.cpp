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
    if (call.getIntrin().contains(".mma.block.scale."))
      for (const BlockScaledMma &mma : target.blockScaledMmas)
        if (call.getIntrin().contains(("." + Twine(mma.kind) + ".").str()))
          version = std::max(version, mma.ptxVersion);
  });
  return version;
}

LogicalResult Compilation::translate() {
  PtxOptions ptxOptions;
  ptxOptions.chip = target.name;
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
    ptxasOptions.chip = target.name;
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
  result.arch = target.name;
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
  if (!module || failed(verifyTilesInKernels(*module)))
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

/// One configuration of a header: definitions on top of the command line's, and when it applies.
struct Configuration {
  std::vector<std::string> definitions;
  std::string predicate;
};

static Configuration readConfiguration(StringRef text, ArrayRef<std::string> base) {
  Configuration result;
  auto [names, predicate] = text.split(" if ");
  result.predicate = predicate.trim().str();
  SmallVector<StringRef> parts;
  names.split(parts, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    result.definitions.push_back(part.str());
  // The configuration's own value wins over the command line's.
  for (const std::string &definition : base) {
    StringRef name = StringRef(definition).split('=').first;
    if (llvm::none_of(parts, [&](StringRef part) { return part.split('=').first == name; }))
      result.definitions.push_back(definition);
  }
  return result;
}

/// Replaces parameters and parses, with diagnostics.
static OwningOpRef<ModuleOp> parseConfiguration(StringRef source, StringRef fileName, ArrayRef<std::string> definitions,
                                                const CompileOptions &options, MLIRContext &context,
                                                std::string &text) {
  ParameterError error;
  FailureOr<std::string> replaced = overrideParameters(source, definitions, error);
  if (failed(replaced)) {
    emitError(FileLineColLoc::get(&context, fileName, error.line, error.column)) << error.message;
    return {};
  }
  text = *replaced;
  OwningOpRef<ModuleOp> module;
  (void)timed(options, "parse", [&] {
    module = parse(text, fileName, context);
    return success();
  });
  return module;
}

/// Compiles one configuration for all targets into interfaces of one configuration each.
static FailureOr<std::vector<KernelInterface>> compileForHost(ModuleOp parsed, StringRef text,
                                                              const Configuration &configuration,
                                                              ArrayRef<const Target *> targets,
                                                              const CompileOptions &options, MLIRContext &context) {
  std::vector<KernelInterface> result;
  for (const Target *target : targets) {
    Compilation compilation(options, *target, context);
    if (failed(compilation.plan(parsed)))
      return failure();
    auto described = describeKernels(*compilation.module);
    if (failed(described) || failed(compilation.convert()) || failed(compilation.checkPrintAfter()) ||
        failed(compilation.translate()) || (options.assemble && failed(compilation.assemble(/*required=*/false))))
      return failure();
    if (result.empty())
      for (auto &[interface, variants] : *described) {
        KernelConfiguration &own = result.emplace_back(interface).configurations.front();
        own.predicate = configuration.predicate;
        for (const Parameter &parameter : listParameters(text))
          own.parameters.push_back({parameter.name, parameter.value});
      }
    for (auto &&[interface, one] : llvm::zip_equal(result, *described))
      interface.configurations.front().images.push_back(compilation.image(one.second));
  }
  return result;
}

/// Whether the launcher would have the same arguments.
static bool sameArguments(const KernelInterface &a, const KernelInterface &b) {
  return a.arguments.size() == b.arguments.size() &&
         llvm::all_of(llvm::zip(a.arguments, b.arguments), [](auto pair) {
           const auto &[x, y] = pair;
           return x.name == y.name && x.kind == y.kind && x.elementType == y.elementType && x.dead == y.dead &&
                  x.extents == y.extents && x.strides == y.strides;
         });
}

static FailureOr<std::vector<KernelInterface>> compileForHost(StringRef source, StringRef fileName,
                                                              ArrayRef<const Target *> targets,
                                                              const CompileOptions &options, MLIRContext &context) {
  std::vector<std::string> list = options.configurations;
  if (list.empty())
    list.push_back("");
  std::vector<KernelInterface> interfaces;
  for (const std::string &entry : list) {
    Configuration configuration = readConfiguration(entry, options.definitions);
    std::string text;
    OwningOpRef<ModuleOp> parsed =
        parseConfiguration(source, fileName, configuration.definitions, options, context, text);
    if (!parsed)
      return failure();
    FailureOr<std::vector<KernelInterface>> own =
        compileForHost(*parsed, text, configuration, targets, options, context);
    if (failed(own))
      return failure();
    if (interfaces.empty()) {
      interfaces = *own;
      continue;
    }
    for (auto &&[interface, other] : llvm::zip_equal(interfaces, *own)) {
      if (!sameArguments(interface, other))
        return emitError(FileLineColLoc::get(&context, fileName, 1, 1))
               << "configurations of kernel '" << interface.name << "' differ in their arguments: '" << list.front()
               << "' and '" << entry << "'; put them into separate headers";
      interface.configurations.push_back(other.configurations.front());
    }
  }
  return interfaces;
}

/// The targets by their names, with diagnostics.
static FailureOr<SmallVector<const Target *>> findTargets(const CompileOptions &options, MLIRContext &context) {
  SmallVector<const Target *> targets;
  for (const std::string &name : options.targets) {
    if (llvm::count(options.targets, name) > 1)
      return emitError(UnknownLoc::get(&context)) << "target '" << name << "' is given twice";
    targets.push_back(lookupTarget(name));
    if (!targets.back())
      return emitError(UnknownLoc::get(&context)) << "unknown target '" << name << "'; expected one of "
                                                  << targetNames();
  }
  return targets;
}

FailureOr<std::vector<KernelInterface>> tile::compileKernels(StringRef source, StringRef fileName,
                                                             const CompileOptions &options, MLIRContext &context) {
  context.printOpOnDiagnostic(false);
  FailureOr<SmallVector<const Target *>> targets = findTargets(options, context);
  if (failed(targets))
    return failure();
  return compileForHost(source, fileName, *targets, options, context);
}

static FailureOr<std::string> emitForHost(StringRef source, StringRef fileName, ArrayRef<const Target *> targets,
                                          const CompileOptions &options, MLIRContext &context) {
  FailureOr<std::vector<KernelInterface>> interfaces =
      compileForHost(source, fileName, targets, options, context);
  if (failed(interfaces))
    return failure();
  llvm::Expected<std::string> text = "";
  if (options.emit == Emit::Header) {
    HeaderOptions header;
    header.nameSpace = options.nameSpace;
    header.source = options.sourceName;
    text = emitLaunchHeader(*interfaces, header);
  } else {
    SidecarOptions sidecar;
    sidecar.source = options.sourceName;
    text = emitSidecar(*interfaces, sidecar);
  }
  if (!text)
    return emitError(UnknownLoc::get(&context)) << llvm::toString(text.takeError());
  return *text;
}

FailureOr<std::string> tile::compile(StringRef source, StringRef fileName, const CompileOptions &options,
                                     MLIRContext &context) {
  // Diagnostics speak of the user's text; the printed form of ops inside the compiler would bury that.
  context.printOpOnDiagnostic(false);
  FailureOr<SmallVector<const Target *>> found = findTargets(options, context);
  if (failed(found))
    return failure();
  ArrayRef<const Target *> targets = *found;
  if (options.emit == Emit::Header || options.emit == Emit::Json)
    return emitForHost(source, fileName, targets, options, context);
  if (targets.size() != 1)
    return emitError(UnknownLoc::get(&context))
           << "expected one target, found " << targets.size() << "; only a header or a sidecar holds several";
  if (!options.configurations.empty())
    return emitError(UnknownLoc::get(&context))
           << "expected no configurations, found " << options.configurations.size()
           << "; only a header or a sidecar holds them; use -D";

  std::string text;
  OwningOpRef<ModuleOp> parsed =
      parseConfiguration(source, fileName, options.definitions, options, context, text);
  if (!parsed)
    return failure();
  if (options.emit == Emit::Tile)
    return print(*parsed);
  Compilation compilation(options, *targets.front(), context);
  if (failed(compilation.plan(*parsed)))
    return failure();
  if (options.emit == Emit::Planned) {
    if (failed(compilation.checkPrintAfter()))
      return failure();
    return print(*compilation.module);
  }
  if (failed(compilation.convert()) || failed(compilation.checkPrintAfter()))
    return failure();
  if (options.emit == Emit::NVVM)
    return print(*compilation.module);
  if (failed(compilation.translate()))
    return failure();
  if (options.emit == Emit::LLVM)
    return compilation.llvmIR;
  if (options.emit == Emit::PTX)
    return compilation.ptx;
  if (failed(compilation.assemble(/*required=*/true)))
    return failure();
  return compilation.cubin;
}
