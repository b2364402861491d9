// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @packed_view_of_f6(%A: !tile.view<?xf6E2M3FN>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.packed_view' op expects a view of elements of four bits, found 'f6E2M3FN'}}
  %B = tile.packed_view %A : !tile.view<?xf6E2M3FN> -> !tile.view<?xi8>
  tile.return
}

// -----

tile.kernel @packed_view_keeps_the_extent(%A: !tile.view<64xi4>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.packed_view' op expects the result to be '!tile.view<32xi8>', found '!tile.view<64xi8>'}}
  %B = tile.packed_view %A : !tile.view<64xi4> -> !tile.view<64xi8>
  tile.return
}
