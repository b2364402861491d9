#include "lib/Simulator/Core/Instructions.h"

using namespace tilec;
using namespace tilec::sim;

const InstructionTable &sim::instructions() {
  static const InstructionTable table = [] {
    InstructionTable all;
    addIntegerInstructions(all);
    addLogicInstructions(all);
    addMoveInstructions(all);
    addFloatInstructions(all);
    addConversionInstructions(all);
    addControlInstructions(all);
    addMemoryInstructions(all);
    addAtomicInstructions(all);
    addWarpInstructions(all);
    addBarrierInstructions(all);
    addMbarrierInstructions(all);
    addCopyInstructions(all);
    addTensorMapInstructions(all);
    addMatrixInstructions(all);
    addWgmmaInstructions(all);
    addTensorMemoryInstructions(all);
    return all;
  }();
  return table;
}
