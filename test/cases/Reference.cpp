#include "test/cases/Reference.h"

#include "test/cases/FloatCodes.h"

#include <algorithm>
#include <thread>

using namespace cases;

Reference::Reference(const std::string &text, const std::vector<std::string> &indices, const Case &spec,
                     const Sizes &sizes, const std::vector<HostBuffer> &buffers, std::string &error) {
  Names names;
  for (const auto &[name, value] : sizes) {
    names.values.push_back(name);
    start.values.push_back(double(value));
  }
  std::string problem;
  for (const ScalarSpec &scalar : spec.scalars) {
    names.values.push_back(scalar.name);
    double value = evaluateSize(scalar.value, sizes, problem);
    start.values.push_back(isFloatType(scalar.type) ? rounded(scalar.type, value) : value);
  }
  firstIndex = names.values.size();
  names.values.insert(names.values.end(), indices.begin(), indices.end());
  for (const HostBuffer &buffer : buffers)
    names.buffers.push_back(buffer.spec->name);
  if (problem.empty())
    expression = Expression::parse(text, names, problem);
  if (!problem.empty())
    error = problem;
  start.values.resize(names.values.size());
  start.element = [&buffers](int number, const int64_t *where, size_t count) {
    return buffers[size_t(number)].at(where, count);
  };
}

double Reference::at(Scope &scope, const int64_t *where, size_t rank) const {
  for (size_t dim = 0; dim < rank; ++dim)
    scope.values[firstIndex + dim] = double(where[dim]);
  return expression.evaluate(scope);
}

void cases::parallel(int64_t count, const std::function<void(int64_t, int64_t)> &body) {
  int64_t threads = std::max<int64_t>(1, std::min<int64_t>(std::thread::hardware_concurrency(), count / 64 + 1));
  std::vector<std::thread> pool;
  for (int64_t i = 1; i < threads; ++i)
    pool.emplace_back([&, i] { body(count * i / threads, count * (i + 1) / threads); });
  body(0, count / threads);
  for (std::thread &thread : pool)
    thread.join();
}

void cases::fillByFormula(HostBuffer &buffer, const Case &spec, const Sizes &sizes,
                          const std::vector<HostBuffer> &before, std::string &error) {
  const Generator &generator = buffer.spec->generator;
  Reference reference(generator.expression, generator.indices, spec, sizes, before, error);
  if (!error.empty())
    return;
  buffer.allocate();
  // Neighbours below eight bits share a byte, so the threads keep numbers and one of them writes.
  std::vector<double> values(size_t(buffer.count()));
  parallel(buffer.count(), [&](int64_t first, int64_t last) {
    Scope scope = reference.scope();
    int64_t indices[tilec::maxRank];
    for (int64_t i = first; i < last; ++i) {
      (void)buffer.position(i, indices);
      values[size_t(i)] = reference.at(scope, indices, buffer.extents.size());
    }
  });
  int64_t indices[tilec::maxRank];
  for (int64_t i = 0; i < buffer.count(); ++i)
    buffer.set(buffer.position(i, indices), codeOf(buffer.spec->type, values[size_t(i)]));
}
