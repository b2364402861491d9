// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @relayout_changes_the_shape(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+2 {{'tile.relayout' op expects source and result to differ in layout only}}
  // expected-note@+1 {{source has type '!tile.tile<32x64xf32>', result '!tile.tile<64x32xf32>'}}
  %y = tile.relayout %x : !tile.tile<32x64xf32> -> !tile.tile<64x32xf32>
  tile.return
}

// -----

tile.kernel @relayout_changes_the_element(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+2 {{'tile.relayout' op expects source and result to differ in layout only}}
  // expected-note@+1 {{source has type '!tile.tile<32x64xf32>', result '!tile.tile<32x64xf16>'}}
  %y = tile.relayout %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xf16>
  tile.return
}
