// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @select_by_integers(%A: !tile.view<?xf32>, %c: i32, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8xf32>
  %i = tile.splat %c : !tile.tile<8xi32>
  // expected-error@+1 {{'tile.select' op expects condition to be i1, or a tile of i1, found '!tile.tile<8xi32>'}}
  %r = tile.select %i, %x, %x : !tile.tile<8xi32>, !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @select_by_another_shape(%A: !tile.view<?xf32>, %c: i1, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8xf32>
  %i = tile.splat %c : !tile.tile<16xi1>
  // expected-error@+2 {{'tile.select' op expects condition and values to have one shape and layout}}
  // expected-note@+1 {{condition has type '!tile.tile<16xi1>', values have '!tile.tile<8xf32>'}}
  %r = tile.select %i, %x, %x : !tile.tile<16xi1>, !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @select_by_i8(%A: !tile.view<?xf32>, %c: i8, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+1 {{'tile.select' op operand #0 must be 1-bit signless integer or tile, but got 'i8'}}
  %r = tile.select %c, %x, %x : i8, !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @select_between_types(%A: !tile.view<?xf32>, %c: i1, %s: f32, %h: f16) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8xf32>
  %y = tile.splat %h : !tile.tile<8xf16>
  // expected-error@+1 {{'tile.select' op failed to verify that all of {trueValue, falseValue, result} have same type}}
  %r = "tile.select"(%c, %x, %y) : (i1, !tile.tile<8xf32>, !tile.tile<8xf16>) -> !tile.tile<8xf32>
  tile.return
}
