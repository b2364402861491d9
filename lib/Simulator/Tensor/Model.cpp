// The table of models. Its parameters are those of two published studies that agree with each other, and for sm_90 they
// were measured: every output of 2.1 million, 16 kinds of operands for each of 40 instructions, is the H200's (see
// test/unit/Simulator/Tensor).
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
  if (sm >= 75)
    return {16, 24};
  return {8, 23};
}

/// Was the instruction among those measured on the H200? All pairs of f8 formats count as one: factors are converted
/// alone.
bool isMeasured(TensorInstruction instruction, OperandFormat a, OperandFormat b, ResultFormat result, unsigned k) {
  switch (instruction) {
  case TensorInstruction::Wgmma:
    return true;
  case TensorInstruction::Mma:
    return a != OperandFormat::F16 || k >= 8; // m8n8k4 is sm_70's
  case TensorInstruction::MmaSparse:
    return result == ResultFormat::F32 && a == b &&
           (a == OperandFormat::F16 || a == OperandFormat::BF16 || a == OperandFormat::E4M3);
  case TensorInstruction::WgmmaSparse:
    return false;
  }
  return false;
}

} // namespace

AccumulationModel accumulationModel(unsigned sm, TensorInstruction instruction, OperandFormat a, OperandFormat b,
                                    ResultFormat result, unsigned k) {
  AccumulationModel model;
  Core core = coreOf(sm);
  bool narrow = isNarrow(a) && isNarrow(b), hopper = sm >= 90 && sm < 100;
  bool wgmma = instruction == TensorInstruction::Wgmma || instruction == TensorInstruction::WgmmaSparse;
  bool sparse = instruction == TensorInstruction::MmaSparse || instruction == TensorInstruction::WgmmaSparse;
  model.alignmentBits = core.alignmentBits;
  model.group = core.bytes / elementBytes(a);
  model.result = result;
  model.roundToNearest = result == ResultFormat::F16;
  model.resultBits = result == ResultFormat::F16 ? 10 : 23;
  model.source = ModelSource::Literature;
  model.reference = studies;
  if (narrow && (sm == 89 || (hopper && wgmma))) {
    // The f8 units of Ada and Hopper keep 13 fraction bits, of the aligned addends and of a group's result.
    model.alignmentBits = 13;
    model.resultBits = std::min(model.resultBits, 13u);
  } else if (narrow && sm >= 90 && sm < 120) {
    // mma.sync of f8 does not exist in this hardware: ptxas makes f16 of the factors, two f16 instructions (elements 0
    // and 1 of each four, then 2 and 3) that start at zero, and an add of the accumulator.
    model.group = std::min(core.bytes / 2, k / 2);
    model.interleave = 2;
    model.accumulatorInSum = false;
    model.source = ModelSource::Assumed;
    model.reference = "the instructions that ptxas 13.0 emits";
  }

  if (hopper && isMeasured(instruction, a, b, result, k)) {
    model.source = ModelSource::Measured;
    model.reference = "measured on an H200";
  } else if (sparse || hopper) {
    model.source = ModelSource::Assumed;
    model.reference = "as the dense instruction";
  }
  return model;
}

AccumulationModel scaledAccumulationModel(unsigned sm, OperandFormat a, OperandFormat b, unsigned k) {
  AccumulationModel model = accumulationModel(std::max(sm, 120u), TensorInstruction::Mma, a, b, ResultFormat::F32, k);
  model.reference = "arXiv:2511.10909";
  if (k >= 64) {
    model.group = 64;
    model.alignmentBits = 35;
    model.exactRun = 16;
  }
  return model;
}

} // namespace tilec::sim
