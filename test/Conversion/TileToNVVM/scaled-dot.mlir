// Products with scales: by instructions that have them where the scales lie as those want it, else from 16-bit numbers.
// RUN: tile-opt %s --convert-tile-to-nvvm --split-input-file | FileCheck %s

#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0], [32, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#sa = #tile.layout<registers = [[0, 1]], lanes = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb = #tile.layout<registers = [[0, 1]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>

module attributes {tile.target = "sm_120a"} {
  // One instruction per step of 32; both scales of a row are in one word, and the byte selector tells them apart.
  // CHECK-LABEL: llvm.func @native(
  // CHECK-NOT: shl
  // CHECK: "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e3m2.f32.ue8m0"({{.*}}, %[[SA:[^,]*]], %[[ZERO:[^,]*]], %[[ZERO]], %[[SB:[^,]*]], %[[ZERO]], %[[ZERO]])
  // CHECK: "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e3m2.f32.ue8m0"({{.*}}, %[[SA]], %[[ONE:[^,]*]], %[[ZERO]], %[[SB]], %[[ONE]], %[[ZERO]])
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @native(%s: f8E4M3FN, %t: f6E3M2FN, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x64xf8E4M3FN, #a>
    %b = tile.splat %t : !tile.tile<64x8xf6E3M2FN, #b>
    %sa = tile.splat %e : !tile.tile<16x2xf8E8M0FNU, #sa>
    %sb = tile.splat %e : !tile.tile<8x2xf8E8M0FNU, #sb>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a scaled %sa by 32, %b scaled %sb by 32, %c : !tile.tile<16x64xf8E4M3FN, #a> scaled !tile.tile<16x2xf8E8M0FNU, #sa>, !tile.tile<64x8xf6E3M2FN, #b> scaled !tile.tile<8x2xf8E8M0FNU, #sb>, !tile.tile<16x8xf32, #acc>
    tile.return
  }

  // A side without scales has those of 1. Codes of four bits are wanted two bits higher.
  // CHECK-LABEL: llvm.func @one_side(
  // CHECK-DAG: %[[ONES:.*]] = llvm.mlir.constant(2139062143 : i32)
  // CHECK: llvm.shl
  // CHECK: "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e5m2.e2m1.f32.ue8m0"({{.*}}, %[[ONES]], %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
  // CHECK: llvm.return
  tile.kernel @one_side(%s: f8E5M2, %t: f4E2M1FN, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x64xf8E5M2, #a>
    %b = tile.splat %t : !tile.tile<64x8xf4E2M1FN, #b>
    %sb = tile.splat %e : !tile.tile<8x2xf8E8M0FNU, #sb>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a, %b scaled %sb by 32, %c : !tile.tile<16x64xf8E5M2, #a>, !tile.tile<64x8xf4E2M1FN, #b> scaled !tile.tile<8x2xf8E8M0FNU, #sb>, !tile.tile<16x8xf32, #acc>
    tile.return
  }

  // Without any scales the instruction with unit scales is the faster one.
  // CHECK-LABEL: llvm.func @plain_f8(
  // CHECK-DAG: %[[ONES:.*]] = llvm.mlir.constant(2139062143 : i32)
  // CHECK-COUNT-2: "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0"({{.*}}, %[[ONES]], %[[ZERO:[^,]*]], %[[ZERO]], %[[ONES]], %[[ZERO]], %[[ZERO]])
  // CHECK: llvm.return
  tile.kernel @plain_f8(%s: f8E4M3FN, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x64xf8E4M3FN, #a>
    %b = tile.splat %s : !tile.tile<64x8xf8E4M3FN, #b>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a, %b, %c : !tile.tile<16x64xf8E4M3FN, #a>, !tile.tile<64x8xf8E4M3FN, #b>, !tile.tile<16x8xf32, #acc>
    tile.return
  }
}

// -----

// Two codes to a byte: 64 elements are 32 bytes, one instruction.
#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#sa2 = #tile.layout<registers = [[0, 1]], lanes = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb2 = #tile.layout<registers = [[0, 1]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sa4 = #tile.layout<registers = [[0, 1], [0, 2]], lanes = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb4 = #tile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_120a"} {
  // CHECK-LABEL: llvm.func @packed_mxf4(
  // CHECK: "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @packed_mxf4(%s: i8, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xi8, #a>
    %b = tile.splat %s : !tile.tile<32x8xi8, #b>
    %sa = tile.splat %e : !tile.tile<16x2xf8E8M0FNU, #sa2>
    %sb = tile.splat %e : !tile.tile<8x2xf8E8M0FNU, #sb2>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a scaled %sa by 32, %b scaled %sb by 32, %c packed : !tile.tile<16x32xi8, #a> scaled !tile.tile<16x2xf8E8M0FNU, #sa2>, !tile.tile<32x8xi8, #b> scaled !tile.tile<8x2xf8E8M0FNU, #sb2>, !tile.tile<16x8xf32, #acc>
    tile.return
  }

  // CHECK-LABEL: llvm.func @packed_nvfp4(
  // CHECK: "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @packed_nvfp4(%s: i8, %e: f8E4M3FN, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xi8, #a>
    %b = tile.splat %s : !tile.tile<32x8xi8, #b>
    %sa = tile.splat %e : !tile.tile<16x4xf8E4M3FN, #sa4>
    %sb = tile.splat %e : !tile.tile<8x4xf8E4M3FN, #sb4>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a scaled %sa by 16, %b scaled %sb by 16, %c packed : !tile.tile<16x32xi8, #a> scaled !tile.tile<16x4xf8E4M3FN, #sa4>, !tile.tile<32x8xi8, #b> scaled !tile.tile<8x4xf8E4M3FN, #sb4>, !tile.tile<16x8xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0], [32, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#sa = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb = #tile.layout<registers = [[0, 1]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sa16 = #tile.layout<registers = [[0, 1], [0, 2], [8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb16 = #tile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb64 = #tile.layout<registers = [], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_90a"} {
  // One version for all scales: two instructions for each block of 32, whose sum starts at zero and is then scaled in three
  // steps. No element is multiplied, though f4 is widened too small: the row's scale makes up for that.
  // CHECK-LABEL: llvm.func @emulated(
  // CHECK-NOT: cond_br
  // CHECK-NOT: llvm.fmul %{{.*}} : vector<2xf16>
  // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
  // CHECK: %[[FIRST:.*]] = llvm.fmul
  // CHECK-NEXT: %[[SECOND:.*]] = llvm.fmul %[[FIRST]], %{{.*}} : f32
  // CHECK-NEXT: %[[SUM:.*]] = llvm.intr.fma(%[[SECOND]], %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
  // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
  // CHECK: llvm.intr.fma(%{{.*}}, %{{.*}}, %[[SUM]])
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @emulated(%s: f8E4M3FN, %t: f4E2M1FN, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x64xf8E4M3FN, #a>
    %b = tile.splat %t : !tile.tile<64x8xf4E2M1FN, #b>
    %sa = tile.splat %e : !tile.tile<16x2xf8E8M0FNU, #sa>
    %sb = tile.splat %e : !tile.tile<8x2xf8E8M0FNU, #sb>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a scaled %sa by 32, %b scaled %sb by 32, %c : !tile.tile<16x64xf8E4M3FN, #a> scaled !tile.tile<16x2xf8E8M0FNU, #sa>, !tile.tile<64x8xf4E2M1FN, #b> scaled !tile.tile<8x2xf8E8M0FNU, #sb>, !tile.tile<16x8xf32, #acc>
    tile.return
  }

  // Scales of e4m3 go into the elements: instructions are chained on the accumulator.
  // CHECK-LABEL: llvm.func @nvfp4(
  // CHECK-NOT: cond_br
  // CHECK: %[[P:.*]] = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
  // CHECK: %[[P0:.*]] = llvm.extractvalue %[[P]][0]
  // CHECK: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"({{.*}}, %[[P0]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @nvfp4(%t: f4E2M1FN, %e: f8E4M3FN, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %t : !tile.tile<16x64xf4E2M1FN, #a>
    %b = tile.splat %t : !tile.tile<64x8xf4E2M1FN, #b>
    %sa = tile.splat %e : !tile.tile<16x4xf8E4M3FN, #sa16>
    %sb = tile.splat %e : !tile.tile<8x4xf8E4M3FN, #sb16>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a scaled %sa by 16, %b scaled %sb by 16, %c : !tile.tile<16x64xf4E2M1FN, #a> scaled !tile.tile<16x4xf8E4M3FN, #sa16>, !tile.tile<64x8xf4E2M1FN, #b> scaled !tile.tile<8x4xf8E4M3FN, #sb16>, !tile.tile<16x8xf32, #acc>
    tile.return
  }

  // Integers: one sum per step, scaled in f32; the column's scale comes from the lanes that hold it.
  // CHECK-LABEL: llvm.func @weights_i8(
  // CHECK-NOT: cond_br
  // CHECK-COUNT-2: shfl.sync.idx
  // CHECK-COUNT-2: "llvm.nvvm.mma.m16n8k16.row.col.bf16"
  // CHECK-COUNT-4: llvm.intr.fma
  // CHECK: llvm.return
  tile.kernel @weights_i8(%s: bf16, %t: i8, %e: f16, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x64xbf16, #a>
    %b = tile.splat %t : !tile.tile<64x8xi8, #b>
    %sb = tile.splat %e : !tile.tile<8x1xf16, #sb64>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    %d = tile.dot %a, %b scaled %sb by 64, %c : !tile.tile<16x64xbf16, #a>, !tile.tile<64x8xi8, #b> scaled !tile.tile<8x1xf16, #sb64>, !tile.tile<16x8xf32, #acc>
    tile.return
  }
}
