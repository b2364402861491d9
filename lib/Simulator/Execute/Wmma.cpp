#include "lib/Simulator/Execute/MatrixFamilies.h"
using namespace tilec::sim;
bool tilec::sim::bindWmma(Binder &b) { return b.fail("wmma is not simulated yet"); }
