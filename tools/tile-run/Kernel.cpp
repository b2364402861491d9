// Three ways to a kernel: the compiler, a sidecar beside PTX text that it made, or PTX text alone.
#include "tools/tile-run/Kernel.h"
#include "lib/Codegen/SidecarReader.h"
#include "lib/Pipeline/Compile.h"
#include "lib/Pipeline/Diagnostics.h"
#include "lib/Simulator/Ptx/Module.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tilec;
using namespace tilec::run;
using llvm::StringRef;
using llvm::Twine;

static bool readText(const std::string &path, std::string &text, std::string &error) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (std::error_code code = file.getError()) {
    error = "cannot read '" + path + "': " + code.message();
    return false;
  }
  text = (*file)->getBuffer().str();
  if (StringRef(text).trim().empty() || StringRef(text).contains('\0')) {
    error = "'" + path + "' is " + (StringRef(text).trim().empty() ? "empty" : "not text") + "; expected a kernel file";
    return false;
  }
  return true;
}

static std::unique_ptr<ptx::Module> parsePtx(const std::string &path, const std::string &text, std::string &error) {
  ptx::Error where;
  std::unique_ptr<ptx::Module> module = ptx::parse(text, where);
  if (!module)
    error = (path + ":" + Twine(where.location.line) + ":" + Twine(where.location.column) + ": " + where.message).str();
  return module;
}

std::string tilec::run::targetOfPtx(const std::string &path, std::string &error) {
  std::string text;
  if (!readText(path, text, error))
    return {};
  std::unique_ptr<ptx::Module> module = parsePtx(path, text, error);
  return module ? module->target : std::string();
}

/// The one kernel of the list, or the one that --kernel names.
template <typename List, typename Name>
static auto choose(const Options &options, List &list, Name name, std::string &error) -> decltype(&*list.begin()) {
  std::string names;
  for (auto &entry : list) {
    if (name(entry) == options.kernel || (options.kernel.empty() && list.size() == 1))
      return &entry;
    names += (names.empty() ? "" : ", ") + std::string(name(entry));
  }
  if (list.empty())
    error = options.input + " has no kernel";
  else if (options.kernel.empty())
    error = options.input + " has several kernels; choose by --kernel one of " + names;
  else
    error = options.input + " has no kernel '" + options.kernel + "'; it has " + names;
  return nullptr;
}

static bool makeTable(const Options &options, std::vector<mlir::tile::KernelInterface> &interfaces, Kernel &kernel,
                      std::string &error) {
  mlir::tile::KernelInterface *chosen =
      choose(options, interfaces, [](const mlir::tile::KernelInterface &one) { return one.name; }, error);
  if (!chosen)
    return false;
  llvm::Expected<std::unique_ptr<mlir::tile::LaunchTable>> table = mlir::tile::LaunchTable::make(std::move(*chosen));
  if (!table) {
    error = llvm::toString(table.takeError());
    return false;
  }
  kernel.table = std::move(*table);
  return true;
}

static bool compileKernel(const Options &options, const std::string &target, Kernel &kernel, std::string &error) {
  std::string source;
  if (!readText(options.input, source, error))
    return false;
  mlir::tile::CompileOptions compileOptions;
  compileOptions.targets = {target};
  compileOptions.definitions.assign(options.define.begin(), options.define.end());
  compileOptions.sourceName = llvm::sys::path::filename(options.input).str();
  // Reports lead to the kernel's lines.
  compileOptions.lineInfo = true;
  compileOptions.assemble = false;
  mlir::DialectRegistry registry;
  mlir::tile::registerCompiler(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::tile::printDiagnostics(context, "tile-run", /*remarks=*/false);
  mlir::FailureOr<std::vector<mlir::tile::KernelInterface>> interfaces =
      mlir::tile::compileKernels(source, options.input, compileOptions, context);
  if (mlir::failed(interfaces))
    return false;
  kernel.ptx = interfaces->front().configurations.front().images.front().ptx;
  kernel.ptxName = llvm::sys::path::stem(options.input).str() + ".ptx";
  if (!options.ptx.empty()) {
    kernel.ptxName = options.ptx;
    std::error_code code;
    llvm::raw_fd_ostream out(options.ptx, code);
    out << kernel.ptx;
    out.flush();
    if (code || out.error()) {
      error = "cannot write '" + options.ptx + "': " + (code ? code : out.error()).message();
      out.clear_error();
      return false;
    }
  }
  return makeTable(options, *interfaces, kernel, error);
}

/// The interfaces of a sidecar, with the text of the PTX file for its target.
static bool readTable(const Options &options, const std::string &path, const std::string &target, Kernel &kernel,
                      std::string &error) {
  std::string text;
  if (!readText(path, text, error))
    return false;
  llvm::Expected<std::vector<mlir::tile::KernelInterface>> interfaces = mlir::tile::readSidecar(text);
  if (!interfaces) {
    error = path + ": " + llvm::toString(interfaces.takeError());
    return false;
  }
  for (mlir::tile::KernelInterface &one : *interfaces)
    for (mlir::tile::KernelConfiguration &configuration : one.configurations) {
      llvm::erase_if(configuration.images, [&](const auto &image) { return image.arch != target; });
      if (configuration.images.empty()) {
        error = path + " describes no image for " + target + ", which " + options.input + " is for";
        return false;
      }
      configuration.images.front().ptx = kernel.ptx;
      configuration.images.front().cubin.clear();
    }
  return makeTable(options, *interfaces, kernel, error);
}

static bool readPtx(const Options &options, Kernel &kernel, std::string &error) {
  if (!readText(options.input, kernel.ptx, error))
    return false;
  kernel.ptxName = options.input;
  std::unique_ptr<ptx::Module> module = parsePtx(options.input, kernel.ptx, error);
  if (!module)
    return false;
  llvm::SmallString<128> sidecar(options.input.getValue());
  llvm::sys::path::replace_extension(sidecar, "json");
  if (!options.hasGrid && llvm::sys::fs::exists(sidecar))
    return readTable(options, std::string(sidecar), module->target, kernel, error);
  if (!options.hasGrid) {
    error = options.input + " does not say how it is launched, and there is no " + std::string(sidecar) +
            "; expected --grid and --block";
    return false;
  }
  std::vector<const ptx::Function *> entries;
  for (const std::unique_ptr<ptx::Function> &function : module->functions)
    if (function->isKernel && function->hasBody)
      entries.push_back(function.get());
  const ptx::Function **entry =
      choose(options, entries, [](const ptx::Function *function) { return function->name; }, error);
  if (!entry)
    return false;
  kernel.symbol = (*entry)->name;
  for (const ptx::Variable &parameter : (*entry)->parameters)
    kernel.parameterBytes.push_back(parameter.bytes());
  return true;
}

bool tilec::run::loadKernel(const Options &options, const std::string &target, Kernel &kernel, std::string &error) {
  return options.isMlir ? compileKernel(options, target, kernel, error) : readPtx(options, kernel, error);
}
