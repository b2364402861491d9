// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{'tile.yield' op expects parent op 'tile.reduce'}}
tile.yield

// -----

tile.kernel @yield_ends_a_kernel(%A: !tile.view<?xi32>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.yield' op expects parent op 'tile.reduce'}}
  tile.yield
}
