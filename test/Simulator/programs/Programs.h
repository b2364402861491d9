/// The programs: which PTX, which device it needs, and the function that runs and checks it.
#ifndef TILEC_TEST_SIMULATOR_PROGRAMS_PROGRAMS_H
#define TILEC_TEST_SIMULATOR_PROGRAMS_PROGRAMS_H

#include "test/Simulator/programs/Trial.h"

#include <vector>

namespace programs {

/// A program of the table.
struct Program {
  /// Also the name of the PTX file, without its ending.
  const char *name;
  /// The device's least compute capability, as major * 10 + minor.
  int sm;
  /// The PTX has features of this architecture alone (sm_90a).
  bool thisSmOnly;
  /// Runs every kernel of the program on several sizes and compares with a reference on the host.
  void (*check)(Trial &trial);
};

/// All programs, simple ones first.
const std::vector<Program> &allPrograms();

// Each in the file of its family.
void checkReduceShuffle(Trial &);
void checkReduceLastBlock(Trial &);
void checkScanThreeKernels(Trial &);
void checkScanLookback(Trial &);
void checkHistogram(Trial &);
void checkBitonicSort(Trial &);

void checkGemmTiled(Trial &);
void checkGemmWmma(Trial &);
void checkGemmMma(Trial &);
void checkGemmPipeline(Trial &);
void checkTranspose(Trial &);
void checkStencil(Trial &);

void checkDivergence(Trial &);
void checkCalls(Trial &);
void checkTables(Trial &);

void checkCooperativeGroups(Trial &);
void checkVotes(Trial &);
void checkWarpSynchronous(Trial &);
void checkAtomics(Trial &);
void checkGridBarrier(Trial &);
void checkBlockChain(Trial &);
void checkProducerConsumer(Trial &);

void checkBits(Trial &);
void checkInteger64(Trial &);
void checkBlackScholes(Trial &);
void checkBlackScholesFast(Trial &);
void checkFunctions(Trial &);
void checkRounding(Trial &);
void checkHalfPrecision(Trial &);
void checkFloat8(Trial &);

void checkBulkCopy(Trial &);
void checkCluster(Trial &);
void checkDependentLaunch(Trial &);

} // namespace programs

#endif // TILEC_TEST_SIMULATOR_PROGRAMS_PROGRAMS_H
