#include "test/Simulator/faults/References.h"

#include <functional>

using namespace faults;

namespace {
struct Arguments {
  const std::vector<std::string> &words;
  const Contents &contents;

  const std::vector<int64_t> &buffer(size_t i) const {
    static const std::vector<int64_t> none;
    auto found = i < words.size() ? contents.find(words[i]) : contents.end();
    return found == contents.end() ? none : found->second;
  }
  int64_t number(size_t i) const { return i < words.size() ? std::stoll(words[i]) : 0; }
};
} // namespace

/// Element `i` of the result.
using Rule = std::function<int64_t(const Arguments &, int64_t i)>;

static int64_t sum(const std::vector<int64_t> &values, int64_t from, int64_t count) {
  int64_t total = 0;
  for (int64_t i = from; i < from + count; ++i)
    total += values[i];
  return total;
}

static const std::map<std::string, Rule> &rules() {
  static const std::map<std::string, Rule> table = {
      {"index", [](const Arguments &, int64_t i) { return i; }},
      {"plus", [](const Arguments &a, int64_t i) { return a.buffer(1)[i] + a.number(2); }},
      {"times", [](const Arguments &a, int64_t i) { return a.buffer(1)[i] * a.number(2); }},
      {"sum",
       [](const Arguments &a, int64_t) { return sum(a.buffer(1), 0, static_cast<int64_t>(a.buffer(1).size())); }},
      // Each value plus the sum of its tile of N.
      {"plus-sum",
       [](const Arguments &a, int64_t i) {
         int64_t n = a.number(2);
         return a.buffer(1)[i] + sum(a.buffer(1), i / n * n, n);
       }},
      // The sum of the neighbour's tile of N, which is the own one, plus the value of the neighbour in a pair.
      {"sum-and-neighbour",
       [](const Arguments &a, int64_t i) {
         int64_t n = a.number(2);
         return a.buffer(1)[i ^ 1] + sum(a.buffer(1), i / n * n, n);
       }},
      // Tiles of N values: the first of each four, the last one first.
      {"reversed-firsts",
       [](const Arguments &a, int64_t i) {
         int64_t groups = a.number(2) / 4;
         return a.buffer(1)[i / groups * a.number(2) + (groups - 1 - i % groups) * 4];
       }},
      // Tiles of N values, each reversed, each twice.
      {"reversed-twice",
       [](const Arguments &a, int64_t i) {
         int64_t n = a.number(2);
         return a.buffer(1)[i / (2 * n) * n + n - 1 - i % n];
       }},
      // Tiles of N values, neighbours exchanged.
      {"swapped",
       [](const Arguments &a, int64_t i) {
         int64_t n = a.number(2);
         return a.buffer(1)[(i / n ^ 1) * n + i % n];
       }},
      // Sums of two tiles of N, reversed.
      {"pair-sums",
       [](const Arguments &a, int64_t i) {
         int64_t n = a.number(2);
         return a.buffer(1)[n - 1 - i] + a.buffer(1)[2 * n - 1 - i];
       }},
      // looked-up INDICES TABLE.
      {"looked-up", [](const Arguments &a, int64_t i) { return a.buffer(2)[a.buffer(1)[i] & 63]; }},
      {"dispatched",
       [](const Arguments &a, int64_t i) {
         int64_t x = a.buffer(1)[i];
         return x % 3 == 0 ? x + 1 : x % 3 == 1 ? 2 * x : 0;
       }},
      // A (M x K) times B, given as N x K: product A B N K.
      {"product",
       [](const Arguments &a, int64_t i) {
         int64_t n = a.number(3), k = a.number(4), total = 0;
         for (int64_t j = 0; j < k; ++j)
           total += a.buffer(1)[i / n * k + j] * a.buffer(2)[i % n * k + j];
         return total;
       }},
  };
  return table;
}

std::vector<int64_t> faults::reference(const std::vector<std::string> &words, const Contents &contents, size_t size) {
  auto rule = words.empty() ? rules().end() : rules().find(words[0]);
  std::vector<int64_t> result;
  if (rule == rules().end())
    return result;
  for (size_t i = 0; i < size; ++i)
    result.push_back(rule->second({words, contents}, static_cast<int64_t>(i)));
  return result;
}
