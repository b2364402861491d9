// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @splat_of_another_type(%A: !tile.view<?xf32>, %s: f16) programs(%m) over %A by [8] {
  // expected-note@-1 {{prior use here}}
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: 'f32' vs 'f16'}}
  %t = tile.splat %s : !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @splat_of_another_type_generic(%A: !tile.view<?xf32>, %s: f16) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.splat' op failed to verify that value has the element type of the result}}
  %t = "tile.splat"(%s) : (f16) -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @splat_gives_a_tile(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.splat' op result #0 must be tile, but got 'f32'}}
  %t = "tile.splat"(%s) : (f32) -> f32
  tile.return
}
