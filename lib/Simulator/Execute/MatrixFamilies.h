/// Binds of the warp-level matrix instructions, which are spread over several files, and what they share.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MATRIXFAMILIES_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MATRIXFAMILIES_H

#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Execute/MatrixProduct.h"

namespace tilec::sim {

/// \name Parts of addMatrixInstructions
/// @{
bool bindMma(Binder &b);         // Mma.cpp
bool bindMmaQuadPair(Binder &b); // MmaQuadPair.cpp: mma.m8n8k4 of f16, called by bindMma
bool bindWmma(Binder &b);        // Wmma.cpp
/// @}

/// Reads "m16n8k16" into the product; false: it is no shape.
bool readShape(std::string_view text, MatrixProduct &product);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MATRIXFAMILIES_H
