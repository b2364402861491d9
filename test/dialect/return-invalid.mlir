// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{'tile.return' op expects parent op 'tile.kernel'}}
tile.return

// -----

tile.kernel @return_from_a_branch(%n: index, %p: i1) programs(%i) in (%n) by [1] {
  scf.if %p {
    // expected-error@+1 {{'tile.return' op expects parent op 'tile.kernel'}}
    tile.return
  }
  tile.return
}
