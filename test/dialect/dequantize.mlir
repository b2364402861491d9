// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @dequantize
tile.kernel @dequantize(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // CHECK: tile.dequantize %{{.*}} : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xbf16>
  %y = tile.dequantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xbf16>
  tile.return
}
