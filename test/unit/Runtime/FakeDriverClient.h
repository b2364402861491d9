/// Loads the fake driver into a test program and gives access to its state.
#ifndef TILEC_TEST_UNIT_RUNTIME_FAKEDRIVERCLIENT_H
#define TILEC_TEST_UNIT_RUNTIME_FAKEDRIVERCLIENT_H

#include "lib/Runtime/Runtime.h"
#include "test/unit/Runtime/FakeDriver.h"

namespace fake {

/// The state of the driver that the runtime uses; loads it on the first call.
State &driver();

/// Forgets what was recorded, restores the defaults and makes a new context current, so that its device has the
/// given properties and an empty cache.
void *freshContext(int sm = 80, int version = 12080);

void setContext(void *context);
void *getContext();

/// The parameter's bytes as a T.
template <typename T> T as(const std::vector<uint8_t> &bytes) {
  T value{};
  if (bytes.size() == sizeof value)
    std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

} // namespace fake

#endif // TILEC_TEST_UNIT_RUNTIME_FAKEDRIVERCLIENT_H
