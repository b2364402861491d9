/// A second file of the program that includes the header, and twice: it must not be defined twice.
#include "SampleHeader.h"

const tilec::KernelTable *tableInOtherFile();
const tilec::KernelTable *tableInOtherFile() { return &gemm::table(); }
