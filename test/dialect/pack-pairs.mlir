// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#pairs = #tile.layout<registers = [[0, 1], [1, 0]], lanes = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warps = []>
#halves = #tile.layout<registers = [[1, 0]], lanes = [[0, 1], [0, 2], [2, 0], [4, 0], [8, 0]], warps = []>

// CHECK-LABEL: tile.kernel @pack_pairs_along_each_axis
tile.kernel @pack_pairs_along_each_axis(%A: !tile.view<?xf32>, %s: f4E2M1FN, %i: i4) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<64x128xf4E2M1FN>
  %y = tile.splat %i : !tile.tile<64x128xi4>
  // CHECK: tile.pack_pairs %{{.*}} along 1 : !tile.tile<64x128xf4E2M1FN> -> !tile.tile<64x64xi8>
  %p = tile.pack_pairs %x along 1 : !tile.tile<64x128xf4E2M1FN> -> !tile.tile<64x64xi8>
  // CHECK: tile.pack_pairs %{{.*}} along 0 : !tile.tile<64x128xi4> -> !tile.tile<32x128xi8>
  %q = tile.pack_pairs %y along 0 : !tile.tile<64x128xi4> -> !tile.tile<32x128xi8>
  tile.return
}

// CHECK-LABEL: tile.kernel @pack_pairs_of_a_layout
tile.kernel @pack_pairs_of_a_layout(%A: !tile.view<?xf32>, %s: f4E2M1FN) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<16x8xf4E2M1FN, #pairs>
  // CHECK: tile.pack_pairs %{{.*}} along 1
  %p = tile.pack_pairs %x along 1 : !tile.tile<16x8xf4E2M1FN, #pairs> -> !tile.tile<16x4xi8, #halves>
  tile.return
}
