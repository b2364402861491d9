/// Runs a kernel of one parameter, the address of a buffer of words, given as the body of its PTX.
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_MEMORYKERNEL_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_MEMORYKERNEL_H

#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/SimulatedDevice.h"
#include "test/unit/Simulator/Execute/OneBufferGrid.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tilec::sim {

struct MemoryKernel {
  unsigned blocks = 1, threads = 32, cluster = 1;
  uint64_t seed = 0;
  bool check = true;
  std::string target = "sm_90a";
  /// The buffer before and after; words from `definedWords` on are undefined at first.
  std::vector<uint32_t> buffer = std::vector<uint32_t>(1024);
  size_t definedWords = 1024;
  /// Variables of the module.
  std::string variables;

  std::vector<Finding> findings;
  Counters counters;
  std::unique_ptr<Program> program;
  UndefinedBits *undefined = nullptr;
  GlobalMemory memory;

  /// The error of the module or of decoding; empty: it ran. In the body, %buf is the buffer's address, %t the thread,
  /// %a the thread's own word of it (buf + 4 * t); registers of all kinds are declared.
  std::string run(const std::string &body) {
    auto text = std::make_shared<const std::string>(
        ".version 9.0\n.target " + target + "\n.address_size 64\n" + variables +
        "\n.visible .entry k(.param .u64 buf)\n{\n"
        ".reg .b16 %h<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.reg .b128 %q<4>;\n.reg .f32 %f<9>;\n.reg .f64 "
        "%d<4>;\n"
        ".reg .pred %p<5>;\n.reg .u32 %t;\n.reg .u64 %buf, %a;\n"
        "ld.param.u64 %buf, [buf];\nmov.u32 %t, %tid.x;\nmad.wide.u32 %a, %t, 4, %buf;\n" +
        body + "\nret;\n}\n");
    ptx::Error error;
    std::shared_ptr<const ptx::Module> module = ptx::parse(*text, error);
    if (!module)
      return "line " + std::to_string(error.location.line) + ": " + error.message;
    const mlir::tile::Target &device = *mlir::tile::lookupTarget(target);
    ProgramBuilder builder(module, text, device);
    program = builder.build(*module->functions.at(0), error);
    if (!program)
      return error.message;

    memory.tracking = check;
    uint64_t bytes = buffer.size() * 4, address = memory.allocate(bytes, "buffer");
    Region &region = *memory.find(address);
    std::memcpy(region.bytes, buffer.data(), bytes);
    undefined = region.undefined.get();
    if (undefined)
      undefined->setDefined(0, definedWords * 4);
    OneBufferGrid launch(*program, device, memory, address);
    launch.grid.options.check = check;
    launch.grid.options.seed = seed;
    launch.grid.blocks = Dim3{blocks, 1, 1};
    launch.grid.threads = Dim3{threads, 1, 1};
    launch.grid.clusterSize = Dim3{cluster, 1, 1};
    runGrid(launch.grid);
    findings = launch.findings.all();
    counters = launch.grid.counters;
    std::memcpy(buffer.data(), region.bytes, bytes);
    return {};
  }

  /// All findings as text; empty if there are none.
  std::string report() const {
    std::string all;
    for (const Finding &finding : findings)
      all += finding.toString("k.ptx") + "\n";
    return all;
  }

  /// What the n-th operation with that opcode counted.
  AccessCounters countedBy(std::string_view opcode, unsigned number = 0) const {
    for (const Operation &op : program->operations)
      if (op.text && op.text->opcode == opcode && op.index < counters.accesses.size() &&
          counters.accesses[op.index].requests != 0 && number-- == 0)
        return counters.accesses[op.index];
    return {};
  }
};

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_MEMORYKERNEL_H
