/// One run of a program on a device: the memory, launches and comparisons of a check, which reads as a list of steps.
/// The first step that fails ends the trial: later ones do nothing, so that checks need no error handling of their own.
#ifndef TILEC_TEST_SIMULATOR_PROGRAMS_TRIAL_H
#define TILEC_TEST_SIMULATOR_PROGRAMS_TRIAL_H

#include "lib/Runtime/Device.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace programs {

/// Where a kernel runs: the extents of grid, block and cluster, and the dynamic shared memory in bytes.
struct Shape {
  tilec::Dim3 blocks, threads;
  uint32_t sharedBytes = 0;
  tilec::Dim3 cluster = {};
  /// May begin before the previous kernel ends.
  bool programmatic = false;
};

/// Blocks of `threads` threads that cover `size` elements.
inline uint32_t blocksFor(int64_t size, int64_t threads) {
  return static_cast<uint32_t>((size + threads - 1) / threads);
}

/// A check's view of the device.
class Trial {
public:
  /// `ptx` outlives the trial. Equal seeds give equal data.
  Trial(tilec::Device &device, const std::string &ptx, uint64_t seed)
      : device(device), text(ptx.c_str()), random(seed) {}
  ~Trial();
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;

  /// Names the case at hand, such as "n = 1000", for messages.
  void begin(const std::string &name) { current = name; }
  /// Names the case by its sizes.
  template <typename... Sizes> void sizes(Sizes... values) {
    current = "sizes";
    ((current += " " + std::to_string(values)), ...);
  }
  /// Ends the trial as wrong.
  void fail(const std::string &why);
  bool failed() const { return !reason.empty(); }
  /// Why it failed, with the case; empty if it did not.
  const std::string &message() const { return reason; }

  /// Fresh random values in [low, high], both ends possible for integers.
  template <typename T> std::vector<T> uniform(size_t count, T low, T high) {
    std::vector<T> values(count);
    for (T &value : values)
      if constexpr (std::is_floating_point_v<T>)
        value = std::uniform_real_distribution<T>(low, high)(random);
      else
        value =
            static_cast<T>(std::uniform_int_distribution<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(
                low, high)(random));
    return values;
  }
  /// Fresh random bits.
  template <typename T> std::vector<T> bits(size_t count) {
    std::vector<T> values(count);
    for (T &value : values)
      value = static_cast<T>(random());
    return values;
  }

  /// Device memory with a copy of the values, freed at the trial's end.
  template <typename T> T *input(const std::vector<T> &values) {
    return static_cast<T *>(memoryWith(values.data(), values.size() * sizeof(T)));
  }
  /// Device memory full of poison, of which a program must overwrite every element.
  template <typename T> T *output(size_t count) { return static_cast<T *>(memoryOf(count * sizeof(T), 0xa5)); }
  template <typename T> T *zeros(size_t count) { return static_cast<T *>(memoryOf(count * sizeof(T), 0)); }
  /// The elements now, or zeros where the trial has failed.
  template <typename T> std::vector<T> read(const T *memory, size_t count) {
    std::vector<T> values(count);
    copyOut(values.data(), memory, count * sizeof(T));
    return values;
  }

  /// Runs a kernel and waits. The arguments have exactly the types of the kernel's parameters.
  template <typename... Args> void launch(const char *kernel, const Shape &shape, const Args &...arguments) {
    enqueue(kernel, shape, arguments...);
    synchronize(kernel);
  }
  /// Runs a kernel without waiting for its end.
  template <typename... Args> void enqueue(const char *kernel, const Shape &shape, const Args &...arguments) {
    void *pointers[] = {const_cast<void *>(static_cast<const void *>(&arguments))...};
    const uint32_t parameterSizes[] = {static_cast<uint32_t>(sizeof(Args))...};
    start(kernel, shape, pointers, parameterSizes, sizeof...(Args));
  }
  /// Waits for all that runs; a failure is the kernel's.
  void synchronize(const char *kernel);

  /// Fails unless both are the same; NaNs are equal to each other, and zeros of either sign.
  template <typename T> void equal(const char *what, const std::vector<T> &found, const std::vector<T> &expected) {
    for (size_t i = 0; i < expected.size() && !failed(); ++i)
      if (!(found[i] == expected[i]) && !(found[i] != found[i] && expected[i] != expected[i]))
        mismatch(what, i, static_cast<double>(found[i]), static_cast<double>(expected[i]), 0);
  }
  /// Fails where |found - expected| exceeds absolute + relative * |expected|. A NaN or infinity must be the same.
  template <typename T>
  void near(const char *what, const std::vector<T> &found, const std::vector<double> &expected, double absolute,
            double relative) {
    for (size_t i = 0; i < expected.size() && !failed(); ++i) {
      double value = static_cast<double>(found[i]), bound = absolute + relative * std::fabs(expected[i]);
      bool same = value == expected[i] || (std::isnan(value) && std::isnan(expected[i]));
      if (!same && !(std::fabs(value - expected[i]) <= bound))
        mismatch(what, i, value, expected[i], bound);
    }
  }

private:
  void *memoryOf(size_t bytes, uint8_t value);
  void *memoryWith(const void *values, size_t bytes);
  void copyOut(void *values, const void *memory, size_t bytes);
  void start(const char *kernel, const Shape &shape, void *const *parameters, const uint32_t *parameterSizes,
             size_t count);
  void mismatch(const char *what, size_t index, double found, double expected, double bound);
  void check(const tilec::Status &status, const char *step);

  tilec::Device &device;
  const char *const text;
  std::mt19937_64 random;
  std::string current, reason;
  std::vector<void *> allocations;
};

} // namespace programs

#endif // TILEC_TEST_SIMULATOR_PROGRAMS_TRIAL_H
