// Passes that need the parts of microscaled values say which pass makes them.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-plan))'
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))'
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-slice-dots))'
// RUN: tile-opt %s -verify-diagnostics --convert-tile-to-nvvm

!X = !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
module attributes {tile.target = "sm_90a"} {
tile.kernel @microscaled(%V: !tile.view<?x?xf32>) programs(%m, %k) over %V by [64, 128] {
  %x = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %b = arith.constant dense<0.0> : !tile.tile<128x64xf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.quantize' op expects microscaled tiles to be lowered; run 'tile-lower-microscaling' first}}
  %q = tile.quantize %x : !tile.tile<64x128xf32> -> !X
  %d = tile.dot %q, %b, %c : !X, !tile.tile<128x64xf16>, !tile.tile<64x64xf32>
  tile.return
}
}
