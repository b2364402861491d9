// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @broadcast_other_extent(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<32xf32>
  // expected-error@+1 {{'tile.broadcast' op expects source and result to agree in the axes that are not repeated: expected a source of 64, found 32}}
  %b = tile.broadcast %row along [0] : !tile.tile<32xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @broadcast_an_extent_above_1(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<2x64xf32>
  // expected-error@+1 {{'tile.broadcast' op expects source and result to agree in the axes that are not repeated: expected a source of 1x64, found 2x64}}
  %b = tile.broadcast %row along [0] : !tile.tile<2x64xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @broadcast_along_every_axis(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<1xf32>
  // expected-error@+2 {{'tile.broadcast' op expects an axis of the result that is not repeated, but axes name all 2}}
  // expected-note@+1 {{a single element is repeated with 'tile.splat'}}
  %b = tile.broadcast %row along [0, 1] : !tile.tile<1xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @broadcast_axis_beyond_the_rank(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.broadcast' op expects axes from 0 to 1, found 2}}
  %b = tile.broadcast %row along [2] : !tile.tile<64xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @broadcast_axes_out_of_order(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.broadcast' op expects axes in rising order, found 0 after 1}}
  %b = tile.broadcast %row along [1, 0] : !tile.tile<64xf32> -> !tile.tile<8x8x64xf32>
  tile.return
}

// -----

tile.kernel @broadcast_along_nothing(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.broadcast' op expects at least one axis}}
  %b = tile.broadcast %row along [] : !tile.tile<64xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

tile.kernel @broadcast_changes_the_element(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.broadcast' op expects source and result to have one element type, but got 'f32' and 'f16'}}
  %b = tile.broadcast %row along [0] : !tile.tile<64xf32> -> !tile.tile<32x64xf16>
  tile.return
}

// -----

#row = #tile.layout<registers = [], lanes = [[1], [2], [4], [0], [0]], warps = []>
#moved = #tile.layout<registers = [], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warps = []>
tile.kernel @broadcast_moves_elements(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %s = tile.splat %x : !tile.tile<8xf32, #row>
  // expected-error@+2 {{'tile.broadcast' op expects the result's layout to follow from the source's}}
  // expected-note-re@+1 {{source has type '!tile.tile<8xf32, {{.*}}>', result '!tile.tile<4x8xf32, {{.*}}>'; use 'tile.relayout' to go to another layout}}
  %b = tile.broadcast %s along [0] : !tile.tile<8xf32, #row> -> !tile.tile<4x8xf32, #moved>
  tile.return
}
