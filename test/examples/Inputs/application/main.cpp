// Says what the header holds, and runs the kernel wherever this is.
#include "scale.h"

#include <cstdio>

static tilec::Status run(tilec::Device &device, std::vector<float> &y) {
  auto x = tilec::Buffer<float>::from(device, std::vector<float>(y.size(), 3));
  auto out = tilec::Buffer<float>::allocate(device, y.size());
  if (!x || !out)
    return x ? out.status() : x.status();
  int64_t size = static_cast<int64_t>(y.size());
#ifdef SCALE_IS_FIXED
  tilec::Status status = app::scale::launch(device, x->view(size), out->view(size));
#else
  tilec::Status status = app::scale::launch(device, x->view(size), out->view(size), 2.0f);
#endif
  if (!status)
    return status;
  auto result = out->toHost();
  if (!result)
    return result.status();
  y = *result;
  return {};
}

int main() {
  const tilec::KernelTable &table = app::scale::table();
  std::printf("%s takes %zu arguments; tiles of", table.name, table.arguments.count);
  for (const tilec::ConfigurationInfo &configuration : table.configurations)
    std::printf(" %lld", static_cast<long long>(configuration.steps[0]));
  std::printf("\n");

  tilec::Result<tilec::Device *> device = tilec::Device::any();
  if (!device) {
    std::printf("%s\n", device.message().c_str());
    return 1;
  }
  std::vector<float> y(1000);
  tilec::Status status = run(**device, y);
  for (float value : y)
    if (status && value != 6)
      status = tilec::Status::invalidArgument("found " + std::to_string(value) + ", expected 6");
  std::printf("%s: %s\n", (*device)->properties().name.c_str(), status ? "right" : status.message().c_str());
  return status ? 0 : 1;
}
