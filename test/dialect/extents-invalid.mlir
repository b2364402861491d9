// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{'tile.extents' op expects parent op 'tile.kernel'}}
tile.extents

// -----

tile.kernel @extents_too_few(%n: index) programs(%i, %j) in {
  // expected-error@+1 {{'tile.extents' op expects one extent per coordinate, got 1 and 2}}
  tile.extents %n
} by [1, 1] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects the body to end in 'tile.return'}}
tile.kernel @extents_end_the_body(%n: index) programs(%i) in (%n) by [1] {
  tile.extents %n
}

// -----

// expected-note@+1 {{prior use here}}
tile.kernel @extents_of_i32(%n: i32) programs(%i) in {
  // expected-error@+1 {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  tile.extents %n
} by [1] {
  tile.return
}
