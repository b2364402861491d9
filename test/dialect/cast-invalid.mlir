// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @cast_to_another_shape(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.cast' op expects source and result to have one shape, but got 32x64 and 64x32}}
  %y = tile.cast %x : !tile.tile<32x64xf32> -> !tile.tile<64x32xf16>
  tile.return
}

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
tile.kernel @cast_to_another_layout(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xf32>
  // expected-error@+1 {{'tile.cast' op expects source and result to have one layout; use 'tile.relayout' between them}}
  %y = tile.cast %x : !tile.tile<32xf32> -> !tile.tile<32xf16, #l>
  tile.return
}

// -----

tile.kernel @cast_unsigned_without_integers(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xf32>
  // expected-error@+1 {{'tile.cast' op expects 'unsigned' only from or to an integer type, found 'f32' to 'f16'}}
  %y = tile.cast %x unsigned : !tile.tile<32xf32> -> !tile.tile<32xf16>
  tile.return
}

// -----

tile.kernel @cast_of_a_scalar(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.cast' op operand #0 must be tile, but got 'f32'}}
  %y = tile.cast %s : f32 -> f16
  tile.return
}
