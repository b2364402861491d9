// The table of models: the parameters of two published studies that agree with each other.
//   Khattak, Mikaitis: Accurate Models of NVIDIA Tensor Cores, arXiv:2512.07004
//   Xie, Wang, Yang, Yang: MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores, arXiv:2511.10909
#include "lib/Simulator/Tensor/Model.h"

#include <algorithm>

namespace tilec::sim {
namespace {

constexpr const char *studies = "arXiv:2512.07004, arXiv:2511.10909";

bool isNarrow(OperandFormat format) { return elementBytes(format) == 1; }

/// Bytes of factors that one aligned sum takes, and fraction bits it keeps, by architecture.
struct Core {
  unsigned bytes, alignmentBits;
};

Core coreOf(unsigned sm) {
  if (sm >= 90)
    return {32, 25};
  return {16, 24};
}

} // namespace

AccumulationModel accumulationModel(unsigned sm, TensorInstruction instruction, OperandFormat a, OperandFormat b,
                                    ResultFormat result, unsigned k) {
  AccumulationModel model;
  Core core = coreOf(sm);
  bool narrow = isNarrow(a) && isNarrow(b);
  model.alignmentBits = core.alignmentBits;
  model.group = core.bytes / elementBytes(a);
  model.result = result;
  model.roundToNearest = result == ResultFormat::F16;
  model.resultBits = result == ResultFormat::F16 ? 10 : 23;
  model.source = ModelSource::Literature;
  model.reference = studies;
  if (!narrow)
    return model;

  if (sm == 89 || (sm == 90 && instruction == TensorInstruction::Wgmma)) {
    // The f8 units of Ada and Hopper keep 13 fraction bits, of the aligned addends and of a group's result.
    model.alignmentBits = 13;
    model.resultBits = std::min(model.resultBits, 13u);
  } else if (sm == 90 || sm == 100) {
    // mma.sync of f8 does not exist in this hardware: ptxas makes f16 of the factors, two f16 instructions (elements 0 and 1 of
    // each four, then 2 and 3) that start at zero, and an add of the accumulator.
    model.group = std::min(core.bytes / 2, k / 2);
    model.interleave = 2;
    model.accumulatorInSum = false;
    model.reference = "the instructions that ptxas 13.0 emits";
  }
  return model;
}

} // namespace tilec::sim
