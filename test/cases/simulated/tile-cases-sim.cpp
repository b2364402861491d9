// Runs the numeric cases on the simulated device. Each is compiled in this process and launched through a table made in
// memory, so that no C++ compiler takes part and every target is a matter of an option.
#include "lib/Codegen/LaunchTable.h"
#include "lib/Pipeline/Compile.h"
#include "lib/Pipeline/Diagnostics.h"
#include "lib/Simulator/SimulatedDevice.h"
#include "test/cases/Runner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <cstdio>

using namespace cases;
using llvm::StringRef;

static constexpr const char *usage =
    "usage: tile-cases-sim FOLDER [--device sim:TARGET] [--filter TEXT] [--shard I/N] [--seed N] [--cores N]\n"
    "                      [--check on|off] [--verbose]\n"
    "Compiles and runs every numeric case below FOLDER on the simulated device; with --shard every Nth, from I on.\n";

namespace {
struct Options {
  std::string folder, target = "sm_80", filter;
  unsigned shard = 1, shards = 1, cores = 0;
  uint64_t seed = 0;
  bool check = true, verbose = false;
};

/// A case's file and one of its configurations.
struct Entry {
  std::string path, name, definitions;
};

/// Says what is wrong and ends the process.
[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "tile-cases-sim: error: " << message << "\n";
  std::exit(2);
}

/// One process's work.
class Session {
public:
  explicit Session(const Options &options) : options(options) {
    mlir::tile::registerCompiler(registry);
    device = tilec::sim::SimulatedDevice::create(options.target);
    if (!device)
      fail("no target '" + options.target + "'");
    device->options().check = options.check;
    device->options().seed = options.seed;
    device->options().cores = options.cores;
  }
  void run(const Entry &entry);
  int finish();

private:
  std::unique_ptr<mlir::tile::LaunchTable> compile(const Entry &entry, StringRef text);

  const Options &options;
  mlir::DialectRegistry registry;
  std::unique_ptr<tilec::sim::SimulatedDevice> device;
  Summary summary;
  size_t compiledCases = 0, failedCases = 0;
  double compileSeconds = 0, runSeconds = 0;
};
} // namespace

static Options readOptions(int argc, char **argv) {
  Options options;
  auto number = [&](int i, auto &value) {
    if (StringRef(argv[i]).getAsInteger(10, value))
      fail("expected a number after " + llvm::Twine(argv[i - 1]) + ", found '" + argv[i] + "'");
  };
  for (int i = 1; i < argc; ++i) {
    StringRef option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (option == "--help") {
      llvm::outs() << usage;
      std::exit(0);
    }
    if (option == "--verbose") {
      options.verbose = true;
      continue;
    }
    if (!option.starts_with("--") && options.folder.empty()) {
      options.folder = option.str();
      continue;
    }
    if (++i >= argc)
      fail("unknown argument or missing value: '" + option + "'; see --help");
    if (option == "--device" && value.consume_front("sim:"))
      options.target = value.str();
    else if (option == "--filter")
      options.filter = value.str();
    else if (option == "--shard") {
      auto [index, count] = value.split('/');
      if (index.getAsInteger(10, options.shard) || count.getAsInteger(10, options.shards) || options.shard < 1 ||
          options.shard > options.shards)
        fail("expected --shard I/N, found '" + value + "'");
    } else if (option == "--seed")
      number(i, options.seed);
    else if (option == "--cores")
      number(i, options.cores);
    else if (option == "--check" && (value == "on" || value == "off"))
      options.check = value == "on";
    else
      fail("unknown argument '" + option + " " + value + "'; see --help");
  }
  if (options.folder.empty())
    fail("expected the folder of the cases; see --help");
  return options;
}

static std::string readText(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    fail("cannot read '" + path + "': " + file.getError().message());
  return (*file)->getBuffer().str();
}

/// What `//! define` lines say; one empty configuration without any.
static std::vector<std::string> configurationsOf(StringRef text) {
  std::vector<std::string> list;
  for (StringRef line : llvm::split(text, '\n'))
    if (line.consume_front("//! define "))
      list.push_back(line.trim().str());
  if (list.empty())
    list.emplace_back();
  return list;
}

/// All configurations, in an order that does not depend on the file system.
static std::vector<Entry> findCases(const Options &options) {
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator it(options.folder, code), end; it != end && !code; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".case")
      paths.push_back(it->path());
  if (code)
    fail("cannot read '" + options.folder + "': " + code.message());
  llvm::sort(paths);
  std::vector<Entry> entries;
  for (const std::string &path : paths) {
    std::string name = (llvm::sys::path::filename(llvm::sys::path::parent_path(path)) + "/" +
                        llvm::sys::path::stem(path)).str();
    for (const std::string &definitions : configurationsOf(readText(path)))
      if (StringRef(name + " " + definitions).contains(options.filter))
        entries.push_back({path, name, definitions});
  }
  return entries;
}

std::unique_ptr<mlir::tile::LaunchTable> Session::compile(const Entry &entry, StringRef text) {
  mlir::tile::CompileOptions compileOptions;
  compileOptions.targets = {options.target};
  for (StringRef definition : llvm::split(entry.definitions, ' '))
    if (!definition.empty())
      compileOptions.definitions.push_back(definition.str());
  compileOptions.lineInfo = true;
  compileOptions.assemble = false;
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::tile::printDiagnostics(context, "tile-cases-sim", /*remarks=*/false);
  auto interfaces = mlir::tile::compileKernels(text, entry.name + ".case", compileOptions, context);
  if (mlir::failed(interfaces))
    return nullptr;
  auto table = mlir::tile::LaunchTable::make(std::move(interfaces->front()));
  if (table)
    return std::move(*table);
  llvm::errs() << entry.name << ": " << llvm::toString(table.takeError()) << "\n";
  return nullptr;
}

void Session::run(const Entry &entry) {
  auto now = [] { return std::chrono::steady_clock::now(); };
  auto since = [&](auto begin) { return std::chrono::duration<double>(now() - begin).count(); };
  std::string text = readText(entry.path);
  CompiledCase compiled{entry.name, entry.definitions, text, nullptr};
  // What this target lacks is not compiled for it.
  std::string error;
  Case spec = parseCase(entry.name, text, entry.definitions, error);
  auto begin = now();
  std::unique_ptr<mlir::tile::LaunchTable> table;
  if (error.empty() && device->properties().sm >= spec.minimumSm && !spec.gpuOnly) {
    table = compile(entry, text);
    if (!table) {
      std::printf("WRONG   %s %s: does not compile\n", entry.name.c_str(), entry.definitions.c_str());
      ++failedCases;
      return;
    }
    compiled.table = &table->table();
  }
  compileSeconds += since(begin);
  ++compiledCases;
  begin = now();
  device->nameCode(entry.name + ".ptx");
  std::vector<Outcome> outcomes = runCase(*device, compiled);
  double seconds = since(begin);
  runSeconds += seconds;
  summary.add(compiled, outcomes, options.verbose);
  if (options.verbose)
    std::printf("        %s %s: %.2f s\n", entry.name.c_str(), entry.definitions.c_str(), seconds);
  std::fflush(stdout);
}

int Session::finish() {
  std::printf("%s, %zu cases: %s; compiled in %.1f s, run in %.1f s\n", device->properties().name.c_str(), compiledCases,
              summary.toString().c_str(), compileSeconds, runSeconds);
  if (failedCases)
    std::printf("%zu cases do not compile\n", failedCases);
  return summary.wrongRuns() || failedCases || compiledCases == 0 ? 1 : 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options = readOptions(argc, argv);
  Session session(options);
  std::vector<Entry> entries = findCases(options);
  for (size_t i = options.shard - 1; i < entries.size(); i += options.shards)
    session.run(entries[i]);
  return session.finish();
}
