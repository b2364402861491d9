// Shape ops move nothing: results are the same registers, counted otherwise.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#l = #tile.layout<registers = [[0, 1], [1, 0]], lanes = [[0, 2], [0, 4], [0, 8], [2, 0], [4, 0]], warps = []>
#lt = #tile.layout<registers = [[1, 0], [0, 1]], lanes = [[2, 0], [4, 0], [8, 0], [0, 2], [0, 4]], warps = []>
#r = #tile.layout<registers = [[1], [16]], lanes = [[2], [4], [8], [32], [64]], warps = []>
#row = #tile.layout<registers = [[1]], lanes = [[2], [4], [8], [0], [0]], warps = []>
#e = #tile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warps = []>
!v = !tile.view<?x?xf32>
module attributes {tile.target = "sm_80"} {
  // A register and its neighbour along the axis; registers along the other axis hold the same.
  // CHECK-LABEL: llvm.func @iota(
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[EVEN:.*]] = llvm.shl %{{.*}}, %[[ONE]] : i32
  // CHECK: %[[ODD:.*]] = llvm.add %[[EVEN]], %[[ONE]]
  // CHECK: llvm.add %[[EVEN]], %[[EVEN]]
  // CHECK: llvm.add %[[ODD]], %[[ODD]]
  // CHECK: llvm.add %[[EVEN]], %[[EVEN]]
  // CHECK: llvm.add %[[ODD]], %[[ODD]]
  tile.kernel @iota(%n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %i = tile.iota 1 : !tile.tile<8x16xi32, #l>
    %k = arith.addi %i, %i : !tile.tile<8x16xi32, #l>
    tile.return
  }

  // CHECK-LABEL: llvm.func @views_of_one_tile(
  // CHECK-COUNT-3: ld.global
  // CHECK: %[[LAST:.*]] = llvm.inline_asm {{.*}} ld.global
  // CHECK: %[[D:.*]] = llvm.bitcast %[[LAST]] : i32 to f32
  // CHECK-NEXT: llvm.fneg %[[A:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[B:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[C:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[D]] : f32
  // CHECK-NEXT: llvm.fneg %[[A]] : f32
  // CHECK-NEXT: llvm.fneg %[[B]] : f32
  // CHECK-NEXT: llvm.fneg %[[C]] : f32
  // CHECK-NEXT: llvm.fneg %[[D]] : f32
  tile.kernel @views_of_one_tile(%n: index, %A: !v, %x: f32) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m, %m] : !v -> !tile.tile<8x16xf32, #l>
    %u = tile.transpose %t : !tile.tile<8x16xf32, #l> -> !tile.tile<16x8xf32, #lt>
    %w = tile.reshape %t : !tile.tile<8x16xf32, #l> -> !tile.tile<128xf32, #r>
    %y = arith.negf %u : !tile.tile<16x8xf32, #lt>
    %z = arith.negf %w : !tile.tile<128xf32, #r>
    tile.return
  }

  // CHECK-LABEL: llvm.func @broadcast(
  // CHECK-COUNT-2: ld.global
  // CHECK-NOT: shfl
  // CHECK: llvm.fneg %[[A:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[B:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[A]] : f32
  // CHECK-NEXT: llvm.fneg %[[B]] : f32
  tile.kernel @broadcast(%n: index, %A: !tile.view<?xf32>) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<16xf32, #row>
    %e = tile.expand %t at [0] : !tile.tile<16xf32, #row> -> !tile.tile<1x16xf32, #e>
    %b = tile.broadcast %e along [0] : !tile.tile<1x16xf32, #e> -> !tile.tile<8x16xf32, #l>
    %y = arith.negf %b : !tile.tile<8x16xf32, #l>
    tile.return
  }

  // One pair serves all registers.
  // CHECK-LABEL: llvm.func @splat_of_half(
  // CHECK-COUNT-2: llvm.insertelement
  // CHECK-NOT: llvm.insertelement
  // CHECK: llvm.fneg %[[PAIR:.*]] : vector<2xf16>
  // CHECK-NEXT: llvm.fneg %[[PAIR]] : vector<2xf16>
  tile.kernel @splat_of_half(%n: index, %x: f16) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %b = tile.splat %x : !tile.tile<8x16xf16, #l>
    %y = arith.negf %b : !tile.tile<8x16xf16, #l>
    tile.return
  }

  // A slice's registers are some of the source's: positions 32 and on are the second one.
  // CHECK-LABEL: llvm.func @slice(
  // CHECK: %[[HALF:.*]] = llvm.mlir.constant(32 : i32)
  // CHECK: %[[SECOND:.*]] = llvm.add %{{.*}}, %[[HALF]]
  // CHECK-NOT: shfl
  // CHECK: llvm.add %[[SECOND]], %[[SECOND]]
  // CHECK-NEXT: llvm.return
  tile.kernel @slice(%A: !v) programs(%m, %n) over %A by [4, 16] plan {warps = 1 : i64} {
    %t = tile.iota 0 : !tile.tile<64xi32, #tile.layout<registers = [[32]], lanes = [[1], [2], [4], [8], [16]], warps = []>>
    %h = tile.slice %t at [32] : !tile.tile<64xi32, #tile.layout<registers = [[32]], lanes = [[1], [2], [4], [8], [16]], warps = []>> -> !tile.tile<32xi32, #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>>
    %y = arith.addi %h, %h : !tile.tile<32xi32, #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>>
    tile.return
  }
}
