// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @iota_axis_beyond_the_rank(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.iota' op expects axis to be below the rank of 2, found 2}}
  %t = tile.iota 2 : !tile.tile<32x64xi32>
  tile.return
}

// -----

tile.kernel @iota_negative_axis(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.iota' op attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %t = tile.iota -1 : !tile.tile<32x64xi32>
  tile.return
}

// -----

tile.kernel @iota_of_floats(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.iota' op expects elements of i32 or i64, found 'f32'}}
  %t = tile.iota 0 : !tile.tile<32x64xf32>
  tile.return
}

// -----

tile.kernel @iota_without_axis(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.iota' op requires attribute 'axis'}}
  %t = "tile.iota"() : () -> !tile.tile<8xi32>
  tile.return
}
