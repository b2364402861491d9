// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @mx_unpack
tile.kernel @mx_unpack(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // CHECK: tile.mx_unpack %{{.*}} : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU>
  %e, %s = tile.mx_unpack %x : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU>
  tile.return
}

// CHECK-LABEL: tile.kernel @mx_unpack_of_a_tensor_scale
tile.kernel @mx_unpack_of_a_tensor_scale(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %z = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %x = tile.quantize %z tensor %t : !tile.tile<64x128xf32> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  // CHECK: tile.mx_unpack %{{.*}} : !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale> -> !tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN>, f32
  %e, %s, %u = tile.mx_unpack %x : !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale> -> !tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN>, f32
  tile.return
}
