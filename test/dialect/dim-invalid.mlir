// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @dim_beyond_the_rank(%A: !tile.view<?x?xbf16>) programs(%m, %n) over %A by [8, 8] {
  // expected-error@+1 {{'tile.dim' op expects axis to be below the view's rank of 2, found 2}}
  %K = tile.dim %A, 2 : !tile.view<?x?xbf16>
  tile.return
}

// -----

tile.kernel @dim_negative(%A: !tile.view<?x?xbf16>) programs(%m, %n) over %A by [8, 8] {
  // expected-error@+1 {{'tile.dim' op attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %K = tile.dim %A, -1 : !tile.view<?x?xbf16>
  tile.return
}

// -----

tile.kernel @dim_of_a_scalar(%A: !tile.view<?x?xbf16>, %n: index) programs(%m, %j) over %A by [8, 8] {
  // expected-error@+1 {{'tile.dim' op operand #0 must be view, but got 'index'}}
  %K = tile.dim %n, 0 : index
  tile.return
}
