#include "test/Simulator/conformance/Approximations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace conformance;

namespace {
struct Type {
  unsigned bits, fraction;
  int bias;
};
} // namespace

static Type typeOf(const Form &form) {
  const std::string &type = form.destinations[0].type;
  if (type.rfind("bf16", 0) == 0)
    return {16, 7, 127};
  if (type.rfind("f16", 0) == 0)
    return {16, 10, 15};
  if (type == "f64")
    return {64, 52, 1023};
  return {32, 23, 127};
}

static bool isPair(const Form &form) { return form.destinations[0].type.find("x2") != std::string::npos; }

static double valueOf(Type type, uint64_t bits) {
  const unsigned exponentBits = type.bits - 1 - type.fraction;
  const uint64_t fraction = bits & ((uint64_t(1) << type.fraction) - 1);
  const int exponent = static_cast<int>(bits >> type.fraction & ((1u << exponentBits) - 1));
  const double sign = bits >> (type.bits - 1) & 1 ? -1.0 : 1.0;
  if (exponent == (1 << exponentBits) - 1)
    return fraction ? std::nan("") : sign * INFINITY;
  const double significand = static_cast<double>(fraction) / std::ldexp(1.0, static_cast<int>(type.fraction));
  return sign * std::ldexp(exponent ? 1 + significand : significand, (exponent ? exponent : 1) - type.bias);
}

static double flushed(Type type, double value) {
  return std::fabs(value) < std::ldexp(1.0, 1 - type.bias) ? std::copysign(0.0, value) : value;
}

static double exactly(const std::string &function, double a, double b) {
  if (function == "sin")
    return std::sin(a);
  if (function == "cos")
    return std::cos(a);
  if (function == "ex2")
    return std::exp2(a);
  if (function == "lg2")
    return std::log2(a);
  if (function == "tanh")
    return std::tanh(a);
  if (function == "rcp")
    return 1 / a;
  if (function == "rsqrt")
    return 1 / std::sqrt(a);
  if (function == "sqrt")
    return std::sqrt(a);
  return a / b;
}

static bool elementWithin(const Form &form, Type type, uint64_t aBits, uint64_t bBits, uint64_t bits) {
  const std::string option = form.options.at("approx");
  const size_t colon = option.find(':');
  const std::string function = option.substr(0, colon);
  std::string bound = option.substr(colon + 1);
  // Operands of rcp.approx.ftz.f64 and the like: the upper half counts.
  const bool upper = form.name.find(".approx.ftz.f64") != std::string::npos;
  if (upper)
    aBits = aBits >> 32 << 32;
  double a = valueOf(type, aBits), b = valueOf(type, bBits), found = valueOf(type, bits);
  const bool flush = form.name.find(".ftz") != std::string::npos;
  if (flush)
    a = flushed(type, a), b = flushed(type, b);
  double expected = exactly(function, a, b);
  if (flush && std::fabs(expected) < std::ldexp(1.0, 1 - type.bias)) {
    // The result may round up to the smallest normal number, or be flushed.
    if (std::fabs(found) < std::ldexp(1.0001, 1 - type.bias))
      return true;
  }
  const bool trigonometric = function == "sin" || function == "cos";
  if (trigonometric && std::isfinite(a)) {
    const double pi = 3.14159265358979;
    if (std::fabs(a) > 100 * pi)
      return std::fabs(found) <= 1.01;
    bound = std::fabs(a) > 2 * pi ? "abs14.7" : bound;
  }
  // The bound of div.approx begins at normal divisors.
  if (form.name.rfind("div.approx", 0) == 0 && b != 0 && std::fabs(b) < std::ldexp(1.0, -126))
    return true;
  if (function == "div" && form.name.find(".approx") != std::string::npos && std::fabs(b) > std::ldexp(1.0, 126) &&
      std::isfinite(b))
    return std::isinf(a) || std::isnan(a) ? std::isnan(found) : found == 0;
  if (function == "lg2")
    bound = a > 0.5 && a < 2 ? "abs22" : "rel22";
  if (std::isnan(expected))
    return std::isnan(found);
  if (bound == "none")
    return true;
  const double error = std::fabs(found - expected), amount = std::strtod(bound.c_str() + 3, nullptr);
  const double greatest = valueOf(type, ((uint64_t(1) << (type.bits - 1)) - 1) - (uint64_t(1) << type.fraction));
  if (std::isinf(expected))
    return found == expected;
  if (std::isnan(found))
    return false;
  int exponent = expected == 0 ? 1 - type.bias : std::max(std::ilogb(expected), 1 - type.bias);
  const double ulp = std::ldexp(1.0, exponent - static_cast<int>(type.fraction));
  if (std::isinf(found))
    return std::fabs(expected) > greatest - 2 * ulp;
  // Half a unit for the rounding of a result where the bound is on the function itself.
  if (bound.rfind("ulp", 0) == 0)
    return error <= (amount + 0.5) * ulp;
  if (bound.rfind("rel", 0) == 0)
    return error <= std::exp2(-amount) * std::fabs(expected) + ulp / 2;
  return error <= std::exp2(-amount) + ulp / 2;
}

bool conformance::withinBound(const Form &form, uint64_t a, uint64_t b, uint64_t result) {
  const Type type = typeOf(form);
  if (!isPair(form))
    return elementWithin(form, type, a, b, result);
  return elementWithin(form, type, a & 0xffff, b & 0xffff, result & 0xffff) &&
         elementWithin(form, type, a >> 16, b >> 16, result >> 16);
}

static double elementsApart(Type type, uint64_t one, uint64_t other) {
  const double x = valueOf(type, one), y = valueOf(type, other);
  if (std::isnan(x) && std::isnan(y))
    return 0;
  auto ordered = [&](uint64_t bits) {
    const uint64_t sign = uint64_t(1) << (type.bits - 1);
    return bits & sign ? -static_cast<double>(bits & ~sign) : static_cast<double>(bits);
  };
  return std::fabs(ordered(one) - ordered(other));
}

double conformance::unitsApart(const Form &form, uint64_t one, uint64_t other) {
  const Type type = typeOf(form);
  if (!isPair(form))
    return elementsApart(type, one, other);
  return std::max(elementsApart(type, one & 0xffff, other & 0xffff), elementsApart(type, one >> 16, other >> 16));
}
