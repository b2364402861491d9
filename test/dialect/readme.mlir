// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// The examples of dialect/README.md that other tests do not have.
#ROWS = 16 : index
#COLUMNS = 64 : index
#s = #tile.swizzle<order = [1, 0], swizzle = 128>

// CHECK-LABEL: tile.kernel @row_sums
// CHECK: scf.for
// CHECK: tile.reduce %{{.*}} along 1 : !tile.tile<16x64xf32> -> !tile.tile<16xf32>
// CHECK: tile.store
tile.kernel @row_sums(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [#ROWS] {
  %c0 = arith.constant 0 : index
  %step = arith.constant #COLUMNS
  %n = tile.dim %A, 1 : !tile.view<?x?xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<[#ROWS] x f32>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> (!tile.tile<[#ROWS] x f32>) {
    %t = tile.load %A[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<[#ROWS, #COLUMNS] x f32>
    %part = tile.reduce %t along 1 : !tile.tile<[#ROWS, #COLUMNS] x f32> -> !tile.tile<[#ROWS] x f32> combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %next = arith.addf %acc, %part : !tile.tile<[#ROWS] x f32>
    scf.yield %next : !tile.tile<[#ROWS] x f32>
  }
  tile.store %sum, %B[%m] : !tile.tile<[#ROWS] x f32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @through_a_channel
// CHECK: tile.channel_acquire
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.channel_wait
// CHECK-NEXT: tile.channel_release
tile.kernel @through_a_channel(%A: !tile.view<?x?xbf16>, %write: index, %read: index) programs(%m, %k) over %A by [32, 64] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  %w = tile.channel_acquire %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
  tile.copy_async %A[%m, %k] to %w : !tile.view<?x?xbf16>, !tile.shared<32x64xbf16, #s>
  tile.channel_commit %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  %r = tile.channel_wait %ring[%read] pending 1 : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
  tile.channel_release %ring[%read] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  tile.return
}
