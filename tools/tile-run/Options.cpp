// LLVM's parser of command lines, and the checks that it cannot make.
#include "tools/tile-run/Options.h"
#include "lib/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

using namespace tilec;
using namespace tilec::run;
using llvm::StringRef;
using llvm::Twine;
namespace cl = llvm::cl;

/// The first line of what LLVM says, as a message of ours.
static std::string reworded(StringRef said, StringRef program) {
  StringRef reason = said.split('\n').first;
  reason.consume_front((program + ": ").str());
  std::string text = reason.split(".  Try:").first.rtrim("!. ").str();
  if (!text.empty())
    text.front() = llvm::toLower(text.front());
  return text + "; see tile-run --help";
}

namespace {
/// Reads the texts of the options; the first that is wrong counts.
class Reader {
public:
  Reader(Options &options, std::string &error) : options(options), error(error) {}
  bool read();

private:
  bool fail(const Twine &message) {
    if (error.empty())
      error = message.str();
    return false;
  }
  template <typename T> void number(StringRef option, StringRef text, T &value, T least = 0) {
    if (text.getAsInteger(0, value) || value < least)
      fail("expected --" + option + " to be a number" + (least ? " from 1 on" : "") + ", found '" + text + "'");
  }
  void dimensions(StringRef option, StringRef text, Dim3 &value);
  bool device();
  bool indexed(StringRef option, StringRef text, size_t &number, StringRef &rest);

  Options &options;
  std::string &error;
};
} // namespace

void Reader::dimensions(StringRef option, StringRef text, Dim3 &value) {
  if (text.empty())
    return;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  uint32_t sizes[3] = {1, 1, 1};
  bool right = parts.size() <= 3;
  for (size_t i = 0; right && i < parts.size(); ++i)
    right = !parts[i].getAsInteger(10, sizes[i]) && sizes[i] > 0;
  if (!right)
    fail("expected --" + option + " to be X, X,Y or X,Y,Z, each at least 1, found '" + text + "'");
  value = Dim3(sizes[0], sizes[1], sizes[2]);
}

bool Reader::device() {
  StringRef text = options.device;
  if (text.empty())
    return true;
  if (text == "gpu")
    return options.isGpu = true;
  if (!text.consume_front("sim:"))
    return fail("expected --device to be sim:TARGET or gpu, found '" + options.device + "'");
  if (!mlir::tile::lookupTarget(std::string_view(text.data(), text.size())))
    return fail("unknown target '" + text + "'; expected one of " + mlir::tile::targetNames());
  options.target = text.str();
  return true;
}

/// `I=REST`.
bool Reader::indexed(StringRef option, StringRef text, size_t &number, StringRef &rest) {
  auto [index, path] = text.split('=');
  rest = path;
  if (index.getAsInteger(10, number) || path.empty())
    return fail("expected --" + option + " to be I=FILE.npy, found '" + text + "'");
  if (number >= options.arg.size())
    return fail("--" + option + " " + text + ": there are " + Twine(options.arg.size()) + " arguments, counted from 0");
  return true;
}

bool Reader::read() {
  if (options.input.empty())
    return fail("expected a kernel.mlir or kernel.ptx; see tile-run --help");
  StringRef suffix = llvm::sys::path::extension(options.input);
  options.isMlir = suffix == ".mlir";
  if (!options.isMlir && suffix != ".ptx")
    return fail("cannot tell from '" + options.input + "' what it holds; expected a name that ends in .mlir or .ptx");
  if (!options.isMlir && !options.define.empty())
    return fail("-D sets parameters of .mlir files, '" + options.input + "' is compiled already");
  if (!options.isMlir && !options.ptx.empty())
    return fail("--ptx writes what a .mlir file became, '" + options.input + "' is PTX already");
  if (!device())
    return false;
  if (options.check != "on" && options.check != "off")
    return fail("expected --check to be on or off, found '" + options.check + "'");
  options.checks = options.check == "on";
  dimensions("grid", options.grid, options.blocks);
  dimensions("block", options.block, options.threads);
  dimensions("cluster", options.cluster, options.clusterSize);
  options.hasGrid = !options.grid.empty();
  if (!options.grid.empty() != !options.block.empty())
    return fail("--grid and --block go together");
  if (!options.hasGrid && (!options.cluster.empty() || !options.shared.empty()))
    return fail("--cluster and --shared go with --grid and --block");
  if (options.isMlir && options.hasGrid)
    return fail("--grid and --block are for PTX; a .mlir file says itself how it is launched");
  if (!options.shared.empty())
    number("shared", options.shared, options.sharedBytes);
  number("seed", options.seed, options.firstSeed);
  number<uint64_t>("seeds", options.seeds, options.seedCount, 1);
  number("cores", options.cores, options.coreCount);
  number("limit", options.limit, options.operationLimit);
  if (!error.empty())
    return false;
  if (options.isGpu && (options.counters || options.seedCount > 1))
    return fail("--counters and --seeds are of the simulated device, found --device gpu");
  for (StringRef text : options.save) {
    size_t index;
    StringRef path;
    if (!indexed("save", text, index, path))
      return false;
    options.saved[index] = path.str();
  }
  for (StringRef text : options.expect) {
    size_t index;
    StringRef path;
    if (!indexed("expect", text, index, path))
      return false;
    Expectation expectation;
    auto [file, tolerance] = path.rsplit(".npy:");
    if (!tolerance.empty() && tolerance.getAsDouble(expectation.tolerance))
      return fail("--expect " + text + ": '" + tolerance + "' is not a number");
    expectation.path = tolerance.empty() ? path.str() : file.str() + ".npy";
    options.expected[index] = expectation;
  }
  return true;
}

bool tilec::run::parseCommandLine(int argc, char **argv, Options &options, std::string &error) {
  cl::HideUnrelatedOptions(options.category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "tile-run " TILEC_VERSION ", LLVM " LLVM_VERSION_STRING "\n"; });
  std::string said;
  llvm::raw_string_ostream stream(said);
  if (!cl::ParseCommandLineOptions(argc, argv, "tile-run: runs one kernel on the simulated device or a GPU\n",
                                   &stream)) {
    // Of some mistakes LLVM only tells standard error.
    if (!said.empty())
      error = reworded(said, llvm::sys::path::filename(argv[0]));
    return false;
  }
  return Reader(options, error).read();
}
