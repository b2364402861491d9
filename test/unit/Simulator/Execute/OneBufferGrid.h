/// What a Grid needs beside its launch: memory, a place for findings, and one parameter, the address of a buffer.
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_ONEBUFFERGRID_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_ONEBUFFERGRID_H

#include "lib/Simulator/Core/Machine.h"

#include <cstring>
#include <unordered_map>

namespace tilec::sim {

struct OneBufferGrid {
  Grid grid;
  Findings findings;

  OneBufferGrid(const Program &program, const mlir::tile::Target &target, GlobalMemory &memory, uint64_t address) {
    grid.program = &program;
    grid.target = &target;
    grid.options.cores = 1;
    grid.memory = &memory;
    grid.variables = &noVariables;
    grid.findings = &findings;
    grid.parameterBytes.resize(sizeof address);
    std::memcpy(grid.parameterBytes.data(), &address, sizeof address);
    grid.parameters.space = ptx::Space::Parameter;
    grid.parameters.size = sizeof address;
    grid.parameters.bytes = grid.parameterBytes.data();
    grid.parameters.readOnly = true;
  }

private:
  std::unordered_map<const ptx::Variable *, Region *> noVariables;
};

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_ONEBUFFERGRID_H
