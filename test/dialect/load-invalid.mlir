// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @load_another_element(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] {
  // expected-error@+2 {{'tile.load' op expects view and tile to have one element type, but got 'f32' and 'f16'}}
  // expected-note@+1 {{'tile.cast' converts the tile}}
  %t = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x64xf16>
  tile.return
}

// -----

tile.kernel @load_another_rank(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] {
  // expected-error@+1 {{'tile.load' op expects view and tile to have one rank, but got 2 and 1}}
  %t = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

tile.kernel @load_too_few_offsets(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] {
  // expected-error@+1 {{'tile.load' op expects one offset per axis of the view, got 1 for rank 2}}
  %t = tile.load %A[%m] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @load_no_offsets(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] {
  // expected-error@+1 {{'tile.load' op expects one offset per axis of the view, got 0 for rank 2}}
  %t = tile.load %A[] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @load_pad_of_another_type(%A: !tile.view<?x?xf32>, %p: f16) programs(%m, %n) over %A by [32, 64] {
  // expected-error@+1 {{'tile.load' op expects pad to have the element type, but got 'f16' and 'f32'}}
  %t = tile.load %A[%m, %n] pad %p : f16 : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  tile.return
}

// -----

// expected-note@+1 {{prior use here}}
tile.kernel @load_offset_is_not_an_index(%A: !tile.view<?xf32>, %i: i32) programs(%m) over %A by [64] {
  // expected-error@+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  %t = tile.load %A[%i] : !tile.view<?xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

tile.kernel @load_offset_is_not_an_index_generic(%A: !tile.view<?xf32>, %i: i32) programs(%m) over %A by [64] {
  // expected-error@+1 {{'tile.load' op operand #1 must be variadic of index, but got 'i32'}}
  %t = "tile.load"(%A, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tile.view<?xf32>, i32) -> !tile.tile<64xf32>
  tile.return
}

// -----

tile.kernel @load_without_segments(%A: !tile.view<?xf32>) programs(%m) over %A by [64] {
  // expected-error@+1 {{op operand count (2) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %t = "tile.load"(%A, %m) : (!tile.view<?xf32>, index) -> !tile.tile<64xf32>
  tile.return
}

// -----

tile.kernel @load_from_a_tile(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [64] {
  %x = tile.splat %s : !tile.tile<64xf32>
  // expected-error@+1 {{'tile.load' op operand #0 must be view, but got '!tile.tile<64xf32>'}}
  %t = tile.load %x[%m] : !tile.tile<64xf32> -> !tile.tile<64xf32>
  tile.return
}
