// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @quantize
tile.kernel @quantize(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  // CHECK: tile.quantize %{{[^ ]*}} : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // CHECK: tile.quantize %{{[^ ]*}} round_up tensor %{{[^ ]*}} : !tile.tile<64x128xf32> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  %r = tile.quantize %x round_up tensor %t : !tile.tile<64x128xf32> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  // CHECK: tile.quantize %{{[^ ]*}} tensor %{{[^ ]*}} : !tile.tile<64x128xf32> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  %s = tile.quantize %x tensor %t : !tile.tile<64x128xf32> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  // CHECK: tile.quantize %{{[^ ]*}} round_up : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  %u = tile.quantize %x round_up : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  %h = tile.cast %x : !tile.tile<64x128xf32> -> !tile.tile<64x128xf16>
  // CHECK: tile.quantize %{{[^ ]*}} : !tile.tile<64x128xf16> -> !tile.mx<64x128xi8, block 128, scale f16>
  %v = tile.quantize %h : !tile.tile<64x128xf16> -> !tile.mx<64x128xi8, block 128, scale f16>
  tile.return
}
