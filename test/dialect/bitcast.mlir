// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @bitcast_between_types_of_one_width
tile.kernel @bitcast_between_types_of_one_width(%A: !tile.view<?xf32>, %s: f32, %n: i8) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %code = tile.splat %n : !tile.tile<32x64xi8>
  // CHECK: tile.bitcast %{{.*}} : !tile.tile<32x64xf32> -> !tile.tile<32x64xi32>
  %b = tile.bitcast %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xi32>
  // CHECK: tile.bitcast %{{.*}} : !tile.tile<32x64xi8> -> !tile.tile<32x64xf4E2M1FN>
  %c = tile.bitcast %code : !tile.tile<32x64xi8> -> !tile.tile<32x64xf4E2M1FN>
  // CHECK: tile.bitcast %{{.*}} : !tile.tile<32x64xi8> -> !tile.tile<32x64xi4>
  %d = tile.bitcast %code : !tile.tile<32x64xi8> -> !tile.tile<32x64xi4>
  tile.return
}
