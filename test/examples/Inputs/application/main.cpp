#include "scale.h"

#include <cstdio>

int main() {
  const tilec::KernelTable &table = app::scale::table();
  std::printf("%s takes %zu arguments; tiles of", table.name, table.arguments.count);
  for (const tilec::ConfigurationInfo &configuration : table.configurations)
    std::printf(" %lld", static_cast<long long>(configuration.steps[0]));
  std::printf("\n");
}
