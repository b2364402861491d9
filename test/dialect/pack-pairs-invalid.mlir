// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @pack_pairs_of_f8(%A: !tile.view<?xf32>, %s: f8E4M3FN) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8x16xf8E4M3FN>
  // expected-error@+1 {{'tile.pack_pairs' op expects elements of four bits, found 'f8E4M3FN'}}
  %y = tile.pack_pairs %x along 1 : !tile.tile<8x16xf8E4M3FN> -> !tile.tile<8x8xi8>
  tile.return
}

// -----

tile.kernel @pack_pairs_to_i16(%A: !tile.view<?xf32>, %s: i4) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8x16xi4>
  // expected-error@+1 {{'tile.pack_pairs' op expects a result of i8, found 'i16'}}
  %y = tile.pack_pairs %x along 1 : !tile.tile<8x16xi4> -> !tile.tile<8x8xi16>
  tile.return
}

// -----

tile.kernel @pack_pairs_beyond_the_rank(%A: !tile.view<?xf32>, %s: i4) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8x16xi4>
  // expected-error@+1 {{'tile.pack_pairs' op expects axis to be below the rank of 2, found 2}}
  %y = tile.pack_pairs %x along 2 : !tile.tile<8x16xi4> -> !tile.tile<8x8xi8>
  tile.return
}

// -----

tile.kernel @pack_pairs_of_a_wrong_shape(%A: !tile.view<?xf32>, %s: i4) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8x16xi4>
  // expected-error@+1 {{'tile.pack_pairs' op expects the result to be 8x8, found 4x16}}
  %y = tile.pack_pairs %x along 1 : !tile.tile<8x16xi4> -> !tile.tile<4x16xi8>
  tile.return
}

// -----

#pairs = #tile.layout<registers = [[0, 1], [1, 0]], lanes = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warps = []>
tile.kernel @pack_pairs_with_one_layout(%A: !tile.view<?xf32>, %s: i4) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<16x8xi4, #pairs>
  // expected-error@+1 {{'tile.pack_pairs' op expects source and result both to have a layout, or neither}}
  %y = tile.pack_pairs %x along 1 : !tile.tile<16x8xi4, #pairs> -> !tile.tile<16x4xi8>
  tile.return
}

// -----

#apart = #tile.layout<registers = [[0, 4], [1, 0]], lanes = [[0, 1], [0, 2], [2, 0], [4, 0], [8, 0]], warps = []>
#halves = #tile.layout<registers = [[1, 0]], lanes = [[0, 1], [0, 2], [2, 0], [4, 0], [8, 0]], warps = []>
tile.kernel @pack_pairs_in_two_threads(%A: !tile.view<?xf32>, %s: i4) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<16x8xi4, #apart>
  // expected-error@+2 {{'tile.pack_pairs' op expects threads that hold whole pairs of neighbours along axis 1, but got}}
  // expected-note@+1 {{use 'tile.relayout' first}}
  %y = tile.pack_pairs %x along 1 : !tile.tile<16x8xi4, #apart> -> !tile.tile<16x4xi8, #halves>
  tile.return
}

// -----

#pairs = #tile.layout<registers = [[0, 1], [1, 0]], lanes = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warps = []>
#other = #tile.layout<registers = [[8, 0]], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @pack_pairs_to_another_layout(%A: !tile.view<?xf32>, %s: i4) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<16x8xi4, #pairs>
  // expected-error@+1 {{'tile.pack_pairs' op expects the result's layout to be the source's without its neighbours along axis 1, which is}}
  %y = tile.pack_pairs %x along 1 : !tile.tile<16x8xi4, #pairs> -> !tile.tile<16x4xi8, #other>
  tile.return
}
