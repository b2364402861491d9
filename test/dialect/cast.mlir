// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @cast_every_clause
tile.kernel @cast_every_clause(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // CHECK: tile.cast %{{.*}} : !tile.tile<32x64xf32> -> !tile.tile<32x64xbf16>
  %h = tile.cast %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xbf16>
  // CHECK: tile.cast %{{.*}} saturate : !tile.tile<32x64xf32> -> !tile.tile<32x64xf8E4M3FN>
  %q = tile.cast %x saturate : !tile.tile<32x64xf32> -> !tile.tile<32x64xf8E4M3FN>
  // CHECK: tile.cast %{{.*}} unsigned : !tile.tile<32x64xf32> -> !tile.tile<32x64xi8>
  %u = tile.cast %x unsigned : !tile.tile<32x64xf32> -> !tile.tile<32x64xi8>
  // CHECK: tile.cast %{{.*}} saturate unsigned : !tile.tile<32x64xi8> -> !tile.tile<32x64xi1>
  %v = tile.cast %u saturate unsigned : !tile.tile<32x64xi8> -> !tile.tile<32x64xi1>
  tile.return
}

// CHECK-LABEL: tile.kernel @cast_to_every_element_type
tile.kernel @cast_to_every_element_type(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // CHECK: -> !tile.tile<8xi16>
  %0 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xi16>
  // CHECK: -> !tile.tile<8xi64>
  %1 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xi64>
  // CHECK: -> !tile.tile<8xf16>
  %2 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xf16>
  // CHECK: -> !tile.tile<8xf64>
  %3 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xf64>
  // CHECK: -> !tile.tile<8xf8E5M2>
  %4 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xf8E5M2>
  // CHECK: -> !tile.tile<8xf8E8M0FNU>
  %5 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xf8E8M0FNU>
  // CHECK: -> !tile.tile<8xf6E2M3FN>
  %6 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xf6E2M3FN>
  // CHECK: -> !tile.tile<8xf6E3M2FN>
  %7 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xf6E3M2FN>
  // CHECK: -> !tile.tile<8xf4E2M1FN>
  %8 = tile.cast %x : !tile.tile<8xf32> -> !tile.tile<8xf4E2M1FN>
  tile.return
}
