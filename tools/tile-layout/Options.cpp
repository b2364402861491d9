// LLVM's parser of command lines, and the checks that it cannot make.
#include "tools/tile-layout/Options.h"
#include "lib/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tile;
namespace cl = llvm::cl;

/// The first line of what LLVM says, as a message of ours.
static std::string reworded(StringRef said, StringRef program) {
  StringRef reason = said.split('\n').first;
  reason.consume_front((program + ": ").str());
  std::string text = reason.split(".  Try:").first.rtrim("!. ").str();
  if (!text.empty())
    text.front() = llvm::toLower(text.front());
  return text + "; see tile-layout --help";
}

/// `64x96`.
static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &extents) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts)
    if (part.getAsInteger(10, extents.emplace_back()) || extents.back() < 1)
      return false;
  return true;
}

static bool parseScales(StringRef text, ScaleOrder &order) {
  if (text == "row_major")
    order = ScaleOrder::RowMajor;
  else if (text == "mn_major")
    order = ScaleOrder::MNMajor;
  else if (text == "interleaved_128x4")
    order = ScaleOrder::Interleaved128x4;
  else
    return false;
  return true;
}

/// What is wrong; empty for nothing.
static std::string check(Options &options) {
  bool given = !options.layout.empty() || !options.shared.empty(), scales = !options.scales.empty();
  unsigned sources = !options.input.empty() + given + scales;
  if (sources == 0)
    return "expected a kernel file, --layout, --shared or --scales; see tile-layout --help";
  if (sources > 1)
    return "expected one of a kernel file, layouts (--layout, --shared) and --scales, found several";
  if (options.format != "text" && options.format != "json")
    return "expected --format to be text or json, found '" + options.format + "'";
  options.isJson = options.format == "json";
  if (!options.shape.empty() && !parseShape(options.shape, options.extents))
    return "expected --shape to be extents joined by x, such as 64x96, found '" + options.shape + "'";
  if (!options.arch.empty() && !lookupTarget(options.arch.getValue()))
    return "unknown target '" + options.arch + "'; expected one of " + std::string(targetNames());
  if (!options.input.empty()) {
    if (!options.shape.empty() || !options.type.empty())
      return "--shape and --type belong to --layout, --shared and --scales, not to a kernel file";
    return "";
  }
  if (!options.define.empty() || !options.kernel.empty())
    return "-D and --kernel belong to a kernel file";
  if (scales && !options.arch.empty())
    return "--arch is not for --scales, which are the same for all targets";
  if (options.extents.empty())
    return "expected --shape, such as --shape 64x96";
  if (!scales)
    return options.type.empty() ? "expected --type, such as --type bf16" : "";
  if (!parseScales(options.scales, options.scaleOrder))
    return "unknown --scales '" + options.scales + "'; expected row_major, mn_major or interleaved_128x4";
  if (options.extents.size() != 2)
    return "expected --shape to be rows x blocks of scales, found '" + options.shape + "'";
  if (!options.type.empty())
    return "--type is not for --scales, which are one byte each";
  return "";
}

bool tile::parseCommandLine(int argc, char **argv, Options &options, std::string &error) {
  cl::HideUnrelatedOptions(options.category);
  cl::SetVersionPrinter([](raw_ostream &os) { os << "tile-layout " TILEC_VERSION ", LLVM " LLVM_VERSION_STRING "\n"; });
  std::string said;
  llvm::raw_string_ostream stream(said);
  if (!cl::ParseCommandLineOptions(argc, argv, "tile-layout: layouts, bank conflicts and transactions as tables\n",
                                   &stream)) {
    // Of some mistakes LLVM only tells standard error.
    if (!said.empty())
      error = reworded(said, llvm::sys::path::filename(argv[0]));
    return false;
  }
  error = check(options);
  return error.empty();
}
