// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @store_another_element(%B: !tile.view<?x?xf32>, %s: f16) programs(%m, %n) over %B by [32, 64] {
  %t = tile.splat %s : !tile.tile<32x64xf16>
  // expected-error@+2 {{'tile.store' op expects view and tile to have one element type, but got 'f32' and 'f16'}}
  // expected-note@+1 {{'tile.cast' converts the tile}}
  tile.store %t, %B[%m, %n] : !tile.tile<32x64xf16>, !tile.view<?x?xf32>
  tile.return
}

// -----

tile.kernel @store_another_rank(%B: !tile.view<?x?xf32>, %s: f32) programs(%m, %n) over %B by [32, 64] {
  %t = tile.splat %s : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.store' op expects view and tile to have one rank, but got 2 and 1}}
  tile.store %t, %B[%m, %n] : !tile.tile<64xf32>, !tile.view<?x?xf32>
  tile.return
}

// -----

tile.kernel @store_too_many_offsets(%B: !tile.view<?x?xf32>, %s: f32) programs(%m, %n) over %B by [32, 64] {
  %t = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.store' op expects one offset per axis of the view, got 3 for rank 2}}
  tile.store %t, %B[%m, %n, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
  tile.return
}
