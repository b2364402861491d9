/// One table maps a name to its innermost meaning; each scope keeps what its declarations hid and puts it back when it
/// closes, so that a look-up never walks over scopes.
#include "lib/Simulator/Ptx/Scopes.h"

using namespace tilec::ptx;

/// Calls visit(prefix, number) for each way to read a name as a prefix with a number: "%r12" is "%r" with 12 and "%r1"
/// with 2. Numbers have no leading zeros.
template <typename Visit> static void forEachSplit(std::string_view name, Visit visit) {
  uint64_t number = 0, unit = 1;
  for (size_t digits = 1; digits <= 10 && digits < name.size(); ++digits) {
    char c = name[name.size() - digits];
    if (c < '0' || c > '9')
      return;
    number += unit * uint64_t(c - '0');
    unit *= 10;
    if (c != '0' || digits == 1)
      visit(name.substr(0, name.size() - digits), number);
  }
}

Scopes::Scopes(Function &function) : function(function), stack(1), parents(1, 0) {}

bool Scopes::open() {
  if (stack.size() >= maxDepth)
    return false;
  Scope scope;
  scope.id = uint32_t(parents.size());
  parents.push_back(current());
  stack.push_back(std::move(scope));
  return true;
}

bool Scopes::close() {
  if (stack.size() == 1)
    return false;
  Scope &scope = stack.back();
  for (size_t i = scope.names.size(); i-- > 0;) {
    if (scope.names[i].existed)
      names[scope.names[i].name] = scope.names[i].before;
    else
      names.erase(scope.names[i].name);
  }
  for (std::string_view prefix : scope.prefixes) {
    auto place = ranges.find(prefix);
    int64_t outside = rangePool[size_t(place->second)].outside;
    if (outside < 0)
      ranges.erase(place);
    else
      place->second = outside;
  }
  stack.pop_back();
  return true;
}

void Scopes::set(std::string_view name, Meaning meaning) {
  auto [place, isNew] = names.try_emplace(name, meaning);
  if (meaning.depth) // what the function's own scope hides is never wanted again
    stack[meaning.depth].names.push_back({name, !isNew, place->second});
  place->second = meaning;
}

/// The entry of a prefix in the current scope, made if there is none.
Scopes::Range &Scopes::rangeHere(std::string_view prefix) {
  auto [place, isNew] = ranges.try_emplace(prefix, -1);
  if (isNew || rangePool[size_t(place->second)].depth != depth()) {
    Range range;
    range.depth = depth();
    range.outside = place->second;
    place->second = int64_t(rangePool.size());
    rangePool.push_back(range);
    stack.back().prefixes.push_back(prefix);
  }
  return rangePool[size_t(place->second)];
}

bool Scopes::declare(std::string_view name, Meaning meaning) {
  meaning.depth = depth();
  auto known = names.find(name);
  if (known != names.end() && known->second.depth == depth())
    return false;
  bool isFree = true;
  forEachSplit(name, [&](std::string_view prefix, uint64_t number) {
    Range &range = rangeHere(prefix);
    isFree &= number >= range.count;
    range.smallestSingle = number < range.smallestSingle ? number : range.smallestSingle;
  });
  if (isFree)
    set(name, meaning);
  return isFree;
}

bool Scopes::declareRange(std::string_view prefix, uint64_t count, Type type, unsigned vector) {
  Range &range = rangeHere(prefix);
  if (range.count || range.smallestSingle < count)
    return false;
  range.count = count;
  range.type = type;
  range.vector = vector;
  stack.back().hasRanges = true;
  return true;
}

const Meaning *Scopes::find(std::string_view name) {
  auto known = names.find(name);
  if (known != names.end()) {
    bool rangesInside = false;
    for (size_t i = known->second.depth + 1; i < stack.size(); ++i)
      rangesInside |= stack[i].hasRanges;
    if (!rangesInside)
      return &known->second;
  }
  const Range *best = nullptr;
  forEachSplit(name, [&](std::string_view prefix, uint64_t number) {
    auto innermost = ranges.find(prefix);
    int64_t place = innermost == ranges.end() ? -1 : innermost->second;
    while (place >= 0 && number >= rangePool[size_t(place)].count)
      place = rangePool[size_t(place)].outside;
    if (place >= 0 && (!best || rangePool[size_t(place)].depth > best->depth))
      best = &rangePool[size_t(place)];
  });
  if (known != names.end() && (!best || best->depth <= known->second.depth))
    return &known->second;
  if (!best)
    return nullptr;
  Meaning meaning;
  meaning.depth = best->depth;
  meaning.index = uint32_t(function.registers.size());
  function.registers.push_back({std::string(name), best->type, best->vector});
  set(name, meaning);
  return &names.find(name)->second;
}

uint64_t Scopes::rangeAround(std::string_view name, std::string_view &around) const {
  uint64_t count = 0;
  forEachSplit(name, [&](std::string_view prefix, uint64_t) {
    auto range = ranges.find(prefix);
    if (range == ranges.end() || !rangePool[size_t(range->second)].count)
      return;
    count = rangePool[size_t(range->second)].count;
    around = prefix;
  });
  return count;
}

bool Scopes::declareLabel(std::string_view name, std::string unique) {
  auto known = names.find(name);
  if (known != names.end() && known->second.depth == depth())
    return false;
  return labels.try_emplace({name, current()}, std::move(unique)).second;
}

const std::string *Scopes::findLabel(std::string_view name, uint32_t scope) const {
  while (true) {
    auto found = labels.find({name, scope});
    if (found != labels.end())
      return &found->second;
    if (scope == 0)
      return nullptr;
    scope = parents[scope];
  }
}
