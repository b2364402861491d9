/// A stand-in for libcuda that records what it is asked for. Memory is host memory; kernels do nothing; the sizes of
/// an entry's parameters are read from the PTX.
#ifndef TILEC_TEST_UNIT_RUNTIME_FAKEDRIVER_H
#define TILEC_TEST_UNIT_RUNTIME_FAKEDRIVER_H

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace fake {

struct Launch {
  std::string symbol;
  unsigned blocks = 0;
  unsigned threads = 0;
  unsigned sharedBytes = 0;
  unsigned cluster = 1;
  bool programmatic = false;
  void *stream = nullptr;
  void *context = nullptr;
  /// The bytes of each parameter, low address first.
  std::vector<std::vector<uint8_t>> parameters;
};

struct State {
  std::mutex mutex;

  // What the driver claims to be; read when a device is first seen.
  int deviceCount = 2;
  int sm = 80;
  int version = 12080;
  int maxShared = 101376;

  /// Error to return from a call of that name.
  std::map<std::string, int> errors;
  /// What the just-in-time compiler says when cuModuleLoadDataEx fails.
  std::string jitLog;
  std::set<void *> capturing;

  // What was asked for.
  std::vector<Launch> launches;
  std::vector<std::string> modules;
  /// Largest dynamic shared memory that an entry opted in to.
  std::map<std::string, int> optedIn;
  /// Blocks of memory that are allocated now.
  std::map<void *, size_t> memory;
  std::vector<int> captureModes;
};

} // namespace fake

extern "C" {
/// The one state of the driver.
fake::State *fakeState();
/// A new context, made current in this thread.
void *fakeNewContext();
/// Sets the thread's context; null: none.
void fakeSetContext(void *context);
void *fakeGetContext();
}

#endif // TILEC_TEST_UNIT_RUNTIME_FAKEDRIVER_H
