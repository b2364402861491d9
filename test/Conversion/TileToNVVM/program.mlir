// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

module attributes {tile.target = "sm_80"} {
  // A view is a pointer, its open extents and its open strides; indices are i64, f8 is its bits.
  // CHECK: llvm.mlir.global external @tile_shared_memory() {addr_space = 3 : i32, alignment = 1024 : i64}
  // CHECK-LABEL: llvm.func @parameters(
  // CHECK-SAME: %{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: f32, %{{.*}}: i8, %{{.*}}: i1)
  // CHECK-SAME: nvvm.kernel, nvvm.maxntid = array<i32: 64>
  tile.kernel @parameters(%A: !tile.view<?x4xbf16, align 16>, %n: index, %s: f32, %q: f8E5M2, %b: i1) programs(%m) in (%n) by [128]
      plan {warps = 2 : i64} {
    tile.return
  }

  // One division and one remainder.
  // CHECK-LABEL: llvm.func @row_major(
  // CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK-NEXT: %[[M:.*]] = llvm.udiv %[[BLOCK]], %[[LAST:.*]] : i32
  // CHECK-NEXT: %[[FULL:.*]] = llvm.mul %[[M]], %[[LAST]]
  // CHECK-NEXT: llvm.sub %[[BLOCK]], %[[FULL]]
  // CHECK-NOT: llvm.udiv
  tile.kernel @row_major(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] plan {warps = 4 : i64, group_m = 1 : i64} {
    %c = arith.addi %m, %n : index
    tile.return
  }

  // Groups of 8 rows; the last group may be lower.
  // CHECK-LABEL: llvm.func @grouped(
  // CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i32) : i32
  // CHECK: %[[WIDTH:.*]] = llvm.mul %[[EIGHT]], %{{.*}} : i32
  // CHECK: %[[GROUP:.*]] = llvm.udiv %[[BLOCK]], %[[WIDTH]] : i32
  // CHECK: %[[FIRST:.*]] = llvm.mul %[[GROUP]], %[[EIGHT]]
  // CHECK: %[[LEFT:.*]] = llvm.sub %{{.*}}, %[[FIRST]]
  // CHECK: %[[ROWS:.*]] = llvm.intr.umin(%[[LEFT]], %[[EIGHT]])
  // CHECK: llvm.udiv %{{.*}}, %[[ROWS]]
  tile.kernel @grouped(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] plan {warps = 4 : i64, group_m = 8 : i64} {
    %c = arith.addi %m, %n : index
    tile.return
  }

  // The first of three coordinates is outermost.
  // CHECK-LABEL: llvm.func @three(
  // CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK: %[[PLANE:.*]] = llvm.mul %{{.*}}, %[[COLUMNS:.*]] overflow<nsw> : i32
  // CHECK: %[[B:.*]] = llvm.udiv %[[BLOCK]], %[[PLANE]] : i32
  // CHECK: %[[REST:.*]] = llvm.sub %[[BLOCK]]
  // CHECK: llvm.udiv %[[REST]], %[[COLUMNS]] : i32
  tile.kernel @three(%A: !tile.view<?x?x?xf32>) programs(%b, %m, %n) over %A by [1, 32, 64] plan {warps = 4 : i64, group_m = 1 : i64} {
    %c = arith.addi %m, %n : index
    tile.return
  }

  // With the promise that indices fit 32 bits, and only as far as they do.
  // CHECK-LABEL: llvm.func @narrow(
  // CHECK-NOT: llvm.udiv {{.*}} : i64
  // CHECK: llvm.udiv {{.*}} : i32
  // CHECK: llvm.br
  // CHECK: llvm.add {{.*}} : i64
  // CHECK: llvm.mul {{.*}} : i64
  tile.kernel @narrow(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] plan {warps = 4 : i64} attributes {max_index = 2146435071 : i64} {
    %c = arith.addi %m, %n : index
    %K = tile.dim %A, 1 : !tile.view<?x?xf32>
    %k = tile.assume %K divisible 8 range [0, 65536]
    %d = arith.muli %k, %k : index
    tile.return
  }
}
