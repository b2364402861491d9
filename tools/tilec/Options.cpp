// LLVM's parser of command lines, made to say what is wrong in one line, and the checks that it cannot make.
#include "tools/tilec/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tile;
namespace cl = llvm::cl;

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

/// `a::b`, as a header may open it.
static bool isNamespace(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, "::");
  return llvm::all_of(parts, [](StringRef part) {
    return !part.empty() && !llvm::isDigit(part.front()) &&
           llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  });
}

/// The first line of what LLVM says, as a message of ours.
static std::string reworded(StringRef said, StringRef program) {
  StringRef reason = said.split('\n').first;
  reason.consume_front((program + ": ").str());
  std::string text = reason.split(".  Try:").first.rtrim("!. ").str();
  if (!text.empty())
    text.front() = llvm::toLower(text.front());
  return text + "; see tilec --help";
}

bool tile::parseCommandLine(int argc, char **argv, Options &options, std::string &error) {
  cl::HideUnrelatedOptions(options.category);
  cl::SetVersionPrinter([](raw_ostream &os) { os << "tilec " TILEC_VERSION ", LLVM " LLVM_VERSION_STRING "\n"; });
  std::string said;
  llvm::raw_string_ostream stream(said);
  if (!cl::ParseCommandLineOptions(argc, argv, "tilec: tile-level kernels to PTX and a C++ launch header\n", &stream)) {
    // Of some mistakes LLVM only tells standard error.
    if (!said.empty())
      error = reworded(said, llvm::sys::path::filename(argv[0]));
    return false;
  }
  std::optional<Emit> kind = chooseEmit(options, error);
  if (options.input.empty())
    error = "expected a kernel file; see tilec --help";
  else if (!options.nameSpace.empty() && !isNamespace(options.nameSpace))
    error = "expected --namespace to be C++ names joined by ::, found '" + options.nameSpace + "'";
  if (!error.empty())
    return false;
  options.kind = *kind;
  return true;
}
