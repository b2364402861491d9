// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @quantize_to_another_shape(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  // expected-error@+1 {{'tile.quantize' op expects source and result to have one shape, but expected 128x64, found 64x128}}
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @quantize_of_f64(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %y = arith.constant dense<0.0> : !tile.tile<64x128xf64>
  // expected-error@+1 {{'tile.quantize' op expects a source of f32, f16 or bf16, found 'f64'}}
  %q = tile.quantize %y : !tile.tile<64x128xf64> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @quantize_to_integers_rounding_up(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  // expected-error@+1 {{'tile.quantize' op expects 'round_up' only with scales of f8E8M0FNU or f8E4M3FN, found 'f16'}}
  %q = tile.quantize %x round_up : !tile.tile<64x128xf32> -> !tile.mx<64x128xi4, block 64, scale f16>
  tile.return
}

// -----

tile.kernel @quantize_without_its_tensor_scale(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  // expected-error@+1 {{'tile.quantize' op expects a tensor scale, as '!tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>' has one}}
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  tile.return
}

// -----

tile.kernel @quantize_with_a_tensor_scale_too_many(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  // expected-error@+1 {{'tile.quantize' op expects no tensor scale, as '!tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>' has none}}
  %q = tile.quantize %x tensor %t : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}
