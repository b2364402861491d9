// translateToPtx(): small kernels in the LLVM dialect, and what the PTX made of them must hold.
#include "lib/Codegen/Ptx.h"
#include "lib/Codegen/Libdevice.h"
#include "lib/Codegen/Ptxas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace mlir::tile;

namespace {
class PtxTest : public ::testing::Test {
protected:
  PtxTest() {
    context.loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return success();
    });
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context), "kernel.mlir");
    EXPECT_TRUE(module) << diagnostics;
    return module;
  }

  std::string ptxOf(StringRef text, const PtxOptions &options = {}) {
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module)
      return "";
    FailureOr<std::string> ptx = translateToPtx(*module, options);
    EXPECT_TRUE(succeeded(ptx)) << diagnostics;
    if (havePtxas && succeeded(ptx)) {
      std::string reason;
      EXPECT_TRUE(assembles(*ptx, options.chip, &reason)) << reason << "\n" << *ptx;
    }
    return ptx.value_or("");
  }

  void expectFailure(StringRef text, StringRef message, const PtxOptions &options = {}) {
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module);
    EXPECT_TRUE(failed(translateToPtx(*module, options)));
    EXPECT_NE(diagnostics.find(message), std::string::npos) << diagnostics;
  }

  static bool findsPtxas() {
    llvm::Expected<std::string> path = findPtxas();
    if (path)
      return true;
    llvm::consumeError(path.takeError());
    return false;
  }

  MLIRContext context;
  std::string diagnostics;
  /// Every PTX that a test makes is assembled too, where ptxas is at hand.
  bool havePtxas = findsPtxas();
};

bool holds(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

size_t barriers(const std::string &ptx) {
  size_t count = 0;
  for (size_t at = ptx.find("bar"); at != std::string::npos; at = ptx.find("bar", at + 3))
    count += ptx.compare(at, 8, "bar.sync") == 0 || ptx.compare(at, 12, "barrier.sync") == 0;
  return count;
}

const char *vectorAdd = R"mlir(
llvm.func @vector_add(%a: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                      %b: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                      %c: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %n: i32)
    attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %bid = nvvm.read.ptx.sreg.ctaid.x : i32
  %c128 = llvm.mlir.constant(128 : i32) : i32
  %base = llvm.mul %bid, %c128 : i32
  %i = llvm.add %base, %tid : i32
  %in = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %in, ^work, ^done
^work:
  %pa = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
  %pb = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
  %pc = llvm.getelementptr %c[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
  %x = llvm.load %pa {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %y = llvm.load %pb {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %z = llvm.fadd %x, %y : vector<4xf32>
  llvm.store %z, %pc {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  llvm.br ^done
^done:
  llvm.return
}
)mlir";

TEST_F(PtxTest, kernel_signature_and_vector_accesses) {
  std::string ptx = ptxOf(vectorAdd);
  EXPECT_TRUE(holds(ptx, ".version 7.8\n.target sm_80\n")) << ptx;
  EXPECT_TRUE(holds(ptx, ".visible .entry vector_add(")) << ptx;
  EXPECT_TRUE(holds(ptx, ".param .u64 .ptr .global .align 16 vector_add_param_0")) << ptx;
  EXPECT_TRUE(holds(ptx, ".maxntid 128")) << ptx;
  EXPECT_TRUE(holds(ptx, "ld.global.nc.v4.b32") || holds(ptx, "ld.global.nc.v2.b64")) << ptx;
  EXPECT_TRUE(holds(ptx, "st.global.v4.b32")) << ptx;
  EXPECT_FALSE(holds(ptx, ".loc")) << ptx;
}

TEST_F(PtxTest, same_input_gives_the_same_bytes) { EXPECT_EQ(ptxOf(vectorAdd), ptxOf(vectorAdd)); }

TEST_F(PtxTest, target_and_version_follow_the_options) {
  PtxOptions options;
  options.chip = "sm_90a";
  options.isaVersion = 80;
  EXPECT_TRUE(holds(ptxOf(vectorAdd, options), ".version 8.0\n.target sm_90a\n"));
}

TEST_F(PtxTest, level_zero_translates_as_it_stands) {
  PtxOptions options;
  options.optimizationLevel = 0;
  EXPECT_TRUE(holds(ptxOf(vectorAdd, options), ".visible .entry vector_add("));
}

TEST_F(PtxTest, line_info_names_the_users_file) {
  PtxOptions options;
  options.lineInfo = true;
  std::string ptx = ptxOf(vectorAdd, options);
  EXPECT_TRUE(holds(ptx, "kernel.mlir\"")) << ptx;
  EXPECT_TRUE(holds(ptx, "\t.loc\t1 19 ")) << ptx;
  EXPECT_FALSE(holds(ptx, ".target sm_80, debug")) << ptx;
}

TEST_F(PtxTest, stages_and_llvm_ir_are_reported) {
  PtxOptions options;
  std::string llvmIR;
  std::vector<std::string> stages;
  options.llvmIR = &llvmIR;
  options.onStage = [&](StringRef stage, double seconds) {
    EXPECT_GE(seconds, 0.0);
    stages.push_back(stage.str());
  };
  ptxOf(vectorAdd, options);
  EXPECT_EQ(stages, (std::vector<std::string>{"llvm-translate", "llvm-optimize", "llvm-codegen"}));
  EXPECT_TRUE(holds(llvmIR, "define ptx_kernel void @vector_add(")) << llvmIR;
}

TEST_F(PtxTest, device_functions_are_inlined) {
  std::string ptx = ptxOf(R"mlir(
    llvm.func @twice(%x: f32) -> f32 {
      %y = llvm.fadd %x, %x : f32
      llvm.return %y : f32
    }
    llvm.func @kernel(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %y = llvm.call @twice(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    })mlir");
  EXPECT_FALSE(holds(ptx, "twice")) << ptx;
  EXPECT_FALSE(holds(ptx, "call")) << ptx;
}

TEST_F(PtxTest, fused_multiply_add_only_where_contract_says_so) {
  auto kernel = [](std::string flags) {
    return "llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %b: f32) attributes {nvvm.kernel} {\n"
           "  %x = llvm.load %p : !llvm.ptr<1> -> f32\n"
           "  %y = llvm.fmul %x, %a " +
           flags +
           " : f32\n"
           "  %z = llvm.fadd %y, %b " +
           flags +
           " : f32\n"
           "  llvm.store %z, %p : f32, !llvm.ptr<1>\n"
           "  llvm.return\n}";
  };
  EXPECT_FALSE(holds(ptxOf(kernel("")), "fma.rn.f32"));
  EXPECT_TRUE(holds(ptxOf(kernel("{fastmathFlags = #llvm.fastmath<contract>}")), "fma.rn.f32"));
}

TEST_F(PtxTest, shared_memory_barriers_and_asynchronous_copies) {
  std::string ptx = ptxOf(R"mlir(
    llvm.mlir.global external @staging() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
    llvm.func @kernel(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %once: i1) attributes {nvvm.kernel} {
      %s = llvm.mlir.addressof @staging : !llvm.ptr<3>
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %src = llvm.getelementptr %p[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<16 x i8>
      %dst = llvm.getelementptr %s[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<16 x i8>
      llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0], [$1], 16;", "r,l" %dst, %src : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      nvvm.barrier0
      llvm.cond_br %once, ^yes, ^end
    ^yes:
      nvvm.barrier0
      llvm.br ^end
    ^end:
      %x = llvm.load %s : !llvm.ptr<3> -> f32
      llvm.store %x, %q : f32, !llvm.ptr<1>
      llvm.return
    })mlir");
  EXPECT_TRUE(holds(ptx, ".extern .shared .align 1024 .b8 staging[];")) << ptx;
  EXPECT_TRUE(holds(ptx, "cp.async.cg.shared.global")) << ptx;
  EXPECT_TRUE(holds(ptx, "cp.async.wait_group")) << ptx;
  EXPECT_EQ(barriers(ptx), 2u) << ptx;
}

TEST_F(PtxTest, barriers_are_not_duplicated_by_known_conditions) {
  // Jump threading would send each of the two edges into ^join, whose condition it knows, to a copy of the barrier.
  std::string ptx = ptxOf(R"mlir(
    llvm.func @kernel(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
      %true = llvm.mlir.constant(true) : i1
      %false = llvm.mlir.constant(false) : i1
      %one = llvm.mlir.constant(1.0 : f32) : f32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %in = llvm.icmp "slt" %tid, %n : i32
      llvm.cond_br %in, ^inside, ^outside
    ^inside:
      llvm.store volatile %one, %p : f32, !llvm.ptr<1>
      llvm.br ^join(%true : i1)
    ^outside:
      llvm.br ^join(%false : i1)
    ^join(%known: i1):
      nvvm.barrier0
      llvm.cond_br %known, ^again, ^end
    ^again:
      llvm.store volatile %one, %p : f32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    })mlir");
  EXPECT_EQ(barriers(ptx), 1u) << ptx;
}

const char *exponential = R"mlir(
llvm.func @__nv_expf(f32) -> f32
llvm.func @__nv_sinf(f32) -> f32
llvm.func @kernel(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.call @__nv_expf(%x) : (f32) -> f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}
)mlir";

TEST_F(PtxTest, libdevice_is_linked_where_it_is_called) {
  llvm::Expected<std::string> path = findLibdevice();
  if (!path) {
    llvm::consumeError(path.takeError());
    // libdevice is NVIDIA's and optional, as for users; the setup script brings it, and .ci/run fails on any skipped test.
    GTEST_SKIP() << "no libdevice";
  }
  std::string ptx = ptxOf(exponential);
  EXPECT_TRUE(holds(ptx, "ex2.approx")) << ptx;
  EXPECT_TRUE(holds(ptx, "fma.rn.f32")) << ptx;
  EXPECT_FALSE(holds(ptx, "__nv_")) << ptx;
  EXPECT_FALSE(holds(ptx, "reflect")) << ptx;
  PtxOptions options;
  options.flushDenormals = true;
  ptx = ptxOf(exponential, options);
  EXPECT_TRUE(holds(ptx, "fma.rn.ftz.f32")) << ptx;
  EXPECT_FALSE(holds(ptx, "fma.rn.f32")) << ptx;
}

TEST_F(PtxTest, missing_libdevice_is_an_error_with_its_remedy) {
  setenv("TILEC_LIBDEVICE", "/nonexistent/libdevice.bc", 1);
  expectFailure(exponential, "'__nv_expf' needs libdevice: TILEC_LIBDEVICE names '/nonexistent/libdevice.bc', which is "
                             "not a file");
  unsetenv("TILEC_LIBDEVICE");
}

TEST_F(PtxTest, broken_libdevice_is_an_error) {
  PtxOptions options;
  options.libdevicePath = TILEC_SOURCE_DIR "/LICENSE";
  expectFailure(exponential, "is not a bitcode file that this LLVM reads", options);
}

TEST_F(PtxTest, unknown_processor_and_version_are_errors) {
  PtxOptions chip;
  chip.chip = "sm_81x";
  expectFailure(vectorAdd, "LLVM knows no processor 'sm_81x'", chip);
  PtxOptions version;
  version.isaVersion = 999;
  expectFailure(vectorAdd, "LLVM knows no PTX ISA version 99.9", version);
  PtxOptions tooOld;
  tooOld.chip = "sm_90a";
  expectFailure(vectorAdd,
                "LLVM failed in the choice of the processor: PTX version 7.8 does not support target 'sm_90a'", tooOld);
}

TEST_F(PtxTest, operations_of_other_dialects_are_refused_where_they_stand) {
  context.loadDialect<arith::ArithDialect>();
  expectFailure("llvm.func @f() {\n  %x = arith.constant 1 : i32\n  llvm.return\n}", "arith");
  EXPECT_EQ(llvm::StringRef(diagnostics).count("\n"), 1u) << diagnostics;
}

TEST_F(PtxTest, fatal_error_inside_llvm_is_a_diagnostic) {
  // FP8 MMA cannot be selected on sm_80; LLVM ends the process over it if it may.
  expectFailure(R"mlir(
    llvm.func @kernel(%p: !llvm.ptr<1>, %a: i32) attributes {nvvm.kernel} {
      %z = llvm.mlir.constant(0.0 : f32) : f32
      %d = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"(%a, %a, %a, %a, %a, %a, %z, %z, %z, %z)
          : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %x = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      llvm.store %x, %p : f32, !llvm.ptr<1>
      llvm.return
    })mlir",
                "LLVM failed in code generation: Cannot select");
}

/// A k loop as the lowering of a GEMM makes it: `rows` x `columns` MMAs of 16x8x16 per step, operands by ldmatrix, the
/// next step's data by cp.async, accumulators as loop-carried scalars.
std::string gemmKernel(int rows, int columns, int steps) {
  std::string text, carriedNames, carriedTypes, zeros, nextNames;
  int accumulators = rows * columns * 4;
  auto number = [](int n) { return std::to_string(n); };
  for (int i = 0; i < accumulators; ++i) {
    carriedNames += ", %c" + number(i) + ": f32";
    carriedTypes += ", f32";
    zeros += ", %zero";
  }
  text += "llvm.mlir.global external @staging() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>\n"
          "llvm.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %out: !llvm.ptr<1>, %k: i32) attributes {nvvm.kernel, "
          "nvvm.maxntid = array<i32: 128>} {\n"
          "  %zero = llvm.mlir.constant(0.0 : f32) : f32\n  %i0 = llvm.mlir.constant(0 : i32) : i32\n"
          "  %i1 = llvm.mlir.constant(1 : i32) : i32\n  %s = llvm.mlir.addressof @staging : !llvm.ptr<3>\n"
          "  %tid = nvvm.read.ptx.sreg.tid.x : i32\n";
  for (int i = 0; i < 16; ++i)
    text += "  %k" + number(i) + " = llvm.mlir.constant(" + number(1 << i) + " : i32) : i32\n";
  text += "  llvm.br ^loop(%i0" + zeros + " : i32" + carriedTypes + ")\n";
  text += "^loop(%step: i32" + carriedNames +
          "):\n  %more = llvm.icmp \"slt\" %step, %k : i32\n"
          "  llvm.cond_br %more, ^body, ^end\n^body:\n";
  int id = 0;
  // A swizzled address: ((tid * 2^a) xor (tid >> 3)) + offset + step * size, repeated per fragment as a lowering would.
  auto address = [&](const std::string &base, const char *space, int shift, int offset) {
    std::string n = number(id++);
    std::string p = "!llvm.ptr<" + std::string(space) + ">";
    text += "  %sh" + n + " = llvm.shl %tid, %k" + number(shift % 4) + " : i32\n  %ro" + n +
            " = llvm.lshr %tid, %k1 : i32\n" + "  %an" + n + " = llvm.and %ro" + n + ", %k3 : i32\n" + "  %xo" + n +
            " = llvm.xor %sh" + n + ", %an" + n + " : i32\n  %of" + n + " = llvm.mlir.constant(" + number(offset) +
            " : i32) : i32\n  %st" + n + " = llvm.mul %step, %k10 overflow<nsw> : i32\n  %ad" + n + " = llvm.add %xo" +
            n + ", %of" + n + " overflow<nsw> : i32\n  %ae" + n + " = llvm.add %ad" + n + ", %st" + n +
            " overflow<nsw> : i32\n  %p" + n + " = llvm.getelementptr " + base + "[%ae" + n + "] : (" + p +
            ", i32) -> " + p + ", i8\n";
    return "%p" + n;
  };
  for (int copy = 0; copy < 8; ++copy) {
    std::string to = address("%s", "3", copy, copy * 2048), from = address("%a", "1", copy, copy * 4096);
    text += "  llvm.inline_asm has_side_effects \"cp.async.cg.shared.global [$0], [$1], 16;\", \"r,l\" " + to + ", " +
            from + " : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()\n";
  }
  text += "  nvvm.cp.async.commit.group\n  nvvm.cp.async.wait.group 2\n  nvvm.barrier0\n";
  auto name = [&](int step, int i) { return (step == 0 ? "%c" : "%d" + number(step) + "_") + number(i); };
  for (int step = 0; step < steps; ++step) {
    std::string st = number(step);
    auto matrix = [&](const std::string &what, int i, int count) {
      std::string p = address("%s", "3", step, (i * steps + step) * 512), result = "%" + what + st + "_" + number(i),
                  types = "i32";
      for (int j = 1; j < count; ++j)
        types += ", i32";
      text += "  " + result + " = nvvm.ldmatrix " + p + " {num = " + number(count) +
              " : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = "
              "#nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(" +
              types + ")>\n";
      for (int j = 0; j < count; ++j)
        text += "  " + result + "x" + number(j) + " = llvm.extractvalue " + result + "[" + number(j) +
                "] : !llvm.struct<(" + types + ")>\n";
    };
    for (int i = 0; i < rows; ++i)
      matrix("fa", i, 4);
    for (int i = 0; i < columns; ++i)
      matrix("fb", i, 2);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        std::string tag = st + "_" + number(r) + "_" + number(c), a = "%fa" + st + "_" + number(r) + "x",
                    b = "%fb" + st + "_" + number(c) + "x";
        int base = (r * columns + c) * 4;
        text += "  %m" + tag + " = llvm.call_intrinsic \"llvm.nvvm.mma.m16n8k16.row.col.bf16\"(" + a + "0, " + a +
                "1, " + a + "2, " + a + "3, " + b + "0, " + b + "1";
        for (int i = 0; i < 4; ++i)
          text += ", " + name(step, base + i);
        text += ") : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>\n";
        for (int i = 0; i < 4; ++i)
          text += "  " + name(step + 1, base + i) + " = llvm.extractvalue %m" + tag + "[" + number(i) +
                  "] : !llvm.struct<(f32, f32, f32, f32)>\n";
      }
  }
  for (int i = 0; i < accumulators; ++i)
    nextNames += ", " + name(steps, i);
  text += "  nvvm.barrier0\n  %next = llvm.add %step, %i1 : i32\n  llvm.br ^loop(%next" + nextNames + " : i32" +
          carriedTypes + ")\n^end:\n";
  for (int i = 0; i < accumulators; ++i) {
    std::string p = address("%out", "1", 2, i * 64);
    text += "  llvm.store %c" + number(i) + ", " + p + " : f32, !llvm.ptr<1>\n";
  }
  return text + "  llvm.return\n}\n";
}

TEST_F(PtxTest, gemm_loop_keeps_every_mma_in_registers) {
  std::string text = gemmKernel(4, 8, 4);
  std::map<std::string, double> best;
  std::string ptx;
  for (int run = 0; run < 5; ++run) {
    PtxOptions options;
    options.onStage = [&](StringRef stage, double seconds) {
      double &entry = best.try_emplace(stage.str(), seconds).first->second;
      entry = std::min(entry, seconds);
    };
    std::string llvmIR;
    if (run == 4)
      options.llvmIR = &llvmIR;
    ptx = ptxOf(text, options);
  }
  size_t mmas = 0;
  for (size_t at = ptx.find("mma.sync"); at != std::string::npos; at = ptx.find("mma.sync", at + 1))
    ++mmas;
  EXPECT_EQ(mmas, 4u * 8u * 4u);
  EXPECT_FALSE(holds(ptx, ".local")) << "accumulators went to memory";
  size_t lines = std::count(ptx.begin(), ptx.end(), '\n');
  for (const auto &[stage, seconds] : best) {
    RecordProperty(stage + "-ms", std::to_string(seconds * 1e3));
    printf("  %-16s %7.1f ms\n", stage.c_str(), seconds * 1e3);
  }
  printf("  %zu lines of LLVM dialect, %zu lines of PTX\n", size_t(std::count(text.begin(), text.end(), '\n')), lines);
}
} // namespace
