/// Names and sizes of what a module is made of.
#include "lib/Simulator/Ptx/Module.h"

#include <algorithm>

using namespace tilec::ptx;

namespace {
struct TypeRow {
  const char *name;
  unsigned bytes;
};
} // namespace

/// In the order of Type.
static constexpr TypeRow types[] = {
    {"none", 0}, {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16}, {"u8", 1},
    {"u16", 2},  {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},   {"s64", 8},
    {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},   {"pred", 0},
};
static_assert(sizeof types / sizeof types[0] == size_t(Type::Predicate) + 1, "a row for each type");

const char *tilec::ptx::spaceName(Space space) {
  static constexpr const char *names[] = {"reg", "const", "global", "local", "param", "shared"};
  return names[size_t(space)];
}

unsigned tilec::ptx::typeBytes(Type type) { return types[size_t(type)].bytes; }

const char *tilec::ptx::typeName(Type type) { return types[size_t(type)].name; }

Type tilec::ptx::typeOfName(std::string_view name) {
  for (size_t i = 1; i < sizeof types / sizeof types[0]; ++i)
    if (name == types[i].name)
      return Type(i);
  return Type::None;
}

uint64_t Variable::bytes() const {
  uint64_t total = uint64_t(typeBytes(type)) * vector;
  for (uint64_t extent : extents)
    total *= extent;
  return total;
}

const Function *Module::findFunction(std::string_view name) const {
  auto found = std::find_if(functions.begin(), functions.end(), [&](const auto &f) { return f->name == name; });
  return found == functions.end() ? nullptr : found->get();
}

std::string_view tilec::ptx::lineOf(std::string_view text, uint32_t line) {
  for (uint32_t current = 1; current < line; ++current) {
    size_t newline = text.find('\n');
    if (newline == std::string_view::npos)
      return {};
    text.remove_prefix(newline + 1);
  }
  std::string_view found = line ? text.substr(0, text.find('\n')) : std::string_view();
  if (!found.empty() && found.back() == '\r')
    found.remove_suffix(1);
  return found;
}
