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
  for (size_t i = scope.prefixes.size(); i-- > 0;) {
    auto place = ranges.find(scope.prefixes[i]);
    int64_t outside = rangePool[size_t(place->second)].outside;
    if (outside < 0)
      ranges.erase(place);
    else
      place->second = outside;
    rangePool.pop_back();
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
  ambiguous |= prefix.back() >= '0' && prefix.back() <= '9';
  return true;
}

Meaning Scopes::member(Range &range, std::string_view name, uint64_t number) {
  constexpr size_t mostRoom = 1 << 20;
  Meaning meaning;
  meaning.depth = range.depth;
  meaning.index = uint32_t(function.registers.size());
  auto known = number < range.members.size() ? names.end() : names.find(name);
  if (known != names.end() && known->second.depth == range.depth)
    return known->second;
  if (number >= range.members.size() && number < 2 * range.members.size() + 256) {
    size_t size = size_t(number) + number / 2 + 64;
    if (memberRoom + size <= mostRoom && range.smallestBeyond >= size) {
      memberRoom += size;
      range.members.resize(size);
    }
  }
  if (number < range.members.size()) {
    uint32_t &member = range.members[size_t(number)];
    if (member) {
      meaning.index = member - 1;
      return meaning;
    }
    member = meaning.index + 1;
  } else {
    range.smallestBeyond = number < range.smallestBeyond ? number : range.smallestBeyond;
    set(name, meaning);
  }
  function.registers.push_back({std::string(name), range.type, range.vector});
  return meaning;
}

std::optional<Meaning> Scopes::find(std::string_view name) {
  size_t digits = 0;
  uint64_t number = 0, unit = 1;
  while (digits < 9 && digits + 1 < name.size() && unsigned(name[name.size() - 1 - digits] - '0') < 10) {
    number += unit * uint64_t(name[name.size() - 1 - digits++] - '0');
    unit *= 10;
  }
  // Nearly every name is a register of a range whose prefix nothing else in sight has.
  if (digits && !ambiguous && (digits == 1 || name[name.size() - digits] != '0')) {
    auto place = ranges.find(name.substr(0, name.size() - digits));
    if (place != ranges.end()) {
      Range &range = rangePool[size_t(place->second)];
      if (number < range.count && range.smallestSingle == ~uint64_t(0))
        return member(range, name, number);
    }
  }
  auto known = names.find(name);
  if (known != names.end()) {
    bool rangesInside = false;
    for (size_t i = known->second.depth + 1; i < stack.size(); ++i)
      rangesInside |= stack[i].hasRanges;
    if (!rangesInside)
      return known->second;
  }
  Range *best = nullptr;
  uint64_t bestNumber = 0;
  forEachSplit(name, [&](std::string_view prefix, uint64_t split) {
    auto innermost = ranges.find(prefix);
    int64_t place = innermost == ranges.end() ? -1 : innermost->second;
    while (place >= 0 && split >= rangePool[size_t(place)].count)
      place = rangePool[size_t(place)].outside;
    if (place < 0 || (best && rangePool[size_t(place)].depth <= best->depth))
      return;
    best = &rangePool[size_t(place)];
    bestNumber = split;
  });
  if (known != names.end() && (!best || best->depth <= known->second.depth))
    return known->second;
  if (!best)
    return std::nullopt;
  return member(*best, name, bestNumber);
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
