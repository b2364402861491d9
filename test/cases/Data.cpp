#include "test/cases/Data.h"

#include "test/cases/Expression.h"
#include "test/cases/FloatCodes.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace cases;
using tilec::ElementType;

double cases::evaluateSize(const std::string &text, const Sizes &sizes, std::string &error) {
  Names names;
  Scope scope;
  for (const auto &[name, value] : sizes) {
    names.values.push_back(name);
    scope.values.push_back(double(value));
  }
  std::string problem;
  Expression expression = Expression::parse(text, names, problem);
  if (!expression.isValid()) {
    error = problem + " in '" + text + "'";
    return 0;
  }
  scope.values.resize(names.values.size());
  return expression.evaluate(scope);
}

int64_t HostBuffer::count() const {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

int64_t HostBuffer::span() const {
  if (count() == 0)
    return 0;
  int64_t last = 0;
  for (size_t i = 0; i < extents.size(); ++i)
    last += (extents[i] - 1) * strides[i];
  return last + 1;
}

uint64_t HostBuffer::code(int64_t element) const {
  int bits = tilec::elementBits(spec->type);
  if (bits < 8)
    return tilec::packedCode(spec->type, bytes.data(), size_t(element));
  size_t size = size_t(bits) / 8;
  uint64_t result = 0;
  std::memcpy(&result, &bytes[size_t(element) * size], size);
  return result;
}

void HostBuffer::set(int64_t element, uint64_t code) {
  int bits = tilec::elementBits(spec->type);
  if (bits < 8)
    return tilec::setPackedCode(spec->type, bytes.data(), size_t(element), uint8_t(code));
  size_t size = size_t(bits) / 8;
  std::memcpy(&bytes[size_t(element) * size], &code, size);
}

bool HostBuffer::isPoison(int64_t element) const {
  int bits = tilec::elementBits(spec->type);
  return code(element) == (bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1);
}

double HostBuffer::at(const int64_t *indices, size_t rank) const {
  int64_t where = 0;
  for (size_t i = 0; i < rank && i < extents.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= extents[i])
      return 0;
    where += indices[i] * strides[i];
  }
  return valueOf(spec->type, code(where));
}

int64_t HostBuffer::position(int64_t i, int64_t *indices) const {
  int64_t where = 0;
  for (size_t dim = extents.size(); dim-- > 0;) {
    indices[dim] = i % extents[dim];
    i /= extents[dim];
    where += indices[dim] * strides[dim];
  }
  return where;
}

/// SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// Numbers that conversions and comparisons tend to get wrong.
static const double specials[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN(),
                                  0.5,
                                  1.5,
                                  -2.5,
                                  65504.0,
                                  65520.0,
                                  3.3895313892515355e38,
                                  1e-40,
                                  -1e-7,
                                  127.5,
                                  -128.5,
                                  255.5,
                                  256.0,
                                  2147483647.0,
                                  -2147483648.0,
                                  448.0,
                                  464.0,
                                  480.0,
                                  57344.0,
                                  61440.0};

static uint64_t generated(const BufferSpec &spec, int64_t i) {
  const Generator &generator = spec.generator;
  uint64_t bits = mix(mix(spec.seed + 0x1234567) + uint64_t(i));
  double u = (double(bits >> 11) + 0.5) / 9007199254740992.0;
  double value = 0;
  uint64_t codes = uint64_t(generator.high - generator.low) + 1; // of codes and bits, where they have a range
  switch (generator.kind) {
  case Generator::Kind::Normal: {
    double v = double(mix(bits) >> 11) / 9007199254740992.0;
    value = generator.low * std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    break;
  }
  case Generator::Kind::Uniform:
    value = generator.low + u * (generator.high - generator.low);
    break;
  case Generator::Kind::Integers:
    value = std::floor(generator.low + u * (generator.high - generator.low + 1));
    if (!isFloatType(spec.type))
      return uint64_t(int64_t(value)); // keeps the low bits, so that narrow types see all codes
    break;
  case Generator::Kind::Codes:
    return generator.high > generator.low ? uint64_t(generator.low) + uint64_t(i) % codes : uint64_t(i);
  case Generator::Kind::Bits:
    return generator.high > generator.low ? uint64_t(generator.low) + bits % codes : bits;
  case Generator::Kind::Iota:
    value = double(i);
    break;
  case Generator::Kind::Constant:
    value = generator.low;
    break;
  case Generator::Kind::Special:
    value = specials[uint64_t(i) % (sizeof specials / sizeof *specials)];
    break;
  case Generator::Kind::Output:
  case Generator::Kind::Formula:
  case Generator::Kind::Table:
    break;
  }
  return codeOf(spec.type, value);
}

HostBuffer cases::makeBuffer(const BufferSpec &spec, const Sizes &sizes, std::string &error) {
  HostBuffer buffer;
  buffer.spec = &spec;
  for (const std::string &extent : spec.extents)
    buffer.extents.push_back(int64_t(evaluateSize(extent, sizes, error)));
  int64_t gap = int64_t(evaluateSize(spec.gap, sizes, error)), stride = 1;
  size_t rank = buffer.extents.size();
  buffer.strides.resize(rank);
  for (size_t i = rank; i-- > 0;) {
    size_t dim = spec.order.empty() ? i : spec.order[i];
    buffer.strides[dim] = stride;
    stride *= buffer.extents[dim];
    if (i + 1 == rank && rank > 1)
      stride += gap;
  }
  Generator::Kind kind = spec.generator.kind;
  if (!error.empty() || kind == Generator::Kind::Output || kind == Generator::Kind::Formula ||
      kind == Generator::Kind::Table)
    return buffer;
  // Gaps hold NaN: a kernel that reads them shows it.
  buffer.allocate();
  int64_t indices[tilec::maxRank];
  for (int64_t i = 0, count = buffer.count(); i < count; ++i)
    buffer.set(buffer.position(i, indices), generated(spec, i));
  return buffer;
}
