// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @assume_nothing(%m: index) programs(%i) in (%m) by [1] {
  // expected-error@+1 {{'tile.assume' op expects 'divisible' or 'range'}}
  %n = tile.assume %m
  tile.return
}

// -----

tile.kernel @assume_an_empty_range(%m: index) programs(%i) in (%m) by [1] {
  // expected-error@+1 {{'tile.assume' op expects range to be [lowest, highest]}}
  %n = tile.assume %m range [4, 3]
  tile.return
}

// -----

tile.kernel @assume_half_a_range(%m: index) programs(%i) in (%m) by [1] {
  // expected-error@+1 {{'tile.assume' op expects range to be [lowest, highest]}}
  %n = tile.assume %m range [4]
  tile.return
}

// -----

tile.kernel @assume_divisible_by_zero(%m: index) programs(%i) in (%m) by [1] {
  // expected-error@+1 {{'tile.assume' op attribute 'divisible' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %n = tile.assume %m divisible 0
  tile.return
}
