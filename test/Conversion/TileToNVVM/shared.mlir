// Buffers in shared memory: their offset, accesses of up to 16 bytes.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#plain = #tile.swizzle<order = [0], swizzle = 0>
#s = #tile.swizzle<order = [1, 0], swizzle = 64>
#part = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#twice = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = [[0]]>
#row = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_80"} {
  // CHECK-LABEL: llvm.func @store_and_load(
  // CHECK: llvm.mlir.constant(512 : i32)
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
  // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  tile.kernel @store_and_load(%x: f32, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 512 : i64} : !tile.shared<128xf32, #plain>
    %t = tile.splat %x : !tile.tile<128xf32, #row>
    tile.shared_store %t, %p : !tile.tile<128xf32, #row>, !tile.shared<128xf32, #plain>
    tile.barrier
    %u = tile.shared_load %p : !tile.shared<128xf32, #plain> -> !tile.tile<128xf32, #row>
    tile.return
  }

  // An i1 takes a byte.
  // CHECK-LABEL: llvm.func @bits(
  // CHECK-COUNT-4: llvm.zext {{.*}} : i1 to i8
  // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr<3>
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xi8>
  // CHECK-COUNT-4: llvm.trunc {{.*}} : i8 to i1
  tile.kernel @bits(%x: i1, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<128xi1, #plain>
    %t = tile.splat %x : !tile.tile<128xi1, #row>
    tile.shared_store %t, %p : !tile.tile<128xi1, #row>, !tile.shared<128xi1, #plain>
    tile.barrier
    %u = tile.shared_load %p : !tile.shared<128xi1, #plain> -> !tile.tile<128xi1, #row>
    tile.return
  }

  // Warps that hold the same elements would race: the first stores.
  // CHECK-LABEL: llvm.func @warps_that_hold_the_same(
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
  // CHECK: llvm.cond_br %[[FIRST]], ^[[STORE:.*]], ^[[AFTER:.*]]
  // CHECK: ^[[STORE]]:
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
  // CHECK-NEXT: llvm.br ^[[AFTER]]
  // CHECK: ^[[AFTER]]:
  // CHECK-NEXT: llvm.return
  tile.kernel @warps_that_hold_the_same(%x: f32, %n: index) programs(%m) in (%n) by [1] plan {warps = 2 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<128xf32, #plain>
    %t = tile.splat %x : !tile.tile<128xf32, #twice>
    tile.shared_store %t, %p : !tile.tile<128xf32, #twice>, !tile.shared<128xf32, #plain>
    tile.return
  }

  // A part of a buffer is the same reads with other constants: 16 columns are 32 bytes within the swizzle, XORed; 16 rows
  // of 64 bytes are beyond it, added.
  // CHECK-LABEL: llvm.func @parts(
  // CHECK: %[[C:.*]] = llvm.mlir.constant(32 : i32)
  // CHECK: llvm.xor %{{.*}}, %[[C]] : i32
  // CHECK: "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];"
  // CHECK: "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4+1024];"
  // CHECK: llvm.return
  tile.kernel @parts(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xbf16, #s>
    %right = tile.shared_load %p at [0, 16] : !tile.shared<32x32xbf16, #s> -> !tile.tile<16x16xbf16, #part>
    %below = tile.shared_load %p at [16, 0] : !tile.shared<32x32xbf16, #s> -> !tile.tile<16x16xbf16, #part>
    tile.return
  }
}
