// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @mx_pack
tile.kernel @mx_pack(%V: !tile.view<?x?xf32>, %ev: f8E4M3FN, %sv: f8E8M0FNU) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf8E4M3FN>
  %s = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  // CHECK: tile.mx_pack %{{[^ ]*}}, %{{[^ ]*}} : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  %x = tile.mx_pack %e, %s : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// CHECK-LABEL: tile.kernel @mx_pack_with_a_tensor_scale
tile.kernel @mx_pack_with_a_tensor_scale(%V: !tile.view<?x?xf32>, %ev: f4E2M1FN, %sv: f8E4M3FN, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf4E2M1FN>
  %s = tile.splat %sv : !tile.tile<64x8xf8E4M3FN>
  // CHECK: tile.mx_pack %{{[^ ]*}}, %{{[^ ]*}} tensor %{{[^ ]*}} : !tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  %x = tile.mx_pack %e, %s tensor %t : !tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  tile.return
}
