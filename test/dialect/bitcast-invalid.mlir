// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @bitcast_to_another_width(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xf32>
  // expected-error@+1 {{'tile.bitcast' op expects element types of one width, but got 'f32' and 'i16'}}
  %y = tile.bitcast %x : !tile.tile<32xf32> -> !tile.tile<32xi16>
  tile.return
}

// -----

tile.kernel @bitcast_to_another_shape(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xf32>
  // expected-error@+1 {{'tile.bitcast' op expects source and result to have one shape and layout, but got '!tile.tile<32xf32>' and '!tile.tile<16xi32>'}}
  %y = tile.bitcast %x : !tile.tile<32xf32> -> !tile.tile<16xi32>
  tile.return
}

// -----

tile.kernel @bitcast_of_f4_to_f8(%A: !tile.view<?xf32>, %s: f4E2M1FN) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xf4E2M1FN>
  // expected-error@+1 {{'tile.bitcast' op expects i8 on the other side of a type narrower than a byte, but got 'f4E2M1FN' and 'f8E4M3FN'}}
  %y = tile.bitcast %x : !tile.tile<32xf4E2M1FN> -> !tile.tile<32xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @bitcast_between_i4_and_f4(%A: !tile.view<?xf32>, %s: f4E2M1FN) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xf4E2M1FN>
  // expected-error@+1 {{'tile.bitcast' op expects i8 on the other side of a type narrower than a byte, but got 'f4E2M1FN' and 'i4'}}
  %y = tile.bitcast %x : !tile.tile<32xf4E2M1FN> -> !tile.tile<32xi4>
  tile.return
}

// -----

tile.kernel @bitcast_of_i1(%A: !tile.view<?xf32>, %s: i1) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32xi1>
  // expected-error@+1 {{'tile.bitcast' op expects no i1, whose bits are not defined; use 'tile.cast' or a comparison}}
  %y = tile.bitcast %x : !tile.tile<32xi1> -> !tile.tile<32xi8>
  tile.return
}
