// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @reshape_loses_elements(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %s = tile.splat %x : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reshape' op expects source and result to have the same number of elements, but got 2048 and 1024}}
  %r = tile.reshape %s : !tile.tile<32x64xf32> -> !tile.tile<32x32xf32>
  tile.return
}

// -----

tile.kernel @reshape_changes_the_element(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %s = tile.splat %x : !tile.tile<8xf32>
  // expected-error@+1 {{'tile.reshape' op expects source and result to have one element type, but got 'f32' and 'i32'}}
  %r = tile.reshape %s : !tile.tile<8xf32> -> !tile.tile<1x8xi32>
  tile.return
}

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
tile.kernel @reshape_opens_the_layout(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %s = tile.splat %x : !tile.tile<32xf32, #l>
  // expected-error@+1 {{'tile.reshape' op expects source and result both to have a layout, or neither}}
  %r = tile.reshape %s : !tile.tile<32xf32, #l> -> !tile.tile<4x8xf32>
  tile.return
}

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
#columns = #tile.layout<registers = [], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warps = []>
tile.kernel @reshape_moves_elements(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %s = tile.splat %x : !tile.tile<32xf32, #l>
  // expected-error@+2 {{'tile.reshape' op expects the result's layout to follow from the source's}}
  // expected-note-re@+1 {{source has type '!tile.tile<32xf32, {{.*}}>', result '!tile.tile<4x8xf32, {{.*}}>'; use 'tile.relayout' to go to another layout}}
  %r = tile.reshape %s : !tile.tile<32xf32, #l> -> !tile.tile<4x8xf32, #columns>
  tile.return
}
