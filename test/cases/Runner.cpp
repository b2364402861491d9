#include "test/cases/Runner.h"

#include "test/cases/FloatCodes.h"
#include "test/cases/Reference.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

using namespace cases;
using tilec::Device;
using tilec::GuardedMemory;
using tilec::Status;

namespace {
/// One run of a case: its buffers here and on the device.
class Run {
public:
  Run(Device &device, const CompiledCase &compiled, const Case &spec, const Sizes &sizes)
      : device(device), compiled(compiled), spec(spec), sizes(sizes) {}

  Outcome execute();

private:
  Status prepare();
  Status launch();
  Status fetch();
  Status makeTables();
  Status compare(const Expectation &expectation, double &error);
  Status checkSurroundings();
  HostBuffer *find(const std::string &name);

  Device &device;
  const CompiledCase &compiled;
  const Case &spec;
  const Sizes &sizes;
  std::vector<HostBuffer> buffers;
  std::vector<GuardedMemory> memories;
};
} // namespace

static bool isOutput(const HostBuffer &buffer) { return buffer.spec->generator.kind == Generator::Kind::Output; }
static bool isTable(const HostBuffer &buffer) { return buffer.spec->generator.kind == Generator::Kind::Table; }

static std::string sizesText(const Sizes &sizes) {
  std::string text;
  for (const auto &[name, value] : sizes)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

HostBuffer *Run::find(const std::string &name) {
  for (HostBuffer &buffer : buffers)
    if (buffer.spec->name == name)
      return &buffer;
  return nullptr;
}

Status Run::prepare() {
  std::string error;
  for (const BufferSpec &bufferSpec : spec.buffers) {
    HostBuffer made = makeBuffer(bufferSpec, sizes, error);
    if (error.empty() && bufferSpec.generator.kind == Generator::Kind::Formula)
      fillByFormula(made, spec, sizes, buffers, error);
    if (!error.empty())
      return Status::invalidArgument(bufferSpec.name + ": " + error);
    buffers.push_back(std::move(made));
    if (isTable(buffers.back())) {
      memories.emplace_back();
      continue;
    }
    size_t offset = size_t(bufferSpec.offset) * size_t(tilec::elementBits(bufferSpec.type)) / 8;
    tilec::Result<GuardedMemory> memory = isOutput(buffers.back())
                                              ? GuardedMemory::allocate(device, buffers.back().size(), offset)
                                              : GuardedMemory::from(device, buffers.back().bytes, offset);
    if (!memory)
      return memory.status();
    memories.push_back(std::move(*memory));
  }
  return {};
}

/// A scalar argument of any type.
static tilec::Argument scalarArgument(const ScalarSpec &scalar, double value) {
  tilec::Argument argument(int64_t(0));
  argument.type = scalar.type;
  argument.scalarBits = isFloatType(scalar.type) ? codeOf(scalar.type, value) : uint64_t(int64_t(value));
  return argument;
}

Status Run::launch() {
  std::vector<tilec::Argument> arguments;
  for (const tilec::ArgumentInfo &info : compiled.table->arguments) {
    size_t before = arguments.size();
    for (size_t i = 0; i < buffers.size(); ++i)
      if (buffers[i].spec->name == info.name && !isTable(buffers[i])) {
        tilec::AnyView view = tilec::AnyView::contiguous(memories[i].data(), buffers[i].spec->type,
                                                         buffers[i].extents.data(), int(buffers[i].extents.size()));
        std::copy(buffers[i].strides.begin(), buffers[i].strides.end(), view.strides);
        arguments.push_back(view);
      }
    for (const ScalarSpec &scalar : spec.scalars)
      if (scalar.name == info.name) {
        std::string error;
        arguments.push_back(scalarArgument(scalar, evaluateSize(scalar.value, sizes, error)));
        if (!error.empty())
          return Status::invalidArgument(error);
      }
    if (arguments.size() != before + 1)
      return Status::invalidArgument("the case has no '" + std::string(info.name) + "'");
  }
  Status status = tilec::launchKernel(*compiled.table, {arguments.data(), arguments.size()}, device);
  return status ? device.synchronize() : status;
}

/// Tables may be about the outputs, so they are made when those are there.
Status Run::makeTables() {
  std::string error;
  for (HostBuffer &buffer : buffers)
    if (isTable(buffer) && error.empty()) {
      fillByFormula(buffer, spec, sizes, buffers, error);
      if (!error.empty())
        error = buffer.spec->name + ": " + error;
    }
  return error.empty() ? Status() : Status::invalidArgument(error);
}

Status Run::fetch() {
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (!isOutput(buffers[i]))
      continue;
    tilec::Result<std::vector<uint8_t>> bytes = memories[i].toHost<uint8_t>();
    if (!bytes)
      return bytes.status();
    buffers[i].bytes = std::move(*bytes);
  }
  return {};
}

/// Guard bytes, and the gaps between rows of outputs.
Status Run::checkSurroundings() {
  constexpr int64_t largestSearched = int64_t(1) << 28;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const HostBuffer &buffer = buffers[i];
    if (isTable(buffer))
      continue;
    if (Status intact = memories[i].checkGuards(); !intact)
      return {intact.code(), buffer.spec->name + ": " + intact.message()};
    if (!isOutput(buffer) || buffer.span() == buffer.count() || buffer.span() > largestSearched)
      continue;
    std::vector<bool> inside(size_t(buffer.span()), false);
    int64_t indices[tilec::maxRank];
    for (int64_t e = 0, count = buffer.count(); e < count; ++e)
      inside[size_t(buffer.position(e, indices))] = true;
    for (int64_t e = 0; e < buffer.span(); ++e)
      if (!inside[size_t(e)] && !buffer.isPoison(e))
        return Status::invalidArgument(buffer.spec->name + ": element " + std::to_string(e) +
                                       " in a gap between rows was overwritten");
  }
  return {};
}

//===-- Comparison
//--------------------------------------------------------------------------------------------------===//

namespace {
/// Differences, added up by one thread at a time.
struct Difference {
  double differences = 0, references = 0, worst = 0;
  /// The first element, in row-major order, that is over the bound.
  int64_t first = std::numeric_limits<int64_t>::max();
  double out = 0, reference = 0;
  int64_t wrong = 0;

  void add(Tolerance::Kind kind, double bound, int64_t element, double value, double expected) {
    bool same = value == expected || (std::isnan(value) && std::isnan(expected));
    double distance = same ? 0 : std::fabs(value - expected);
    if (kind == Tolerance::Kind::Bits && value == 0 && expected == 0 && std::signbit(value) != std::signbit(expected))
      distance = std::numeric_limits<double>::infinity();
    if (std::isnan(distance))
      distance = std::numeric_limits<double>::infinity();
    double error = distance;
    if (kind == Tolerance::Kind::Each)
      error /= std::max(1.0, std::isfinite(expected) ? std::fabs(expected) : 1.0);
    else if (kind == Tolerance::Kind::Strict && distance != 0)
      error /= std::isfinite(expected) ? std::fabs(expected) : 1.0;
    differences += distance * distance;
    if (std::isfinite(expected))
      references += expected * expected;
    worst = std::max(worst, error);
    if (kind != Tolerance::Kind::Relative && error > bound) {
      ++wrong;
      if (element < first) {
        first = element;
        out = value;
        reference = expected;
      }
    }
  }
  void add(const Difference &other) {
    differences += other.differences;
    references += other.references;
    worst = std::max(worst, other.worst);
    wrong += other.wrong;
    if (other.first < first) {
      first = other.first;
      out = other.out;
      reference = other.reference;
    }
  }
  double relative() const { return references > 0 ? std::sqrt(differences / references) : std::sqrt(differences); }
};
} // namespace

static std::string numberText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

static std::string elementText(const HostBuffer &buffer, int64_t element) {
  int64_t indices[tilec::maxRank];
  (void)buffer.position(element, indices);
  std::string text = buffer.spec->name + "[";
  for (size_t i = 0; i < buffer.extents.size(); ++i)
    text += (i ? ", " : "") + std::to_string(indices[i]);
  return text + "]";
}

Status Run::compare(const Expectation &expectation, double &error) {
  HostBuffer *output = find(expectation.buffer);
  if (!output || expectation.indices.size() != output->extents.size())
    return Status::invalidArgument("no output " + expectation.buffer + " of that rank");
  std::string problem;
  Reference reference(expectation.expression, expectation.indices, spec, sizes, buffers, problem);
  double bound = problem.empty() ? evaluateSize(expectation.tolerance.bound, sizes, problem) : 0;
  if (!problem.empty())
    return Status::invalidArgument(problem);

  Difference difference;
  std::mutex mutex;
  int64_t total = output->count(), compared = spec.sample ? std::min(spec.sample, total) : total;
  parallel(compared, [&](int64_t first, int64_t last) {
    Scope scope = reference.scope();
    Difference part;
    int64_t indices[tilec::maxRank];
    for (int64_t i = first; i < last; ++i) {
      // A draw without order: multiples of an odd number near the golden section of the total, plus both ends.
      int64_t element = compared == total ? i
                        : i == 0          ? 0
                        : i == 1          ? total - 1
                                          : int64_t(double(total) * std::fmod(double(i) * 0.6180339887498949, 1.0));
      int64_t where = output->position(element, indices);
      part.add(expectation.tolerance.kind, bound, element, valueOf(output->spec->type, output->code(where)),
               reference.at(scope, indices, output->extents.size()));
    }
    std::lock_guard<std::mutex> lock(mutex);
    difference.add(part);
  });
  bool isRelative = expectation.tolerance.kind == Tolerance::Kind::Relative;
  double measured = isRelative ? difference.relative() : difference.worst;
  error = std::max(error, measured);
  if (isRelative && !(measured <= bound))
    return Status::invalidArgument(expectation.buffer + ": relative error " + numberText(measured) +
                                   ", expected at most " + numberText(bound));
  if (difference.wrong)
    return Status::invalidArgument(elementText(*output, difference.first) + " is " + numberText(difference.out) +
                                   ", expected " + numberText(difference.reference) + "; " +
                                   std::to_string(difference.wrong) + " of " + std::to_string(compared) + " are wrong");
  return {};
}

Outcome Run::execute() {
  Outcome outcome;
  outcome.run = sizesText(sizes);
  Status status = prepare();
  if (status)
    status = launch();
  if (status)
    status = fetch();
  if (status)
    status = makeTables();
  for (const Expectation &expectation : spec.expectations)
    if (status)
      status = compare(expectation, outcome.error);
  if (status)
    status = checkSurroundings();
  for (int i = 0; status && i < spec.repeat; ++i) {
    std::vector<HostBuffer> before = buffers;
    for (size_t b = 0; b < buffers.size() && status; ++b)
      if (isOutput(buffers[b]))
        status = memories[b].poison();
    if (status)
      status = launch();
    if (status)
      status = fetch();
    for (size_t b = 0; b < buffers.size() && status; ++b)
      if (buffers[b].bytes != before[b].bytes)
        status = Status::invalidArgument(buffers[b].spec->name + " has other bits in run " + std::to_string(i + 2));
  }
  outcome.kind = status ? Outcome::Kind::Right : Outcome::Kind::Wrong;
  outcome.note = status.message();
  return outcome;
}

std::vector<Outcome> cases::runCase(Device &device, const CompiledCase &compiled) {
  std::string error;
  Case spec = parseCase(compiled.name, compiled.text, compiled.definitions, error);
  Outcome outcome;
  if (!error.empty()) {
    outcome.kind = Outcome::Kind::Wrong;
    outcome.note = error;
    return {outcome};
  }
  const tilec::DeviceProperties &properties = device.properties();
  if (properties.sm < spec.minimumSm || (spec.gpuOnly && properties.driverVersion == 0)) {
    outcome.kind = Outcome::Kind::Skipped;
    outcome.note = spec.gpuOnly ? "needs a GPU" : "needs sm_" + std::to_string(spec.minimumSm);
    return {outcome};
  }
  std::vector<Outcome> outcomes;
  bool isSimulated = properties.driverVersion == 0 && !spec.simulatedRuns.empty();
  for (const Sizes &sizes : isSimulated ? spec.simulatedRuns : spec.runs) {
    auto begin = std::chrono::steady_clock::now();
    outcomes.push_back(Run(device, compiled, spec, sizes).execute());
    outcomes.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return outcomes;
}
