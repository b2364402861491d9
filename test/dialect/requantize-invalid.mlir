// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @requantize_to_another_shape(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.requantize' op expects source and result to have one shape, but expected 64x128, found 128x64}}
  %y = tile.requantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @requantize_to_integers_rounding_up(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.requantize' op expects 'round_up' only with scales of f8E8M0FNU or f8E4M3FN, found 'f16'}}
  %y = tile.requantize %q round_up : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<64x128xi4, block 64, scale f16>
  tile.return
}

// -----

tile.kernel @requantize_without_its_tensor_scale(%V: !tile.view<?x?xf32>, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.requantize' op expects a tensor scale, as '!tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>' has one}}
  %y = tile.requantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  tile.return
}
