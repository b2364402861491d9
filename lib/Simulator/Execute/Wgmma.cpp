#include "lib/Simulator/Core/Instructions.h"
using namespace tilec::sim;
static bool bindWgmma(Binder &b) { return b.fail("wgmma is not simulated yet"); }
void tilec::sim::addWgmmaInstructions(InstructionTable &table) { table["wgmma"] = bindWgmma; }
