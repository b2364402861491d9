// Golden files: written on a GPU, read everywhere.
#include "test/Simulator/conformance/Results.h"

#include <algorithm>
#include <cinttypes>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace conformance;

static std::pair<size_t, size_t> partOf(size_t count, size_t part) {
  return {count * part / goldenParts, count * (part + 1) / goldenParts};
}

static uint64_t hashOfPart(const std::vector<uint64_t> &results, size_t part) {
  auto [begin, end] = partOf(results.size(), part);
  return hashOf(results.data() + begin, (end - begin) * 8);
}

void conformance::writeGolden(std::FILE *file, const Form &form, const Outcome &outcome) {
  if (!outcome.failure.empty()) {
    std::string reason = outcome.failure;
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    std::fprintf(file, "!%s\t%s\n", form.name.c_str(), reason.c_str());
    std::fflush(file);
    return;
  }
  const std::vector<uint64_t> &results = outcome.results;
  std::fprintf(file, "%s\t%zu\t%016" PRIx64 "\t", form.name.c_str(), results.size(),
               hashOf(results.data(), results.size() * 8));
  for (size_t part = 0; part < goldenParts; ++part)
    std::fprintf(file, "%04x", static_cast<unsigned>(hashOfPart(results, part) & 0xffff));
  const bool wide = !form.destinations.empty() && form.destinations[0].bits == 64;
  const size_t kept = std::min<size_t>(results.size(), wide ? 20 : 32);
  for (size_t i = 0; i < kept; ++i)
    std::fprintf(file, "%c%" PRIx64, i ? ' ' : '\t', results[i]);
  std::fputc('\n', file);
  std::fflush(file);
}

std::string conformance::readGolden(const std::string &path, std::map<std::string, Golden> &table) {
  std::ifstream file(path);
  if (!file)
    return "cannot read " + path;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string name, count, hash, parts, first;
    std::getline(fields, name, '\t');
    std::getline(fields, count, '\t');
    if (!name.empty() && name[0] == '!') {
      table[name.substr(1)].failure = count;
      continue;
    }
    std::getline(fields, hash, '\t');
    std::getline(fields, parts, '\t');
    std::getline(fields, first, '\t');
    if (parts.size() != 4 * goldenParts)
      return path + ": a line is not complete: " + name;
    Golden &golden = table[name];
    golden.failure.clear();
    golden.count = std::strtoull(count.c_str(), nullptr, 10);
    golden.hash = std::strtoull(hash.c_str(), nullptr, 16);
    for (size_t part = 0; part < goldenParts; ++part)
      golden.parts.push_back(static_cast<uint16_t>(std::strtoul(parts.substr(4 * part, 4).c_str(), nullptr, 16)));
    std::istringstream words(first);
    for (std::string word; words >> word;)
      golden.first.push_back(std::strtoull(word.c_str(), nullptr, 16));
  }
  return {};
}

void conformance::writeFull(std::FILE *file, const Form &form, const Outcome &outcome) {
  const uint32_t sizes[] = {static_cast<uint32_t>(form.name.size()), static_cast<uint32_t>(outcome.results.size())};
  std::fwrite(sizes, sizeof sizes, 1, file);
  std::fwrite(form.name.data(), 1, sizes[0], file);
  std::fwrite(outcome.results.data(), 8, sizes[1], file);
  std::fflush(file);
}

std::string conformance::readFull(const std::string &path, std::map<std::string, Golden> &table) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return "cannot read " + path;
  uint32_t sizes[2];
  while (std::fread(sizes, sizeof sizes, 1, file) == 1) {
    std::string name(sizes[0], '\0');
    std::vector<uint64_t> results(sizes[1]);
    if (std::fread(&name[0], 1, sizes[0], file) != sizes[0] ||
        std::fread(results.data(), 8, sizes[1], file) != sizes[1])
      break;
    if (!results.empty())
      table[name].all = std::move(results);
  }
  std::fclose(file);
  return {};
}

int64_t conformance::firstDifference(const Outcome &outcome, const Golden &golden, bool &exactly) {
  const std::vector<uint64_t> &results = outcome.results;
  exactly = true;
  if (results.size() != golden.count)
    return 0;
  const std::vector<uint64_t> &known = golden.all.empty() ? golden.first : golden.all;
  for (size_t i = 0; i < known.size() && i < results.size(); ++i)
    if (known[i] != results[i])
      return static_cast<int64_t>(i);
  exactly = false;
  for (size_t part = 0; part < goldenParts; ++part)
    if ((hashOfPart(results, part) & 0xffff) != golden.parts[part])
      return static_cast<int64_t>(partOf(results.size(), part).first);
  return hashOf(results.data(), results.size() * 8) == golden.hash ? -1 : 0;
}
