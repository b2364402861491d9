// Checks of the maths library and of rounding. Functions are compared with the host's in double, within the errors that
// the CUDA programming guide states (Mathematical Functions), with some room for chains of them; rounded arithmetic to
// the bit.
#include "test/Simulator/programs/Programs.h"

#include <cfenv>
#include <cstring>
#include <limits>

using namespace programs;

static double normal(double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); }

template <typename T> static void checkPrices(Trial &trial, const char *kernel, int size, double tolerance) {
  const T rate = T(0.03), volatility = T(0.25);
  std::vector<T> spot = trial.uniform<T>(size, 5, 50), strike = trial.uniform<T>(size, 5, 50),
                 years = trial.uniform<T>(size, T(0.1), 5);
  std::vector<double> calls(size), puts(size);
  for (int i = 0; i < size; ++i) {
    double s = spot[i], k = strike[i], t = years[i], v = volatility, r = rate;
    double d1 = (std::log(s / k) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t)), d2 = d1 - v * std::sqrt(t);
    double discounted = k * std::exp(-r * t);
    calls[i] = s * normal(d1) - discounted * normal(d2);
    puts[i] = discounted * normal(-d2) - s * normal(-d1);
  }
  T *call = trial.output<T>(size), *put = trial.output<T>(size);
  trial.launch(kernel, {blocksFor(size, 128), 128}, trial.input(spot), trial.input(strike), trial.input(years), size,
               rate, volatility, call, put);
  trial.near("call", trial.read(call, size), calls, tolerance, 0);
  trial.near("put", trial.read(put, size), puts, tolerance, 0);
}

static void checkBothPrices(Trial &trial, double singleTolerance) {
  for (int size : {1, 333}) {
    trial.sizes(size);
    checkPrices<double>(trial, "priceDouble", size, 1e-12);
    checkPrices<float>(trial, "priceSingle", size, singleTolerance);
  }
}

void programs::checkBlackScholes(Trial &trial) { checkBothPrices(trial, 1e-4); }

void programs::checkBlackScholesFast(Trial &trial) { checkBothPrices(trial, 1e-3); }

namespace {
/// A function with the error allowed to it; kernels write the results of one function after another.
struct Reference {
  const char *name;
  double (*function)(double);
  double absolute, relative;
};
} // namespace

template <typename T>
static void checkAgainst(Trial &trial, const char *kernel, const std::vector<T> &x,
                         const std::vector<Reference> &references) {
  int size = static_cast<int>(x.size());
  T *output = trial.output<T>(references.size() * size);
  trial.launch(kernel, {blocksFor(size, 64), 64}, trial.input(x), size, output);
  std::vector<T> found = trial.read(output, references.size() * size);
  for (size_t r = 0; r < references.size(); ++r) {
    std::vector<double> expected(size);
    for (int i = 0; i < size; ++i)
      expected[i] = references[r].function(static_cast<double>(x[i]));
    trial.near(references[r].name, std::vector<T>(found.begin() + r * size, found.begin() + (r + 1) * size), expected,
               references[r].absolute, references[r].relative);
  }
}

/// Values of either sign with magnitudes spread evenly over the exponents.
template <typename T> static std::vector<T> magnitudes(Trial &trial, int size, T lowest, T highest) {
  std::vector<T> values = trial.uniform<T>(size, std::log(lowest), std::log(highest));
  for (int i = 0; i < size; ++i)
    values[i] = (i % 2 ? -1 : 1) * std::exp(values[i]);
  return values;
}

void programs::checkFunctions(Trial &trial) {
  const double half = 1.0 / (1 << 22); // two units in the last place of a float, relative
  for (int size : {1, 200}) {
    trial.sizes(size);
    checkAgainst<float>(
        trial, "singleFunctions", magnitudes<float>(trial, size, 1e-20f, 1e25f),
        {{"sinf", [](double x) { return std::sin(x); }, half, half},
         {"cosf", [](double x) { return std::cos(x); }, half, half},
         {"powf", [](double x) { return std::pow(std::fabs(x), static_cast<double>(0.3f)); }, 0, 4 * half},
         {"tanhf", [](double x) { return std::tanh(x); }, 0, half},
         {"cbrtf", [](double x) { return std::cbrt(x); }, 0, half},
         {"log1pf", [](double x) { return std::log1p(std::fabs(x)); }, 0, half},
         {"fmodf", [](double x) { return std::fmod(x, static_cast<double>(0.37f)); }, 0, 0},
         {"atan2f", [](double x) { return std::atan2(x, 1.5); }, 0, 2 * half},
         {"hypotf", [](double x) { return std::hypot(x, 3.0); }, 0, 2 * half}});
    checkAgainst<double>(trial, "doubleFunctions", magnitudes<double>(trial, size, 1e-30, 1e40),
                         {{"sin", [](double x) { return std::sin(x); }, 1e-15, 1e-15},
                          {"cos", [](double x) { return std::cos(x); }, 1e-15, 1e-15},
                          {"pow", [](double x) { return std::pow(std::fabs(x), 0.3); }, 0, 1e-15},
                          {"tanh", [](double x) { return std::tanh(x); }, 0, 1e-15},
                          {"cbrt", [](double x) { return std::cbrt(x); }, 0, 1e-15},
                          {"log1p", [](double x) { return std::log1p(std::fabs(x)); }, 0, 1e-15},
                          {"rsqrt", [](double x) { return 1 / std::sqrt(std::fabs(x)); }, 0, 1e-15},
                          {"atan2", [](double x) { return std::atan2(x, 1.5); }, 0, 1e-15},
                          {"lgamma", [](double x) { return std::lgamma(std::fabs(x)); }, 1e-14, 1e-14}});
    checkAgainst<float>(trial, "fastFunctions", trial.uniform<float>(size, 0.1f, 3.0f),
                        {{"__sinf", [](double x) { return std::sin(x); }, 1e-6, 0},
                         {"__cosf", [](double x) { return std::cos(x); }, 1e-6, 0},
                         {"__expf", [](double x) { return std::exp(x); }, 0, 1e-6},
                         {"__logf", [](double x) { return std::log(x); }, 1e-6, 1e-6},
                         {"__fdividef", [](double x) { return 1 / x; }, 0, half},
                         {"__powf", [](double x) { return std::pow(x, static_cast<double>(1.7f)); }, 0, 4e-6},
                         {"rsqrtf", [](double x) { return 1 / std::sqrt(x); }, 0, half},
                         {"__tanhf", [](double x) { return std::tanh(x); }, 0, 1e-3}});
  }
}

namespace {
/// As the kernel's struct of the same name.
struct Rounded {
  float sum[4], product[4], quotient[4], root[4], fused[4], narrowed[4];
  int whole[4];
};
} // namespace

/// Volatile operands keep the compiler from computing under another rounding mode.
static Rounded roundedOnHost(volatile float x, volatile float y, volatile float z, volatile double d) {
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  Rounded results = {};
  for (int i = 0; i < 4; ++i) {
    std::fesetround(modes[i]);
    volatile float sum = x + y, product = x * y, quotient = x / y, narrowed = static_cast<float>(d);
    volatile float root = std::sqrt(std::fabs(x)), fused = std::fma(x, y, z);
    volatile double whole = std::nearbyint(static_cast<double>(x));
    std::fesetround(FE_TONEAREST);
    results.sum[i] = sum;
    results.product[i] = product;
    results.quotient[i] = quotient;
    results.root[i] = root;
    results.fused[i] = fused;
    results.narrowed[i] = narrowed;
    const double least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    results.whole[i] = static_cast<int>(std::fmin(std::fmax(whole, least), most));
  }
  return results;
}

void programs::checkRounding(Trial &trial) {
  for (int size : {1, 500}) {
    trial.sizes(size);
    std::vector<float> x = magnitudes<float>(trial, size, 1e-3f, 1e12f),
                       y = magnitudes<float>(trial, size, 1e-9f, 1e9f),
                       z = magnitudes<float>(trial, size, 1e-9f, 1e15f);
    std::vector<double> d = magnitudes<double>(trial, size, 1e-42, 1e36); // some are subnormal as floats
    for (int i = 0; i < size; i += 10) {
      x[i] *= 1e-44f; // subnormal
      y[i] = std::ldexp(y[i], 40);
    }
    std::vector<float> expected;
    std::vector<int> expectedWhole;
    for (int i = 0; i < size; ++i) {
      Rounded host = roundedOnHost(x[i], y[i], z[i], d[i]);
      const float *first = reinterpret_cast<const float *>(&host);
      expected.insert(expected.end(), first, first + 24);
      expectedWhole.insert(expectedWhole.end(), host.whole, host.whole + 4);
    }
    Rounded *output = trial.output<Rounded>(size);
    trial.launch("roundSingle", {blocksFor(size, 64), 64}, trial.input(x), trial.input(y), trial.input(z),
                 trial.input(d), size, output);
    std::vector<float> found;
    std::vector<int> foundWhole;
    for (const Rounded &result : trial.read(output, size)) {
      const float *first = reinterpret_cast<const float *>(&result);
      found.insert(found.end(), first, first + 24);
      foundWhole.insert(foundWhole.end(), result.whole, result.whole + 4);
    }
    trial.equal("rounded", found, expected);
    trial.equal("whole", foundWhole, expectedWhole);
  }
}
