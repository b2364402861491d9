// How both programs that run cases choose their device and speak of results.
#include "test/cases/Runner.h"

#include <cstdio>

using namespace cases;

void cases::print(const CompiledCase &compiled, const Outcome &outcome) {
  static constexpr const char *words[] = {"right", "WRONG", "skipped"};
  std::printf("%-7s %s%s%s%s%s", words[int(outcome.kind)], compiled.name.c_str(),
              compiled.definitions.empty() ? "" : " ", compiled.definitions.c_str(), outcome.run.empty() ? "" : " | ",
              outcome.run.c_str());
  if (outcome.kind == Outcome::Kind::Right)
    std::printf(" (error %.2g, %.2f s)\n", outcome.error, outcome.seconds);
  else
    std::printf(": %s\n", outcome.note.c_str());
}

bool Summary::add(const CompiledCase &compiled, const std::vector<Outcome> &outcomes, bool verbose) {
  bool right = true;
  for (const Outcome &outcome : outcomes) {
    ++counts[size_t(outcome.kind)];
    bool isWrong = outcome.kind == Outcome::Kind::Wrong;
    right &= !isWrong;
    if (verbose || isWrong)
      print(compiled, outcome);
  }
  wrongCases += !right;
  return right;
}

std::string Summary::toString() const {
  return std::to_string(counts[0]) + " runs right, " + std::to_string(counts[1]) + " wrong (in " +
         std::to_string(wrongCases) + " cases), " + std::to_string(counts[2]) + " skipped";
}

tilec::Result<tilec::Device *> cases::findDevice(const std::string &name) {
  if (name.empty())
    return tilec::Device::any();
  if (name == "gpu")
    return tilec::Device::gpu();
  if (name == "sim")
    return tilec::Device::simulated();
  if (name.compare(0, 4, "sim:") == 0)
    return tilec::Device::simulated(name.c_str() + 4);
  return tilec::Status::invalidArgument("device '" + name + "'; expected gpu, sim or sim:TARGET");
}
