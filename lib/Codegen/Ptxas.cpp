// ptxas is run without a shell, on temporary files: input by file, since its messages name lines of it, output by file
// as well, and the report by file, as a full pipe would block it. All three go away whatever happens.
#include "lib/Codegen/Ptxas.h"
#include "lib/Codegen/CudaToolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tile;

llvm::Expected<std::string> tile::findPtxas() {
  SmallVector<StringRef> inPath;
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas");
  if (found)
    inPath.push_back(*found);
  return findCudaFile("TILEC_PTXAS", {"bin/ptxas"}, inPath, "ptxas", "nvidia-cuda-nvcc");
}

//===--- The report ----------------------------------------------------------------------------------------------===//

/// The number in front of `unit` in `line`: 166 for "Used 166 registers, …" and " registers". Zero where there is none.
static unsigned numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return 0;
  StringRef before = line.substr(0, at);
  unsigned value = 0;
  if (before.take_back(1).empty() || before.substr(before.find_last_not_of("0123456789") + 1).getAsInteger(10, value))
    return 0;
  return value;
}

/// Splits "ptxas FILE, line 12; warning : text" and "ptxas info    : text" into severity, line and text.
static bool splitMessage(StringRef message, StringRef &severity, unsigned &line, StringRef &text) {
  if (!message.consume_front("ptxas "))
    return false;
  line = 0;
  if (size_t at = message.find(", line "); at != StringRef::npos) {
    StringRef rest = message.substr(at + 7);
    auto [number, after] = rest.split(';');
    if (!number.getAsInteger(10, line))
      message = after;
  }
  auto [head, tail] = message.split(':');
  severity = head.trim();
  text = tail.trim();
  return severity == "info" || severity == "warning" || severity == "error" || severity == "fatal";
}

/// Takes "(C7510) " off the front and returns "C7510".
static std::string takeCode(StringRef &text) {
  StringRef rest = text;
  if (!rest.consume_front("(C"))
    return "";
  StringRef digits = rest.take_while(llvm::isDigit);
  rest = rest.drop_front(digits.size());
  if (digits.empty() || !rest.consume_front(")"))
    return "";
  text = rest.ltrim();
  return "C" + digits.str();
}

void tile::parsePtxasReport(StringRef report, PtxasResult &result) {
  auto kernelNamed = [&](StringRef name) -> KernelResources & {
    for (KernelResources &kernel : result.kernels)
      if (kernel.name == name)
        return kernel;
    result.kernels.emplace_back();
    result.kernels.back().name = name.str();
    return result.kernels.back();
  };
  // Functions have properties too, but only a kernel is announced as an entry.
  std::string current, properties;
  SmallVector<StringRef> lines;
  report.split(lines, '\n');
  for (StringRef full : lines) {
    StringRef severity, text, message = full.rtrim();
    unsigned line = 0;
    if (!splitMessage(message, severity, line, text)) {
      if (message.contains("bytes stack frame") && !current.empty() && properties == current) {
        KernelResources &kernel = kernelNamed(current);
        kernel.stackFrame = numberBefore(message, " bytes stack frame");
        kernel.spillStores = numberBefore(message, " bytes spill stores");
        kernel.spillLoads = numberBefore(message, " bytes spill loads");
      }
      continue;
    }
    std::string code = takeCode(text);
    if (severity == "warning" || !code.empty()) {
      result.warnings.push_back({code, text.str(), line});
    } else if (text.consume_front("Compiling entry function '")) {
      current = text.split('\'').first.str();
      properties.clear();
      kernelNamed(current);
    } else if (text.consume_front("Function properties for ")) {
      properties = text.str();
    } else if (text.starts_with("Used ") && !current.empty()) {
      KernelResources &kernel = kernelNamed(current);
      kernel.registers = numberBefore(text, " registers");
      kernel.barriers = numberBefore(text, " barriers");
      kernel.sharedMemory = numberBefore(text, " bytes smem");
      kernel.constantMemory = numberBefore(text, " bytes cmem[0]");
    }
  }
}

/// The first error of the report, with the PTX line that it is about.
static std::string firstError(StringRef report, StringRef ptx) {
  SmallVector<StringRef> lines, source;
  report.split(lines, '\n');
  for (StringRef message : lines) {
    StringRef severity, text;
    unsigned line = 0;
    if (!splitMessage(message.rtrim(), severity, line, text) || (severity != "error" && severity != "fatal"))
      continue;
    if (line == 0)
      return text.str();
    ptx.split(source, '\n');
    std::string shown = line <= source.size() ? source[line - 1].trim().str() : "";
    return "PTX line " + std::to_string(line) + ": " + text.str() + (shown.empty() ? "" : ": " + shown);
  }
  StringRef first = report.ltrim().split('\n').first.rtrim();
  return first.empty() ? "no message" : first.str();
}

//===--- The run -------------------------------------------------------------------------------------------------===//

namespace {
/// A temporary file that is removed at the end of its scope.
class TemporaryFile {
public:
  llvm::Error create(StringRef suffix) {
    int descriptor = -1;
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("tilec", suffix, descriptor, path))
      return llvm::createStringError(code, "cannot make a temporary file: %s", code.message().c_str());
    remover.setFile(path);
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true).flush();
    return llvm::Error::success();
  }

  llvm::Error write(StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    if (!code) {
      stream << text;
      stream.close();
      code = stream.error();
      stream.clear_error();
    }
    if (code)
      return llvm::createStringError(code, "cannot write '%s': %s", path.c_str(), code.message().c_str());
    return llvm::Error::success();
  }

  llvm::Expected<std::string> read() {
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError(buffer.getError(), "cannot read '%s'", path.c_str());
    return (*buffer)->getBuffer().str();
  }

  SmallString<128> path;

private:
  llvm::FileRemover remover;
};
} // namespace

static std::vector<std::string> argumentsFor(StringRef program, const PtxasOptions &options, StringRef input,
                                             StringRef output) {
  std::vector<std::string> arguments = {program.str(), "-v", "-arch=" + options.chip,
                                        "-O" + std::to_string(options.optimizationLevel)};
  if (options.lineInfo)
    arguments.push_back("-lineinfo");
  arguments.insert(arguments.end(), options.extraArguments.begin(), options.extraArguments.end());
  arguments.insert(arguments.end(), {input.str(), "-o", output.str()});
  return arguments;
}

llvm::Expected<PtxasResult> tile::runPtxas(StringRef ptx, const PtxasOptions &options) {
  std::string program = options.path;
  if (program.empty()) {
    llvm::Expected<std::string> found = findPtxas();
    if (!found)
      return found.takeError();
    program = *found;
  }
  TemporaryFile input, output, report;
  for (auto [file, suffix] : {std::pair(&input, "ptx"), std::pair(&output, "cubin"), std::pair(&report, "txt")})
    if (llvm::Error error = file->create(suffix))
      return std::move(error);
  if (llvm::Error error = input.write(ptx))
    return std::move(error);

  std::vector<std::string> arguments = argumentsFor(program, options, input.path, output.path);
  SmallVector<StringRef> references(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(report.path), StringRef(report.path)};
  std::string failure;
  bool notStarted = false;
  int status = llvm::sys::ExecuteAndWait(program, references, std::nullopt, redirects, options.timeoutSeconds,
                                         /*MemoryLimit=*/0, &failure, &notStarted);
  if (notStarted || status < 0)
    return llvm::createStringError("ptxas '%s' %s: %s", program.c_str(), notStarted ? "cannot be run" : "was ended",
                                   failure.empty() ? "unknown reason" : failure.c_str());
  llvm::Expected<std::string> text = report.read();
  if (!text)
    return text.takeError();
  if (status != 0)
    return llvm::createStringError("ptxas refuses the PTX for %s: %s", options.chip.c_str(),
                                   firstError(*text, ptx).c_str());
  PtxasResult result;
  parsePtxasReport(*text, result);
  llvm::Expected<std::string> cubin = output.read();
  if (!cubin)
    return cubin.takeError();
  result.cubin = std::move(*cubin);
  return result;
}

bool tile::assembles(StringRef ptx, StringRef chip, std::string *reason) {
  PtxasOptions options;
  options.chip = chip.str();
  llvm::Expected<PtxasResult> result = runPtxas(ptx, options);
  if (result)
    return true;
  std::string message = llvm::toString(result.takeError());
  if (reason)
    *reason = message;
  return false;
}
