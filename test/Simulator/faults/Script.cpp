#include "test/Simulator/faults/Script.h"

#include <sstream>

using namespace faults;

std::vector<std::string> faults::wordsOf(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

static std::string trimmed(const std::string &text) {
  size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

/// The text behind a word at the front; false if another word is there.
static bool takeWord(std::string &text, const std::string &word) {
  if (text.compare(0, word.size() + 1, word + " ") != 0)
    return false;
  text = trimmed(text.substr(word.size()));
  return true;
}

/// NAME: KIND "text" [at PLACE …] [some-seeds]
static std::string readExpectation(const std::string &text, std::vector<Fault> &list) {
  size_t colon = text.find(':'), open = text.find('"', colon), close = text.rfind('"');
  if (colon == std::string::npos || open == std::string::npos || close == open)
    return "expected NAME: KIND \"text\", found " + text;
  std::string name = trimmed(text.substr(0, colon));
  if (list.empty() || list.back().name != name)
    list.push_back({name, {}, false});
  Expectation expectation;
  expectation.kind = trimmed(text.substr(colon + 1, open - colon - 1));
  expectation.text = text.substr(open + 1, close - open - 1);
  for (const std::string &word : wordsOf(text.substr(close + 1)))
    if (word == "some-seeds")
      list.back().someSeeds = true;
    else if (word != "at")
      expectation.places.push_back(word);
  list.back().expected.push_back(std::move(expectation));
  return {};
}

std::string Script::read(const std::string &text) {
  std::istringstream stream(text);
  for (std::string raw; std::getline(stream, raw);) {
    Line line;
    size_t mark = raw.find("//!");
    line.code = raw.substr(0, mark);
    if (trimmed(line.code).empty())
      line.code.clear();
    while (mark != std::string::npos) {
      size_t next = raw.find("//!", mark + 3);
      std::string part = trimmed(raw.substr(mark + 3, next == std::string::npos ? next : next - mark - 3));
      mark = next;
      if (takeWord(part, "expect")) {
        if (std::string error = readExpectation(part, faults); !error.empty())
          return error;
      } else if (takeWord(part, "line")) {
        places[part] = static_cast<uint32_t>(lines.size() + 1);
      } else if (takeWord(part, "fault")) {
        size_t colon = part.find(':');
        if (colon == std::string::npos)
          return "expected fault NAME: TEXT, found " + part;
        std::string edit = trimmed(part.substr(colon + 1));
        line.edits[part.substr(0, colon)] = edit == "delete" ? std::string() : edit;
      } else {
        line.directive = part;
      }
    }
    if (size_t entry = line.code.find(".entry "); entry != std::string::npos)
      kernel = line.code.substr(entry + 7, line.code.find('(', entry) - entry - 7);
    lines.push_back(std::move(line));
  }
  if (kernel.empty())
    return "no kernel";
  std::map<std::string, bool> known;
  for (const Fault &fault : faults) {
    known[fault.name] = false;
    for (const Expectation &expectation : fault.expected)
      for (const std::string &place : expectation.places)
        if (place != "host" && !places.count(place))
          return "no line is named '" + place + "'";
  }
  for (const Line &line : lines)
    for (const auto &edit : line.edits) {
      if (!known.count(edit.first))
        return "nothing is expected of fault '" + edit.first + "'";
      known[edit.first] = true;
    }
  for (const auto &[name, edited] : known)
    if (!edited)
      return "fault '" + name + "' edits nothing";
  return {};
}

std::string Script::ptx(const std::string &fault) const {
  std::string text;
  for (const Line &line : lines) {
    auto edit = line.edits.find(fault);
    text += (edit == line.edits.end() || !line.directive.empty() ? line.code : edit->second) + "\n";
  }
  return text;
}

std::vector<std::vector<std::string>> Script::directives(const std::string &fault) const {
  std::vector<std::vector<std::string>> list;
  for (const Line &line : lines) {
    if (line.directive.empty())
      continue;
    auto edit = line.edits.find(fault);
    list.push_back(wordsOf(edit == line.edits.end() ? line.directive : edit->second));
  }
  return list;
}
