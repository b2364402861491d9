// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @dequantize_to_another_shape(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.dequantize' op expects source and result to have one shape, but expected 64x128, found 128x64}}
  %y = tile.dequantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<128x64xf32>
  tile.return
}

// -----

tile.kernel @dequantize_to_f64(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.dequantize' op expects a result of f32, f16 or bf16, found 'f64'}}
  %y = tile.dequantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf64>
  tile.return
}
