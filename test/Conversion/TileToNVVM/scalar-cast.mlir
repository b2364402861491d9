// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#l = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
// Casts of scalars, each seen by what a tile is filled with.
module attributes {tile.target = "sm_80"} {
  // CHECK-LABEL: llvm.func @integers
  // CHECK: llvm.sext {{.*}} : i1 to i32
  // CHECK: llvm.zext {{.*}} : i8 to i32
  // CHECK: llvm.trunc {{.*}} : i64 to i32
  tile.kernel @integers(%B: !tile.view<?xi32>, %x: i1, %y: i8, %z: i64)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %a = arith.extsi %x : i1 to i32
    %b = arith.extui %y : i8 to i32
    %c = arith.trunci %z : i64 to i32
    %d = arith.addi %a, %b : i32
    %e = arith.addi %c, %d : i32
    %t = tile.splat %e : !tile.tile<128xi32, #l>
    tile.store %t, %B[%m] : !tile.tile<128xi32, #l>, !tile.view<?xi32>
    tile.return
  }

  // CHECK-LABEL: llvm.func @floats
  // CHECK: llvm.fptrunc {{.*}} : f64 to f32
  // CHECK: llvm.fpext {{.*}} : f16 to f32
  // CHECK: llvm.uitofp {{.*}} : i16 to f32
  // CHECK: llvm.bitcast {{.*}} : i32 to f32
  tile.kernel @floats(%B: !tile.view<?xf32>, %x: f64, %y: f16, %z: i16, %w: i32)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %a = arith.truncf %x : f64 to f32
    %b = arith.extf %y : f16 to f32
    %c = arith.uitofp %z : i16 to f32
    %d = arith.bitcast %w : i32 to f32
    %e = arith.addf %a, %b : f32
    %f = arith.addf %c, %d : f32
    %g = arith.addf %e, %f : f32
    %t = tile.splat %g : !tile.tile<128xf32, #l>
    tile.store %t, %B[%m] : !tile.tile<128xf32, #l>, !tile.view<?xf32>
    tile.return
  }

  // An i32 has bits that an f32 does not hold: what it drops is kept as one sticky bit.
  // CHECK-LABEL: llvm.func @integer_to_bf16_rounds_once
  // CHECK: llvm.icmp "ugt"
  // CHECK: llvm.select
  // CHECK: llvm.sitofp {{.*}} : i32 to f32
  // CHECK: llvm.fptrunc {{.*}} : f32 to bf16
  tile.kernel @integer_to_bf16_rounds_once(%B: !tile.view<?xbf16>, %x: i32)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %a = arith.sitofp %x : i32 to bf16
    %t = tile.splat %a : !tile.tile<128xbf16, #l>
    tile.store %t, %B[%m] : !tile.tile<128xbf16, #l>, !tile.view<?xbf16>
    tile.return
  }

  // CHECK-LABEL: llvm.func @indices
  // CHECK: llvm.sext {{.*}} : i8 to i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.f2i.rz"
  tile.kernel @indices(%B: !tile.view<?xi64>, %x: i8, %y: f32, %n: index)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %a = arith.index_cast %x : i8 to index
    %b = arith.index_cast %a : index to i64
    %c = arith.fptosi %y : f32 to i32
    %d = arith.extsi %c : i32 to i64
    %e = arith.index_castui %n : index to i64
    %f = arith.addi %b, %d : i64
    %g = arith.addi %e, %f : i64
    %t = tile.splat %g : !tile.tile<128xi64, #l>
    tile.store %t, %B[%m] : !tile.tile<128xi64, #l>, !tile.view<?xi64>
    tile.return
  }
}
