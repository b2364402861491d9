// From the LLVM dialect to PTX. Everything here is on the critical path of every run of tilec, so each pass has to earn
// its place; the list below says how. LLVM reports trouble in three ways (return values, its context's diagnostic
// handler, fatal errors that end the process); all three become one MLIR diagnostic.
#include "lib/Codegen/Ptx.h"
#include "lib/Codegen/Libdevice.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>
#include <mutex>

using namespace mlir;
using namespace mlir::tile;

namespace {
/// One pass of our list, by its name in LLVM's pass pipeline language, and why it is there.
struct ListedPass {
  const char *name;
  const char *reason;
};
} // namespace

/// Module passes, before the function passes.
static constexpr ListedPass modulePasses[] = {
    {"always-inline", "device functions and libdevice become part of the kernel; calls cost registers and ABI moves"},
    {"globaldce", "libdevice functions that were inlined everywhere would otherwise be emitted"},
};

/// Function passes, in this order, over every function. Left out on purpose: jump-threading (duplicates convergent
/// barriers), slp-vectorizer and loop-vectorize (lanes are our layouts' business; ptxas has refused the result),
/// loop-unroll (the tile passes unroll, with knowledge of the stages), and the passes that NVPTX's code generator runs
/// by itself (separate-const-offset-from-gep, slsr, early-cse, nary-reassociate, loop-reduce, load-store-vectorizer).
static constexpr ListedPass functionPasses[] = {
    {"sroa", "structs of registers, which carry tiles through control flow, become scalars"},
    {"early-cse<memssa>", "the lowering repeats index arithmetic per element; removes repeats before they cost time"},
    {"instcombine<no-verify-fixpoint>", "folds the insert/extract, cast and shift chains of layout arithmetic"},
    {"simplifycfg", "merges straight-line blocks that scf.if and folded conditions leave"},
    {"loop-simplify", "gives loops the preheader that licm needs"},
    {"lcssa", "the form in which licm may move values out"},
    {"loop-mssa(licm<allowspeculation>)", "addresses and masks that do not change in the k loop leave it"},
    {"gvn<no-pre;no-load-pre;memdep>", "removes the repeats across blocks that licm brought together"},
    {"infer-address-spaces", "generic pointers that come from shared or global ones become ld.shared, ld.global"},
    {"instcombine<no-verify-fixpoint>", "cleans up what licm, gvn and address spaces exposed"},
    {"adce", "loop-carried values that nothing reads any more"},
    {"simplifycfg", "blocks that the passes before emptied"},
};

/// Passes that NVPTX's code generator adds by itself and that we skip, by the names that they are registered under.
static constexpr ListedPass skippedBackendPasses[] = {
    {"slsr", "grows faster than the loop-carried values do (four fifths of the back end's time on a GEMM) and changes "
             "nothing: offsets that carry nsw are split off by separate-const-offset-from-gep"},
    {"nary-reassociate", "as slsr, without which it takes that time itself"},
    {"load-store-vectorizer", "the lowering has chosen the width of every access"},
};

namespace {
/// Skips skippedBackendPasses. LLVM made the gate for bisecting; it is the one switch that is not process-wide.
class BackendPassGate : public llvm::OptPassGate {
public:
  bool shouldRunPass(StringRef passName, StringRef) const override {
    return llvm::none_of(skippedBackendPasses, [&](const ListedPass &pass) { return passName == pass.name; });
  }
  bool isEnabled() const override { return true; }
};

/// Turns what LLVM says into MLIR diagnostics at `fallback`, or at the source line if LLVM knows it.
class MlirDiagnosticHandler : public llvm::DiagnosticHandler {
public:
  MlirDiagnosticHandler(Location fallback, bool &sawError) : fallback(fallback), sawError(sawError) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    Location location = locationOf(info);
    switch (info.getSeverity()) {
    case llvm::DS_Error:
      sawError = true;
      emitError(location) << "LLVM: " << text;
      break;
    case llvm::DS_Warning:
      emitWarning(location) << "LLVM: " << text;
      break;
    case llvm::DS_Remark:
    case llvm::DS_Note:
      break; // LLVM's optimisation remarks speak of LLVM IR that the user never wrote.
    }
    return true;
  }

private:
  Location locationOf(const llvm::DiagnosticInfo &info) const {
    // The one kind with a location that the NVPTX back end raises; the base class has no `classof`.
    const auto *located = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info);
    if (!located || !located->isLocationAvailable())
      return fallback;
    StringRef file;
    unsigned line = 0, column = 0;
    located->getLocation(file, line, column);
    return FileLineColLoc::get(fallback.getContext(), file, line, column);
  }

  Location fallback;
  bool &sawError;
};

/// Measures one stage and reports it when it goes out of scope.
class StageTimer {
public:
  StageTimer(const PtxOptions &options, StringRef stage)
      : options(options), stage(stage), start(std::chrono::steady_clock::now()) {}
  ~StageTimer() {
    if (options.onStage)
      options.onStage(stage, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

private:
  const PtxOptions &options;
  StringRef stage;
  std::chrono::steady_clock::time_point start;
};

/// What a fatal error inside LLVM said; filled by the handler that guarded() installs.
struct FatalError {
  std::string message;
};
} // namespace

static void onFatalError(void *data, const char *reason, bool) {
  static_cast<FatalError *>(data)->message = reason;
  // Jumps back into guarded(); without it LLVM would end the process after this handler returns.
  if (llvm::CrashRecoveryContext *context = llvm::CrashRecoveryContext::GetCurrent())
    context->HandleExit(1);
}

/// Runs `work`, which calls into LLVM; a fatal error or a crash there becomes a diagnostic. Whatever `work` left half
/// done must be leaked by the caller then, since destructors could meet a broken state.
static LogicalResult guarded(Location location, StringRef stage, llvm::function_ref<void()> work) {
  // Fatal error handler and signal handlers are process-wide, so one guarded section at a time.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  FatalError fatal;
  llvm::CrashRecoveryContext::Enable();
  bool ok;
  {
    llvm::ScopedFatalErrorHandler handler(onFatalError, &fatal);
    ok = llvm::CrashRecoveryContext().RunSafely(work);
  }
  llvm::CrashRecoveryContext::Disable();
  if (ok)
    return success();
  StringRef reason = StringRef(fatal.message).trim();
  return emitError(location) << "LLVM failed in " << stage << ": " << (reason.empty() ? "internal crash" : reason);
}

static std::unique_ptr<llvm::TargetMachine> createTargetMachine(Location location, const PtxOptions &options) {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    emitError(location) << "this LLVM has no NVPTX back end: " << error;
    return nullptr;
  }
  std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(options.chip)) {
    emitError(location) << "LLVM knows no processor '" << options.chip << "'";
    return nullptr;
  }
  llvm::TargetOptions targetOptions;
  // Multiplications and additions fuse only where the IR says `contract`.
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  std::string features = "+ptx" + std::to_string(options.isaVersion);
  bool knownVersion = llvm::any_of(known->getAllProcessorFeatures(), [&](const llvm::SubtargetFeatureKV &feature) {
    return feature.Key == StringRef(features).drop_front();
  });
  if (!knownVersion) {
    emitError(location) << "LLVM knows no PTX ISA version " << options.isaVersion / 10 << "."
                        << options.isaVersion % 10;
    return nullptr;
  }
  llvm::TargetMachine *machine = nullptr;
  // A version that is too old for the processor is a fatal error in there.
  LogicalResult result = guarded(location, "the choice of the processor", [&] {
    machine = target->createTargetMachine(
        triple, options.chip, features, targetOptions, llvm::Reloc::PIC_, std::nullopt,
        options.optimizationLevel == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default);
  });
  return std::unique_ptr<llvm::TargetMachine>(succeeded(result) ? machine : nullptr);
}

void tile::registerPtxTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// The pass list in LLVM's pipeline language.
static std::string pipelineText() {
  std::string text;
  for (const ListedPass &pass : modulePasses)
    text += std::string(pass.name) + ",";
  text += "function(";
  for (const ListedPass &pass : functionPasses)
    text += std::string(pass.name) + ",";
  text.back() = ')';
  return text;
}

static llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  // NVPTX's own start: nvvm-reflect, through which libdevice asks for the architecture and for FTZ, and the ranges of
  // the thread and block registers. By this hook and not by name, since it knows the processor.
  builder.invokePipelineStartEPCallbacks(passes, llvm::OptimizationLevel::O2);
  if (llvm::Error error = builder.parsePassPipeline(passes, pipelineText()))
    return error;
  passes.run(module, modules);
  return llvm::Error::success();
}

/// Device functions other than kernels are inlined, whoever wrote them: GPU calls go through memory.
static void markForInlining(llvm::Module &module, bool flushDenormals) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (flushDenormals)
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    bool kernel = function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
    if (kernel || function.hasFnAttribute(llvm::Attribute::NoInline) ||
        function.hasFnAttribute(llvm::Attribute::OptimizeNone))
      continue;
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    if (!function.hasLocalLinkage())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

static LogicalResult prepareModule(ModuleOp module, const llvm::TargetMachine &machine, const PtxOptions &options) {
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerPtxTranslations(registry);
  context->appendDialectRegistry(registry);
  // Without it the translation takes LLVM's default layout, in which i64 is aligned to 4 bytes only.
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(context, machine.createDataLayout().getStringRepresentation()));
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  StringAttr::get(context, machine.getTargetTriple().str()));
  if (!options.lineInfo)
    return success();
  PassManager passes(context);
  LLVM::DIScopeForLLVMFuncOpPassOptions scope;
  scope.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scope));
  return passes.run(module);
}

namespace {
/// LLVM's side of the translation: the context and module, which are leaked if LLVM failed half-way.
struct LlvmState {
  LlvmState() { context->setOptPassGate(gate); }
  BackendPassGate gate;
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;

  LogicalResult abandon() {
    (void)module.release();
    (void)context.release();
    (void)machine.release();
    return failure();
  }
};
} // namespace

static LogicalResult translateToLlvm(ModuleOp module, LlvmState &state, const PtxOptions &options) {
  StageTimer timer(options, "llvm-translate");
  Location location = module.getLoc();
  if (failed(prepareModule(module, *state.machine, options)))
    return failure();
  // Its own verification would print to standard error.
  LogicalResult result = guarded(location, "the translation to LLVM IR", [&] {
    state.module = translateModuleToLLVMIR(module, *state.context, module.getName().value_or("tilec"),
                                           /*disableVerification=*/true);
  });
  if (failed(result))
    return state.abandon();
  if (!state.module)
    return failure(); // It said why, at the operation.
  state.module->setDataLayout(state.machine->createDataLayout());
  state.module->setTargetTriple(state.machine->getTargetTriple());
  if (!options.lineInfo)
    llvm::StripDebugInfo(*state.module);
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  if (llvm::verifyModule(*state.module, &stream))
    return emitError(location) << "LLVM refuses the translated module: " << StringRef(complaint).trim();
  return success();
}

static LogicalResult linkNeededLibdevice(Location location, LlvmState &state, const PtxOptions &options) {
  std::string needed = undefinedLibdeviceFunction(*state.module);
  if (needed.empty())
    return success();
  StageTimer timer(options, "llvm-libdevice");
  std::string path = options.libdevicePath;
  if (path.empty()) {
    llvm::Expected<std::string> found = findLibdevice();
    if (!found)
      return emitError(location) << "'" << needed << "' needs libdevice: " << llvm::toString(found.takeError());
    path = *found;
  }
  if (llvm::Error error = linkLibdevice(*state.module, path, options.flushDenormals))
    return emitError(location) << llvm::toString(std::move(error));
  return success();
}

static LogicalResult optimizeModule(Location location, LlvmState &state, const PtxOptions &options) {
  if (options.optimizationLevel == 0)
    return success();
  StageTimer timer(options, "llvm-optimize");
  std::string refusal;
  markForInlining(*state.module, options.flushDenormals);
  LogicalResult result = guarded(location, "optimisation", [&] {
    if (llvm::Error error = optimize(*state.module, *state.machine))
      refusal = llvm::toString(std::move(error));
  });
  if (failed(result))
    return state.abandon();
  if (!refusal.empty())
    return emitError(location) << "LLVM refuses the pass list: " << refusal;
  return success();
}

/// The back end marks the begin and end of each inline text by a comment line: 13 to 20 % of the lines of a microscaled
/// product. Nobody reads those, and every header would carry them.
static std::string withoutMarks(StringRef text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    size_t end = text.find('\n');
    StringRef line = text.take_front(end == StringRef::npos ? text.size() : end + 1);
    text = text.drop_front(line.size());
    StringRef words = line.trim();
    if (words != "// begin inline asm" && words != "// end inline asm")
      result += line;
  }
  return result;
}

static LogicalResult emitPtx(Location location, LlvmState &state, const PtxOptions &options, std::string &ptx) {
  StageTimer timer(options, "llvm-codegen");
  SmallString<0> text;
  bool refused = false;
  LogicalResult result = guarded(location, "code generation", [&] {
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    refused = state.machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                                 /*DisableVerify=*/true);
    if (!refused)
      passes.run(*state.module);
  });
  if (failed(result))
    return state.abandon();
  if (refused)
    return emitError(location) << "LLVM's back end cannot emit PTX text";
  ptx = withoutMarks(text);
  return success();
}

FailureOr<std::string> tile::translateToPtx(ModuleOp module, const PtxOptions &options) {
  Location location = module.getLoc();
  LlvmState state;
  bool sawError = false;
  state.machine = createTargetMachine(location, options);
  if (!state.machine)
    return failure();
  state.context->setDiagnosticHandler(std::make_unique<MlirDiagnosticHandler>(location, sawError));
  if (failed(translateToLlvm(module, state, options)) || failed(linkNeededLibdevice(location, state, options)) ||
      failed(optimizeModule(location, state, options)))
    return failure();
  if (options.llvmIR) {
    options.llvmIR->clear();
    llvm::raw_string_ostream stream(*options.llvmIR);
    state.module->print(stream, nullptr);
  }
  std::string ptx;
  if (failed(emitPtx(location, state, options, ptx)) || sawError)
    return failure();
  return ptx;
}
