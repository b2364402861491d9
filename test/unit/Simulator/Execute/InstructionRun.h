/// Runs single PTX instructions on one simulated warp whose registers the test fills and reads directly, so that a test
/// needs no memory instructions. Operands are registers named d, a, b, c, e in the order of the types given; the
/// instruction is decoded from text as in a kernel.
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_INSTRUCTIONRUN_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_INSTRUCTIONRUN_H

#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Core/Start.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace tilec::sim {

class InstructionRun {
public:
  /// `types`: "b32 b32 pred", a type per register, each of which is used. Several instructions may follow each other.
  InstructionRun(const std::string &instructions, const std::string &types, const std::string &target = "sm_90a",
                 unsigned threads = warpSize, const std::string &version = "9.0") {
    std::istringstream list(types);
    static const char *const names[] = {"d", "a", "b", "c", "e", "f", "g", "h", "i"};
    std::string text = ".version " + version + "\n.target " + target + "\n.address_size 64\n.visible .entry k()\n{\n";
    size_t count = 0;
    for (std::string type; list >> type; ++count)
      text += "  .reg ." + type + " " + names[count] + ";\n";
    text += instructions + "\n  ret;\n}\n";
    ptx::Error parseError;
    module = ptx::parse(text, parseError);
    if (!module) {
      error = "parser: " + parseError.message;
      return;
    }
    kernel = module->functions.at(0).get();
    device = mlir::tile::lookupTarget(target);
    builder = std::make_unique<ProgramBuilder>(module, std::make_shared<const std::string>(text), *device);
    ptx::Error buildError;
    program = builder->build(*kernel, buildError);
    if (!program) {
      error = buildError.message;
      return;
    }
    for (size_t i = 0; i < count; ++i)
      for (size_t k = 0; k < kernel->registers.size(); ++k)
        if (kernel->registers[k].name == names[i])
          rows.push_back(builder->registerRow(*kernel, static_cast<uint32_t>(k)));
    grid.program = program.get();
    grid.target = device;
    grid.options.check = true;
    grid.blocks = grid.clusterSize = Dim3{1, 1, 1};
    grid.threads = Dim3{threads, 1, 1};
    grid.findings = &findings;
    grid.memory = &memory;
    grid.variables = &variables;
    cluster = startCluster(grid, 0, counters);
    x.enter(*cluster->blocks[0]->warps[0]);
    x.split = &x.warp->splits[0];
    for (Row row : rows)
      x.setDefined(row, allLanes);
  }

  const Operation &operation(unsigned i = 0) const { return program->operations[i]; }
  /// As the scheduler does it.
  Outcome run(LaneMask active, unsigned i = 0) {
    const Operation &op = operation(i);
    if (x.check && op.propagate)
      op.propagate(x, op, active);
    return op.run(x, op, active);
  }
  uint64_t get(unsigned reg, unsigned lane) const { return x.value(rows[reg], lane); }
  void set(unsigned reg, unsigned lane, uint64_t value) { x.setValue(rows[reg], lane, value); }
  unsigned bits(unsigned reg) const { return rows[reg].isPredicate() ? 1 : 8u * rows[reg].bytes; }

  std::string error;
  std::vector<Row> rows;
  Findings findings;
  Execution x;
  Grid grid;

private:
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function *kernel = nullptr;
  const mlir::tile::Target *device = nullptr;
  std::unique_ptr<ProgramBuilder> builder;
  std::unique_ptr<Program> program;
  GlobalMemory memory;
  std::unordered_map<const ptx::Variable *, Region *> variables;
  Counters counters;
  std::unique_ptr<Cluster> cluster;
};

/// Numbers that are often special, and any.
inline uint64_t operandValue(std::mt19937_64 &random) {
  static const uint64_t special[] = {0,
                                     1,
                                     2,
                                     3,
                                     31,
                                     32,
                                     33,
                                     63,
                                     64,
                                     255,
                                     256,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x3f800000,
                                     0xbf800000,
                                     0x7f800000,
                                     0xff800000,
                                     0x7fc00000,
                                     0x00000001,
                                     0x80000001,
                                     0x3c00,
                                     0xbc00,
                                     0x7c00,
                                     0x7e00,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0xffffffffffffffff,
                                     0x3ff0000000000000,
                                     0x7ff8000000000000,
                                     0x7ff0000000000000};
  switch (random() % 4) {
  case 0:
    return special[random() % (sizeof special / sizeof *special)];
  case 1:
    return random() % 70;
  case 2:
    return 0 - random() % 70;
  default:
    return random();
  }
}
inline uint64_t truncated(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

/// The destination (or destinations: `results` of them, the first registers) by the sources, in the order of registers.
using Reference = std::function<void(const uint64_t *sources, uint64_t *results)>;

/// Checks an instruction whose lanes do not see each other: results over random and special operands with all lanes and
/// with some, lanes that take no part, and that a bit which is said to be defined does not depend on undefined ones.
inline void expectInstruction(const std::string &text, const std::string &types, const Reference &reference,
                              unsigned results = 1, const std::string &target = "sm_90a") {
  SCOPED_TRACE(text);
  InstructionRun run(text, types, target);
  ASSERT_EQ(run.error, "");
  std::mt19937_64 random(42);
  auto registers = static_cast<unsigned>(run.rows.size());
  std::vector<std::array<uint64_t, warpSize>> before(registers), undefined(registers);
  for (unsigned round = 0; round < 60; ++round) {
    LaneMask active = round % 2 ? static_cast<LaneMask>(random()) : allLanes;
    for (unsigned reg = 0; reg < registers; ++reg)
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        before[reg][lane] = truncated(operandValue(random), run.bits(reg));
        run.set(reg, lane, before[reg][lane]);
      }
    ASSERT_EQ(run.run(active), Outcome::Next);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint64_t sources[8] = {}, wanted[4] = {};
      for (unsigned reg = results; reg < registers; ++reg)
        sources[reg - results] = before[reg][lane];
      reference(sources, wanted);
      for (unsigned reg = 0; reg < results; ++reg) {
        uint64_t want = (active >> lane) & 1 ? truncated(wanted[reg], run.bits(reg)) : before[reg][lane];
        ASSERT_EQ(run.get(reg, lane), want) << "register " << reg << " lane " << lane << std::hex << " a=" << sources[0]
                                            << " b=" << sources[1] << " c=" << sources[2] << " e=" << sources[3];
        ASSERT_EQ(run.x.undefinedBits(run.rows[reg], lane), 0u);
      }
    }
  }
  // Undefined bits.
  for (unsigned round = 0; round < 60; ++round) {
    for (unsigned reg = 0; reg < registers; ++reg) {
      run.x.setDefined(run.rows[reg], allLanes);
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        before[reg][lane] = truncated(operandValue(random), run.bits(reg));
        undefined[reg][lane] = 0;
        if (reg >= results && random() % 2)
          undefined[reg][lane] = truncated(random() & random() & random(), run.bits(reg));
        run.set(reg, lane, before[reg][lane]);
        run.x.setUndefinedBits(run.rows[reg], lane, undefined[reg][lane]);
      }
    }
    run.run(allLanes);
    std::vector<std::array<uint64_t, warpSize>> first(results), said(results);
    for (unsigned reg = 0; reg < results; ++reg)
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        first[reg][lane] = run.get(reg, lane);
        said[reg][lane] = run.x.undefinedBits(run.rows[reg], lane);
      }
    for (unsigned change = 0; change < 8; ++change)
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        uint64_t sources[8] = {}, other[4] = {};
        for (unsigned reg = results; reg < registers; ++reg)
          sources[reg - results] = before[reg][lane] ^ (random() & undefined[reg][lane]);
        reference(sources, other);
        for (unsigned reg = 0; reg < results; ++reg)
          ASSERT_EQ(truncated(other[reg] ^ first[reg][lane], run.bits(reg)) & ~said[reg][lane], 0u)
              << "register " << reg << " is said to be defined in bits that depend on undefined ones";
      }
  }
}

/// The text of the error with which the instruction is refused.
inline std::string refusal(const std::string &text, const std::string &types, const std::string &target = "sm_90a",
                           const std::string &version = "9.0") {
  return InstructionRun(text, types, target, warpSize, version).error;
}

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_INSTRUCTIONRUN_H
