// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @requantize
tile.kernel @requantize(%V: !tile.view<?x?xf32>, %scale: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // CHECK: tile.requantize %{{[^ ]*}} : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  %t = tile.requantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  // CHECK: tile.requantize %{{[^ ]*}} round_up tensor %{{[^ ]*}} : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  %u = tile.requantize %q round_up tensor %scale : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  tile.return
}
