// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @transpose_of_one_axis(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xf32>
  // expected-error@+1 {{'tile.transpose' op expects a source of rank 2 or more, found '!tile.tile<32xf32>'}}
  %t = tile.transpose %x : !tile.tile<32xf32> -> !tile.tile<32xf32>
  tile.return
}

// -----

tile.kernel @transpose_repeats_an_axis(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.transpose' op expects permutation to name each axis of the source once, 0 to 1}}
  %t = tile.transpose %x permutation [1, 1] : !tile.tile<32x64xf32> -> !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @transpose_negative_axis(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.transpose' op expects permutation to name each axis of the source once, 0 to 1}}
  %t = tile.transpose %x permutation [-1, 9223372036854775807] : !tile.tile<32x64xf32> -> !tile.tile<64x32xf32>
  tile.return
}

// -----

tile.kernel @transpose_wrong_shape(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.transpose' op expects the result to have the shape 64x32, found 32x64}}
  %t = tile.transpose %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @transpose_changes_the_element(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.transpose' op expects source and result to have one element type, but got 'f32' and 'f16'}}
  %t = tile.transpose %x : !tile.tile<32x64xf32> -> !tile.tile<64x32xf16>
  tile.return
}

// -----

#rows = #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warps = []>
tile.kernel @transpose_moves_elements(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<4x4xf32, #rows>
  // expected-error@+2 {{'tile.transpose' op expects the result's layout to follow from the source's}}
  // expected-note-re@+1 {{source has type '!tile.tile<4x4xf32, {{.*}}>', result '!tile.tile<4x4xf32, {{.*}}>'; use 'tile.relayout' to go to another layout}}
  %t = tile.transpose %x : !tile.tile<4x4xf32, #rows> -> !tile.tile<4x4xf32, #rows>
  tile.return
}

// -----

tile.kernel @transpose_of_a_microscaled_tile(%V: !tile.view<?xf32>) programs(%m) over %V by [64] {
  %z = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %x = tile.quantize %z : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+2 {{'tile.transpose' op has no transpose of a microscaled tile, found '!tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>'}}
  // expected-note@+1 {{its blocks run along axis 1, the K of a product; 'tile.requantize' makes blocks along the other axis, and 'tile.mx_view … transposed' reads a matrix that is stored N x K}}
  %t = tile.transpose %x : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<128x64xf8E4M3FN>
  tile.return
}
