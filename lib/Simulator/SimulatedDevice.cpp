#include "lib/Simulator/SimulatedDevice.h"

#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace tilec;
using namespace tilec::sim;

namespace {
/// A loaded image: the parsed module, where its variables lie, and the kernels decoded so far.
struct LoadedModule {
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const std::string> text;
  std::unordered_map<const ptx::Variable *, Region *> variables;
  std::map<std::string, std::unique_ptr<Program>, std::less<>> programs;
};

struct LoadedFunction {
  LoadedModule *module = nullptr;
  Program *program = nullptr;
};

struct Moment {
  std::chrono::steady_clock::time_point time;
};

class Implementation : public SimulatedDevice {
public:
  explicit Implementation(const mlir::tile::Target &target);

  const DeviceProperties &properties() const override { return facts; }
  Result<void *> allocate(size_t bytes) override;
  Status free(void *memory) override;
  Status copyIn(void *device, const void *host, size_t bytes, Stream stream) override;
  Status copyOut(void *host, const void *device, size_t bytes, Stream stream) override;
  Status fill(void *device, uint8_t value, size_t bytes, Stream stream) override;
  Result<Function> load(const CodeImage &image, const char *symbol, uint32_t sharedBytes) override;
  Status launch(const LaunchRequest &request) override;
  Status synchronize(Stream) override { return {}; }
  Result<bool> isCapturing(Stream) override { return false; }
  Result<Event> createEvent() override { return Event{new Moment}; }
  Status destroyEvent(Event event) override;
  Status record(Event event, Stream stream) override;
  Result<float> elapsed(Event begin, Event end) override;
  Result<void *> workspace(Stream stream, size_t bytes) override;

  RunOptions &options() override { return runOptions; }
  std::vector<Finding> lastFindings() const override { return findings.all(); }
  const Counters &lastCounters() const override { return counters; }
  const Program &programOf(Function function) const override {
    return *static_cast<LoadedFunction *>(function.handle)->program;
  }
  void nameCode(std::string name) override { codeName = std::move(name); }

private:
  /// The part of memory from `device` on, or what is wrong with it.
  Result<Place> placeOf(const void *device, size_t bytes, const char *what);
  /// "kernel.ptx:12:3: error: …".
  Status codeError(StatusCode code, const ptx::Error &error) const;
  Status loadModule(const CodeImage &image, LoadedModule &loaded);
  Status placeVariables(const std::vector<ptx::Variable> &variables, LoadedModule &loaded);
  Status relocate(const ptx::Variable &variable, LoadedModule &loaded);
  Status findingsStatus(const std::string &name) const;

  const mlir::tile::Target &target;
  DeviceProperties facts;
  RunOptions runOptions;
  /// One user at a time: a launch uses all cores anyway.
  mutable std::recursive_mutex mutex;
  GlobalMemory memory;
  std::map<uint64_t, LoadedModule> modules;
  std::map<std::pair<LoadedModule *, std::string>, std::unique_ptr<LoadedFunction>> functions;
  std::map<void *, std::pair<void *, size_t>> workspaces;
  Findings findings;
  Counters counters;
  std::string codeName = "kernel.ptx";
};
} // namespace

static uint64_t addressOfPointer(const void *memory) { return reinterpret_cast<uintptr_t>(memory); }
static void *pointerOf(uint64_t address) { return reinterpret_cast<void *>(static_cast<uintptr_t>(address)); }

Implementation::Implementation(const mlir::tile::Target &target) : target(target) {
  facts.name = "simulated " + std::string(target.name);
  facts.sm = static_cast<int>(target.sm);
  facts.multiprocessors = static_cast<int>(target.numSMs);
  facts.maxSharedBytes = target.sharedPerBlock;
  facts.runsCubins = false;
  if (const char *check = std::getenv("TILEC_SIMULATE_CHECK"))
    runOptions.check = std::strcmp(check, "off") != 0;
  if (const char *seed = std::getenv("TILEC_SIMULATE_SEED"))
    runOptions.seed = std::strtoull(seed, nullptr, 10);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result<void *> Implementation::allocate(size_t bytes) {
  if (bytes == 0)
    return static_cast<void *>(nullptr);
  std::lock_guard<std::recursive_mutex> lock(mutex);
  memory.tracking = runOptions.check;
  uint64_t address = memory.allocate(bytes, "allocation of " + std::to_string(bytes) + " bytes");
  if (!address)
    return Status(StatusCode::OutOfMemory, "no memory for " + std::to_string(bytes) + " bytes");
  return pointerOf(address);
}

Status Implementation::free(void *pointer) {
  if (!pointer)
    return {};
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (memory.free(addressOfPointer(pointer)))
    return {};
  return Status::invalidArgument("free of a pointer that no allocation of this device begins at");
}

Result<Place> Implementation::placeOf(const void *device, size_t bytes, const char *what) {
  uint64_t address = addressOfPointer(device);
  Region *region = memory.find(address);
  if (!region)
    return Status::invalidArgument(std::string(what) + ": the pointer lies in no allocation of this device");
  uint64_t offset = address - region->base;
  if (bytes > region->size - offset)
    return Status::invalidArgument(std::string(what) + ": " + std::to_string(bytes) + " bytes from offset " +
                                   std::to_string(offset) + " of an " + region->name);
  return Place{region, offset};
}

Status Implementation::copyIn(void *device, const void *host, size_t bytes, Stream) {
  if (bytes == 0)
    return {};
  std::lock_guard<std::recursive_mutex> lock(mutex);
  Result<Place> place = placeOf(device, bytes, "copy to the device");
  if (!place)
    return place.status();
  std::memcpy(place->bytes(), host, bytes);
  if (place->region->undefined)
    place->region->undefined->setDefined(place->offset, bytes);
  return {};
}

Status Implementation::copyOut(void *host, const void *device, size_t bytes, Stream) {
  if (bytes == 0)
    return {};
  std::lock_guard<std::recursive_mutex> lock(mutex);
  Result<Place> place = placeOf(device, bytes, "copy from the device");
  if (!place)
    return place.status();
  std::memcpy(host, place->bytes(), bytes);
  if (!runOptions.check || !place->region->undefined)
    return {};
  int64_t at = place->region->undefined->firstUndefined(place->offset, bytes);
  if (at < 0)
    return {};
  Finding finding;
  finding.kind = FindingKind::Undefined;
  finding.message = "the host reads back undefined bits: byte " + std::to_string(at) + " of the " +
                    place->region->name + (bytes == 1 ? "" : ", in a copy of " + std::to_string(bytes) + " bytes");
  finding.notes.push_back("nothing wrote it, or what was stored there depended on something that was never written");
  Status status(StatusCode::CheckFailed, finding.toString("copy from the device"));
  findings.add(std::move(finding));
  return status;
}

Status Implementation::fill(void *device, uint8_t value, size_t bytes, Stream) {
  if (bytes == 0)
    return {};
  std::lock_guard<std::recursive_mutex> lock(mutex);
  Result<Place> place = placeOf(device, bytes, "fill");
  if (!place)
    return place.status();
  std::memset(place->bytes(), value, bytes);
  if (place->region->undefined)
    place->region->undefined->setDefined(place->offset, bytes);
  return {};
}

Result<void *> Implementation::workspace(Stream stream, size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto &[pointer, size] = workspaces[stream.handle];
  if (size >= bytes)
    return pointer;
  Result<void *> grown = allocate(bytes);
  if (!grown)
    return grown;
  (void)fill(*grown, 0, bytes, stream);
  (void)free(pointer);
  pointer = *grown;
  size = bytes;
  return pointer;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Status Implementation::codeError(StatusCode code, const ptx::Error &error) const {
  std::string place = codeName;
  // What is wrong with the whole module has no line.
  if (error.location.line)
    place += ":" + std::to_string(error.location.line) + ":" + std::to_string(error.location.column);
  return {code, place + ": error: " + error.message};
}

Status Implementation::placeVariables(const std::vector<ptx::Variable> &variables, LoadedModule &loaded) {
  for (const ptx::Variable &variable : variables) {
    if (variable.space != ptx::Space::Global && variable.space != ptx::Space::Constant)
      continue;
    if (variable.linkage == ptx::Linkage::Extern)
      return {StatusCode::Unsupported, codeName + ":" + std::to_string(variable.location.line) + ": variable '" +
                                           variable.name + "' is defined in another module"};
    uint64_t bytes = std::max<uint64_t>(variable.bytes(), 1);
    Region *region = memory.find(memory.allocate(bytes, "variable '" + variable.name + "'"));
    if (!region)
      return {StatusCode::OutOfMemory, codeName + ":" + std::to_string(variable.location.line) +
                                           ": no memory for variable '" + variable.name + "' of " +
                                           std::to_string(bytes) + " bytes"};
    // What has no initial value is zero, as the allocation is: writing it would take host memory for all of it.
    std::copy_n(variable.initial.begin(), std::min<size_t>(variable.initial.size(), bytes), region->bytes);
    if (region->undefined)
      region->undefined->setDefined(0, bytes);
    region->space = variable.space;
    region->readOnly = variable.space == ptx::Space::Constant;
    loaded.variables[&variable] = region;
  }
  return {};
}

Status Implementation::relocate(const ptx::Variable &variable, LoadedModule &loaded) {
  auto placed = loaded.variables.find(&variable);
  if (placed == loaded.variables.end())
    return {};
  for (const ptx::Variable::Relocation &hole : variable.relocations) {
    uint64_t value = 0;
    bool found = false;
    for (const auto &[other, region] : loaded.variables)
      if (other->name == hole.symbol) {
        value = region->base;
        found = true;
      }
    // The address of a function is its number in the module, plus 1.
    const auto &functions = loaded.module->functions;
    for (size_t i = 0; i < functions.size(); ++i)
      if (functions[i]->name == hole.symbol) {
        value = i + 1;
        found = true;
      }
    if (!found)
      return {StatusCode::Unsupported, codeName + ":" + std::to_string(variable.location.line) + ": variable '" +
                                           variable.name + "' holds the address of '" + hole.symbol +
                                           "', which is not supported"};
    value += static_cast<uint64_t>(hole.addend);
    if (hole.mask != ~uint64_t(0))
      value = (value & hole.mask) >> static_cast<unsigned>(__builtin_ctzll(hole.mask));
    std::memcpy(placed->second->bytes + hole.offset, &value, hole.mask == ~uint64_t(0) ? hole.bytes : 1);
  }
  return {};
}

Status Implementation::loadModule(const CodeImage &image, LoadedModule &loaded) {
  if (!image.isPtx())
    return {StatusCode::Unsupported, "the simulated device runs PTX, found a cubin"};
  auto text = std::make_shared<std::string>(image.join());
  ptx::Error error;
  std::unique_ptr<ptx::Module> module = ptx::parse(*text, error);
  if (!module)
    return codeError(StatusCode::InvalidArgument, error);
  loaded.text = text;
  loaded.module = std::move(module);
  memory.tracking = runOptions.check;
  std::vector<const std::vector<ptx::Variable> *> scopes = {&loaded.module->variables};
  for (const std::unique_ptr<ptx::Function> &function : loaded.module->functions)
    scopes.push_back(&function->variables);
  for (const std::vector<ptx::Variable> *scope : scopes)
    if (Status status = placeVariables(*scope, loaded); !status)
      return status;
  for (const std::vector<ptx::Variable> *scope : scopes)
    for (const ptx::Variable &variable : *scope)
      if (Status status = relocate(variable, loaded); !status)
        return status;
  return {};
}

Result<Function> Implementation::load(const CodeImage &image, const char *symbol, uint32_t) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto [known, added] = modules.try_emplace(image.identity);
  LoadedModule &loaded = known->second;
  if (added)
    if (Status status = loadModule(image, loaded); !status) {
      for (const auto &[variable, region] : loaded.variables)
        memory.free(region->base);
      modules.erase(known);
      return status;
    }
  std::unique_ptr<LoadedFunction> &function = functions[{&loaded, symbol}];
  if (function)
    return Function{function.get()};
  const ptx::Function *kernel = loaded.module->findFunction(symbol);
  if (!kernel || !kernel->isKernel)
    return Status(StatusCode::InvalidArgument, codeName + ": no kernel '" + symbol + "'");
  ProgramBuilder builder(loaded.module, loaded.text, target);
  ptx::Error error;
  std::unique_ptr<Program> program = builder.build(*kernel, error);
  if (!program)
    return codeError(StatusCode::Unsupported, error);
  program->ptxName = codeName;
  function = std::make_unique<LoadedFunction>();
  function->module = &loaded;
  function->program = program.get();
  loaded.programs[symbol] = std::move(program);
  return Function{function.get()};
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Status Implementation::findingsStatus(const std::string &name) const {
  std::vector<Finding> all = findings.all();
  if (all.empty())
    return {};
  std::string text = std::to_string(all.size()) + (all.size() == 1 ? " finding" : " findings");
  for (const Finding &finding : all)
    text += "\n" + finding.toString(name);
  return {StatusCode::CheckFailed, text};
}

Status Implementation::launch(const LaunchRequest &request) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (!request.function.handle)
    return Status::invalidArgument("a launch of no function");
  const auto &function = *static_cast<LoadedFunction *>(request.function.handle);
  const Program &program = *function.program;
  if (request.blocks.count() == 0)
    return Status::invalidArgument("a grid of no blocks");
  if (request.parameterCount != program.parameters.size())
    return Status::invalidArgument("kernel '" + program.kernel->name + "' has " +
                                   std::to_string(program.parameters.size()) + " parameters, found " +
                                   std::to_string(request.parameterCount));
  Grid grid;
  grid.program = &program;
  grid.target = &target;
  grid.options = runOptions;
  grid.blocks = request.blocks;
  grid.threads = request.threads;
  grid.clusterSize = request.cluster;
  // A kernel may fix its cluster itself; the launch then need not name it.
  const uint32_t *required = program.kernel->requiredCluster;
  if (required[0] && request.cluster.count() == 1)
    grid.clusterSize = Dim3(required[0], std::max(required[1], 1u), std::max(required[2], 1u));
  grid.dynamicSharedBytes = request.sharedBytes;
  grid.parameterBytes.assign(std::max<size_t>(program.parameterBytes, 1), std::byte{0});
  for (size_t i = 0; i < request.parameterCount; ++i) {
    const ParameterSlot &slot = program.parameters[i];
    if (request.parameterSizes && request.parameterSizes[i] != slot.bytes)
      return Status::invalidArgument("parameter " + std::to_string(i) + " of kernel '" + program.kernel->name +
                                     "' has " + std::to_string(slot.bytes) + " bytes, found " +
                                     std::to_string(request.parameterSizes[i]));
    std::memcpy(grid.parameterBytes.data() + slot.offset, request.parameters[i], slot.bytes);
  }
  grid.parameters.space = ptx::Space::Parameter;
  grid.parameters.size = program.parameterBytes;
  grid.parameters.bytes = grid.parameterBytes.data();
  grid.parameters.name = "parameters of the kernel";
  grid.parameters.readOnly = true;
  grid.memory = &memory;
  grid.variables = &function.module->variables;
  grid.findings = &findings;
  findings.clear();
  memory.forgetAccesses();
  runGrid(grid);
  counters = grid.counters;
  return findingsStatus(program.ptxName);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

Status Implementation::destroyEvent(tilec::Event event) {
  delete static_cast<Moment *>(event.handle);
  return {};
}

Status Implementation::record(tilec::Event event, Stream) {
  static_cast<Moment *>(event.handle)->time = std::chrono::steady_clock::now();
  return {};
}

Result<float> Implementation::elapsed(tilec::Event begin, tilec::Event end) {
  auto difference = static_cast<Moment *>(end.handle)->time - static_cast<Moment *>(begin.handle)->time;
  return std::chrono::duration<float, std::milli>(difference).count();
}

SimulatedDevice::~SimulatedDevice() = default;

std::unique_ptr<SimulatedDevice> SimulatedDevice::create(std::string_view name) {
  const mlir::tile::Target *target = mlir::tile::lookupTarget(name);
  if (!target)
    return nullptr;
  return std::make_unique<Implementation>(*target);
}

SimulatedDevice *sim::simulatedDevice(std::string_view target) {
  // Never destroyed, as kernels may be launched by other static objects' destructors.
  static auto *devices = new std::map<std::string, std::unique_ptr<SimulatedDevice>, std::less<>>;
  static auto *mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  auto found = devices->find(target);
  if (found == devices->end()) {
    std::unique_ptr<SimulatedDevice> device = SimulatedDevice::create(target);
    if (!device)
      return nullptr;
    found = devices->emplace(std::string(target), std::move(device)).first;
  }
  return found->second.get();
}
