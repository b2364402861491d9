// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @expand_wrong_shape(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.expand' op expects the result to have the shape 1x64, found 64x1}}
  %e = tile.expand %row at [0] : !tile.tile<64xf32> -> !tile.tile<64x1xf32>
  tile.return
}

// -----

tile.kernel @expand_beyond_the_rank(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.expand' op expects axes from 0 to 1, found 9223372036854775807}}
  %e = tile.expand %row at [9223372036854775807] : !tile.tile<64xf32> -> !tile.tile<64x1xf32>
  tile.return
}

// -----

tile.kernel @expand_without_room(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<8x8x8x8x8xf32>
  // expected-error@+1 {{'tile.expand' op expects the result to have the shape 1x1x1x1x1x8x8x8x8x8, found 1x1x1x1x1}}
  %e = tile.expand %row at [0, 1, 2, 3, 4] : !tile.tile<8x8x8x8x8xf32> -> !tile.tile<1x1x1x1x1xf32>
  tile.return
}

// -----

tile.kernel @expand_at_nothing(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.expand' op expects at least one axis}}
  %e = tile.expand %row at [] : !tile.tile<64xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

#row = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
#moved = #tile.layout<registers = [], lanes = [[0, 2], [0, 1], [0, 4], [0, 8], [0, 16]], warps = []>
tile.kernel @expand_moves_elements(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %s = tile.splat %x : !tile.tile<32xf32, #row>
  // expected-error@+2 {{'tile.expand' op expects the result's layout to follow from the source's}}
  // expected-note-re@+1 {{source has type '!tile.tile<32xf32, {{.*}}>', result '!tile.tile<1x32xf32, {{.*}}>'; use 'tile.relayout' to go to another layout}}
  %e = tile.expand %s at [0] : !tile.tile<32xf32, #row> -> !tile.tile<1x32xf32, #moved>
  tile.return
}
