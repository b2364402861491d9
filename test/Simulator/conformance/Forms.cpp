// The table's text to forms: lines, alternatives, operands.
#include "test/Simulator/conformance/Forms.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace conformance;

static std::string trimmed(const std::string &text) {
  size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

static std::vector<std::string> splitAt(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

static void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Replaces the first alternative by each of its choices, and so on to the last.
static void expand(const std::string &line, std::vector<std::string> &lines) {
  size_t open = line.find('<');
  if (open == std::string::npos) {
    lines.push_back(line);
    return;
  }
  size_t close = line.find('>', open);
  std::string inside = line.substr(open + 1, close - open - 1);
  std::vector<std::string> names;
  if (size_t colon = inside.find(':'); colon != std::string::npos && inside.find("::") == std::string::npos) {
    names = splitAt(inside.substr(0, colon), ',');
    inside = inside.substr(colon + 1);
  }
  for (const std::string &choice : splitAt(inside, ',')) {
    std::vector<std::string> values = names.size() > 1 ? splitAt(choice, '/') : std::vector<std::string>{choice};
    std::string next = line.substr(0, open) + values[0] + line.substr(close + 1);
    for (size_t i = 0; i < names.size() && i < values.size(); ++i)
      replaceAll(next, "$" + names[i], values[i]);
    expand(next, lines);
  }
}

static unsigned bitsOf(const std::string &type) {
  static const std::map<std::string, unsigned> table = {
      {"pred", 1},   {"u8", 16},     {"s8", 16},     {"b8", 16},    {"u16", 16}, {"s16", 16}, {"b16", 16}, {"f16", 16},
      {"bf16", 16},  {"e4m3x2", 16}, {"e5m2x2", 16}, {"u32", 32},   {"s32", 32}, {"b32", 32}, {"f32", 32}, {"tf32", 32},
      {"f16x2", 32}, {"bf16x2", 32}, {"u16x2", 32},  {"s16x2", 32}, {"u64", 64}, {"s64", 64}, {"b64", 64}, {"f64", 64}};
  auto found = table.find(type);
  return found == table.end() ? 0 : found->second;
}

static std::string readOperands(const std::string &text, std::vector<Operand> &operands) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    Operand operand;
    if (word[0] == '#') {
      operand.type = word;
      operands.push_back(operand);
      continue;
    }
    unsigned count = 1;
    if (size_t star = word.find('*'); star != std::string::npos) {
      count = static_cast<unsigned>(std::strtoul(word.c_str() + star + 1, nullptr, 10));
      word.resize(star);
    }
    if (size_t slash = word.find('/'); slash != std::string::npos) {
      operand.kind = word.substr(slash + 1);
      word.resize(slash);
    }
    operand.type = word;
    operand.bits = bitsOf(word);
    if (operand.bits == 0)
      return "unknown type '" + word + "'";
    operands.insert(operands.end(), count, operand);
  }
  return {};
}

/// Whether the text places operands itself.
static bool places(const std::string &text) {
  for (size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1))
    if (text[at + 1] == 'd' || text[at + 1] == 'D' || (text[at + 1] >= '0' && text[at + 1] <= '9'))
      return true;
  return false;
}

static std::string readForm(const std::string &line, Form &form) {
  std::string rest = line;
  if (line.rfind("tensor ", 0) == 0) {
    form.name = line;
    std::istringstream words(line.substr(7));
    for (std::string word; words >> word;)
      if (size_t equals = word.find('='); equals != std::string::npos)
        form.options[word.substr(0, equals)] = word.substr(equals + 1);
    return {};
  }
  if (size_t at = rest.rfind(" @ "); at != std::string::npos) {
    std::istringstream words(rest.substr(at + 3));
    for (std::string word; words >> word;) {
      size_t equals = word.find('=');
      form.options[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
    rest.resize(at);
  }
  size_t colon = rest.rfind(" : "), arrow = rest.rfind("->");
  if (colon == std::string::npos || arrow == std::string::npos || arrow < colon)
    return "expects 'form : sources -> destinations'";
  std::string head = trimmed(rest.substr(0, colon));
  if (std::string wrong = readOperands(rest.substr(colon + 3, arrow - colon - 3), form.sources); !wrong.empty())
    return wrong;
  if (std::string wrong = readOperands(rest.substr(arrow + 2), form.destinations); !wrong.empty())
    return wrong;
  if (head.back() == '}' && head.find(" { ") != std::string::npos) {
    size_t open = head.find(" { ");
    form.name = trimmed(head.substr(0, open));
    form.body = trimmed(head.substr(open + 3, head.size() - open - 4));
    return {};
  }
  form.name = head;
  form.body = head + " ";
  if (!places(head)) {
    for (size_t i = 0; i < form.destinations.size(); ++i)
      form.body += (i ? ", $d" : "$d") + std::to_string(i);
    for (size_t i = 0; i < form.sources.size(); ++i)
      form.body += ", " + (form.sources[i].constant() ? form.sources[i].type.substr(1) : "$" + std::to_string(i));
    for (const Operand &source : form.sources)
      if (source.constant())
        form.name += " " + source.type.substr(1);
  }
  if (head.back() != ';')
    form.body += ";";
  return {};
}

unsigned Form::number(const char *option, unsigned otherwise) const {
  auto found = options.find(option);
  return found == options.end() ? otherwise : static_cast<unsigned>(std::strtoul(found->second.c_str(), nullptr, 10));
}

std::string conformance::readForms(const std::string &path, std::vector<Form> &forms) {
  std::ifstream file(path);
  if (!file)
    return "cannot read " + path;
  std::string group, line, text;
  unsigned number = 0;
  while (std::getline(file, text)) {
    ++number;
    line += trimmed(text);
    if (!line.empty() && line.back() == '\\') {
      line.back() = ' ';
      continue;
    }
    std::string whole;
    whole.swap(line);
    if (whole.empty() || whole[0] == '#')
      continue;
    if (whole.rfind("== ", 0) == 0) {
      group = whole.substr(3);
      continue;
    }
    std::vector<std::string> lines;
    expand(whole, lines);
    for (const std::string &one : lines) {
      Form form;
      form.group = group;
      if (std::string wrong = readForm(one, form); !wrong.empty())
        return path + ":" + std::to_string(number) + ": " + wrong + ": " + one;
      forms.push_back(form);
    }
  }
  return {};
}
