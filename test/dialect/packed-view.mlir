// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @packed_views
tile.kernel @packed_views(%X: !tile.view<?x?xf4E2M1FN>, %Y: !tile.view<64x?xi4, strides [1, ?], align 16>, %Z: !tile.view<?x32xi4, strides [64, 1]>) programs(%m, %n) over %X by [8, 8] {
  // CHECK: tile.packed_view %X : !tile.view<?x?xf4E2M1FN> -> !tile.view<?x?xi8>
  %B = tile.packed_view %X : !tile.view<?x?xf4E2M1FN> -> !tile.view<?x?xi8>
  // CHECK: tile.packed_view %Y : !tile.view<64x?xi4, strides [1, ?], align 16> -> !tile.view<32x?xi8, strides [1, ?], align 16>
  %C = tile.packed_view %Y : !tile.view<64x?xi4, strides [1, ?], align 16> -> !tile.view<32x?xi8, strides [1, ?], align 16>
  // CHECK: tile.packed_view %Z : !tile.view<?x32xi4, strides [64, 1]> -> !tile.view<?x16xi8, strides [32, 1]>
  %D = tile.packed_view %Z : !tile.view<?x32xi4, strides [64, 1]> -> !tile.view<?x16xi8, strides [32, 1]>
  tile.return
}
