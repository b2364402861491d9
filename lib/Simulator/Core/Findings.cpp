#include "lib/Simulator/Core/Findings.h"

using namespace tilec;
using namespace tilec::sim;

const char *sim::findingName(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::Undefined:
    return "undefined";
  case FindingKind::Race:
    return "race";
  case FindingKind::AsyncNotWaited:
    return "asynchronous result not waited for";
  case FindingKind::MissingProxyFence:
    return "missing proxy fence";
  case FindingKind::BarrierDivergence:
    return "barrier divergence";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::BarrierMisuse:
    return "barrier misuse";
  case FindingKind::Budget:
    return "over budget";
  case FindingKind::InvalidOperand:
    return "invalid operand";
  case FindingKind::Trap:
    return "trap";
  case FindingKind::NoProgress:
    return "no progress";
  case FindingKind::Unsupported:
    return "not supported";
  }
  return "finding";
}

std::string sim::coordinateText(const uint32_t values[3]) {
  return "(" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," + std::to_string(values[2]) + ")";
}

std::string sim::threadText(const ThreadName &name) {
  return "thread " + coordinateText(name.thread) + " of block " + coordinateText(name.block);
}

std::string Finding::toString(const std::string &ptxName) const {
  std::string text = ptxName;
  if (at.line)
    text += ":" + std::to_string(at.line);
  text += ": " + std::string(findingName(kind)) + ": " + message;
  if (!instruction.empty())
    text += "\n    " + instruction;
  if (!source.empty())
    text += "\n  note: from " + source;
  if (thread.known)
    text += "\n  note: in " + threadText(thread) + (count > 1 ? "; seen " + std::to_string(count) + " times" : "");
  for (const std::string &note : notes)
    text += "\n  note: " + note;
  return text;
}

size_t Findings::add(Finding finding, uint64_t key) {
  std::lock_guard<std::mutex> lock(mutex);
  Key place{finding.at.line, finding.kind, key};
  auto [known, added] = found.try_emplace(place);
  if (added) {
    known->second = std::move(finding);
    return found.size();
  }
  // Of all threads that showed it the first in the grid's order is named, so that reports do not depend on which worker
  // came first.
  auto order = [](const Finding &f) {
    return std::tuple(f.thread.block[2], f.thread.block[1], f.thread.block[0], f.thread.thread[2], f.thread.thread[1],
                      f.thread.thread[0]);
  };
  uint64_t count = known->second.count + finding.count;
  if (order(finding) < order(known->second))
    known->second = std::move(finding);
  known->second.count = count;
  return found.size();
}

bool Findings::empty() const {
  std::lock_guard<std::mutex> lock(mutex);
  return found.empty();
}

std::vector<Finding> Findings::all() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Finding> result;
  for (const auto &entry : found)
    result.push_back(entry.second);
  return result;
}

void Findings::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  found.clear();
}
