#include "test/unit/Runtime/FakeDriverClient.h"

#include "lib/Runtime/Driver.h"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace {
struct Client {
  decltype(&fakeState) state;
  decltype(&fakeNewContext) newContext;
  decltype(&fakeSetContext) setContext;
  decltype(&fakeGetContext) getContext;
};
} // namespace

static Client &client() {
  static Client instance = [] {
    tilec::Status loaded = tilec::driver::load(TILEC_FAKE_DRIVER);
    void *library = dlopen(TILEC_FAKE_DRIVER, RTLD_NOW);
    if (!loaded || !library) {
      std::fprintf(stderr, "cannot load the fake driver: %s\n", loaded.message().c_str());
      std::abort();
    }
    Client found;
    found.state = reinterpret_cast<decltype(found.state)>(dlsym(library, "fakeState"));
    found.newContext = reinterpret_cast<decltype(found.newContext)>(dlsym(library, "fakeNewContext"));
    found.setContext = reinterpret_cast<decltype(found.setContext)>(dlsym(library, "fakeSetContext"));
    found.getContext = reinterpret_cast<decltype(found.getContext)>(dlsym(library, "fakeGetContext"));
    return found;
  }();
  return instance;
}

fake::State &fake::driver() { return *client().state(); }

void *fake::freshContext(int sm, int version) {
  State &state = driver();
  state.sm = sm;
  state.version = version;
  state.maxShared = 101376;
  state.errors.clear();
  state.jitLog.clear();
  state.capturing.clear();
  state.launches.clear();
  state.modules.clear();
  state.optedIn.clear();
  state.captureModes.clear();
  return client().newContext();
}

void fake::setContext(void *context) { client().setContext(context); }
void *fake::getContext() { return client().getContext(); }
