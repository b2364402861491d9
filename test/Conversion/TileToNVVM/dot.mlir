// Products: the instruction, how often, what its operands are and where they come from.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [8, 0], [16, 0], [0, 8]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#b8 = #tile.layout<registers = [[1, 0], [2, 0], [16, 0], [0, 8]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#a8 = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#acc64 = #tile.layout<registers = [[0, 1], [0, 8], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a64 = #tile.layout<registers = [[0, 4], [0, 8], [0, 16], [8, 0]], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warps = []>
#b64 = #tile.layout<registers = [[4, 0], [8, 0], [16, 0], [0, 8]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#at = #tile.layout<registers = [[8, 0], [0, 4]], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warps = []>
#bt = #tile.layout<registers = [[4, 0], [0, 8]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#rows = #tile.swizzle<order = [1, 0], swizzle = 64>
#cols = #tile.swizzle<order = [1, 0], swizzle = 32>

module attributes {tile.target = "sm_89"} {
  // 16 x 16 x 32 is two steps along K of two instructions; the second step adds to what the first gave.
  // CHECK-LABEL: llvm.func @bf16(
  // CHECK: %[[P:.*]] = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.bf16"({{.*}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32)
  // CHECK: %[[P0:.*]] = llvm.extractvalue %[[P]][0]
  // CHECK: "llvm.nvvm.mma.m16n8k16.row.col.bf16"
  // CHECK: "llvm.nvvm.mma.m16n8k16.row.col.bf16"({{.*}}, %[[P0]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: "llvm.nvvm.mma.m16n8k16.row.col.bf16"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @bf16(%s: bf16, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xbf16, #a>
    %b = tile.splat %s : !tile.tile<32x16xbf16, #b>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf32, #acc>
    %d = tile.dot %a, %b, %c : !tile.tile<16x32xbf16, #a>, !tile.tile<32x16xbf16, #b>, !tile.tile<16x16xf32, #acc>
    tile.return
  }

  // Pairs as they are.
  // CHECK-LABEL: llvm.func @f16(
  // CHECK-COUNT-4: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"({{.*}}) : (vector<2xf16>, {{.*}}, f32)
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @f16(%s: f16, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xf16, #a>
    %b = tile.splat %s : !tile.tile<32x16xf16, #b>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf32, #acc>
    %d = tile.dot %a, %b, %c : !tile.tile<16x32xf16, #a>, !tile.tile<32x16xf16, #b>, !tile.tile<16x16xf32, #acc>
    tile.return
  }

  // CHECK-LABEL: llvm.func @i8(
  // CHECK: llvm.bitcast {{.*}} : vector<4xi8> to i32
  // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k32.row.col.s8"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @i8(%s: i8, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xi8, #a8>
    %b = tile.splat %s : !tile.tile<32x16xi8, #b8>
    %c = arith.constant dense<0> : !tile.tile<16x16xi32, #acc>
    %d = tile.dot %a, %b, %c : !tile.tile<16x32xi8, #a8>, !tile.tile<32x16xi8, #b8>, !tile.tile<16x16xi32, #acc>
    tile.return
  }

  // Two kinds of f8 in one product.
  // CHECK-LABEL: llvm.func @f8_pair(
  // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @f8_pair(%s: f8E4M3FN, %t: f8E5M2, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xf8E4M3FN, #a8>
    %b = tile.splat %t : !tile.tile<32x16xf8E5M2, #b8>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf32, #acc>
    %d = tile.dot %a, %b, %c : !tile.tile<16x32xf8E4M3FN, #a8>, !tile.tile<32x16xf8E5M2, #b8>, !tile.tile<16x16xf32, #acc>
    tile.return
  }

  // CHECK-LABEL: llvm.func @f64(
  // CHECK-COUNT-32: "llvm.nvvm.mma.m8n8k4.row.col.f64"({{.*}}) : (f64, f64, f64, f64)
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @f64(%s: f64, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xf64, #a64>
    %b = tile.splat %s : !tile.tile<32x16xf64, #b64>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf64, #acc64>
    %d = tile.dot %a, %b, %c : !tile.tile<16x32xf64, #a64>, !tile.tile<32x16xf64, #b64>, !tile.tile<16x16xf64, #acc64>
    tile.return
  }

  // Operands are rounded: the instruction would cut their last bits off.
  // CHECK-LABEL: llvm.func @tf32(
  // CHECK-COUNT-8: "cvt.rna.tf32.f32 $0, $1;", "=r,f"
  // CHECK-NOT: cvt
  // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k8.row.col.tf32"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @tf32(%s: f32, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x8xf32, #at>
    %b = tile.splat %s : !tile.tile<8x16xf32, #bt>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf32, #acc>
    %d = tile.dot %a, %b, %c precision tf32 : !tile.tile<16x8xf32, #at>, !tile.tile<8x16xf32, #bt>, !tile.tile<16x16xf32, #acc>
    tile.return
  }

  // Operands in shared memory are read where their loads stand; B lies along N, so its matrices are transposed.
  // CHECK-LABEL: llvm.func @from_shared(
  // CHECK: "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"
  // CHECK: "ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // CHECK: "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"
  // CHECK: "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
  // CHECK: nvvm.mma
  // CHECK-NOT: ldmatrix
  // CHECK: llvm.return
  tile.kernel @from_shared(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<16x32xbf16, #rows>
    %q = tile.shared_alloc {offset = 1024 : i64} : !tile.shared<32x16xbf16, #cols>
    %a = tile.shared_load %p : !tile.shared<16x32xbf16, #rows> -> !tile.tile<16x32xbf16, #a>
    %b = tile.shared_load %q : !tile.shared<32x16xbf16, #cols> -> !tile.tile<32x16xbf16, #b>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf32, #acc>
    %d = tile.dot %a, %b, %c : !tile.tile<16x32xbf16, #a>, !tile.tile<32x16xbf16, #b>, !tile.tile<16x16xf32, #acc>
    tile.return
  }

  // K = 8 in an instruction of 16: what lies beyond is zero, in both operands.
  // CHECK-LABEL: llvm.func @short_k(
  // CHECK: llvm.select {{.*}} : i1, bf16
  // CHECK-COUNT-1: "llvm.nvvm.mma.m16n8k16.row.col.bf16"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @short_k(%s: bf16, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x8xbf16, #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>>
    %b = tile.splat %s : !tile.tile<8x8xbf16, #tile.layout<registers = [[1, 0], [8, 0]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = []>>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>>
    %d = tile.dot %a, %b, %c : !tile.tile<16x8xbf16, #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>>, !tile.tile<8x8xbf16, #tile.layout<registers = [[1, 0], [8, 0]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = []>>, !tile.tile<16x8xf32, #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>>
    tile.return
  }
}
