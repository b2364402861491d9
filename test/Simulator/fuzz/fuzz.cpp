/// Whatever PTX text is loaded and launched: an error or findings, never a crash or a run without end. libFuzzer looks
/// for a text that breaks this; see README.md.
#include "test/Simulator/fuzz/Mutator.h"
#include "test/Simulator/fuzz/Trial.h"

#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The device takes text that ends with a zero.
  std::string text(reinterpret_cast<const char *>(data), size);
  fuzz::tryText(text.c_str());
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static size_t keep(const std::string &text, uint8_t *data, size_t most) {
  size_t size = text.size() < most ? text.size() : most;
  std::memcpy(data, text.data(), size);
  return size;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  std::mt19937_64 random(seed);
  if (random() % 16 == 0)
    return LLVMFuzzerMutate(data, size, most);
  return keep(fuzz::mutated(std::string(reinterpret_cast<const char *>(data), size), random), data, most);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t otherSize,
                                            uint8_t *out, size_t most, unsigned seed) {
  std::mt19937_64 random(seed);
  return keep(fuzz::crossed(std::string(reinterpret_cast<const char *>(data), size),
                            std::string(reinterpret_cast<const char *>(other), otherSize), random),
              out, most);
}
