// Before any pass runs: the canonicaliser would crash on the first.
// RUN: tile-opt %s --canonicalize -split-input-file -verify-diagnostics

// expected-error@+1 {{expected values of '!tile.tile<8xi32>' only inside 'tile.kernel'}}
%x = arith.constant dense<1> : !tile.tile<8xi32>
%low, %high = arith.mului_extended %x, %x : !tile.tile<8xi32>

// -----

// expected-error@+1 {{expected values of '!tile.tile<8xi32>' only inside 'tile.kernel'}}
%x = tile.iota 0 : !tile.tile<8xi32>

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
// expected-error-re@+1 {{expected values of '!tile.shared<32x64xbf16, {{.*}}>' only inside 'tile.kernel'}}
%s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>

// -----

%p = arith.constant true
scf.if %p {
  // expected-error@+1 {{expected values of '!tile.tile<8xi32>' only inside 'tile.kernel'}}
  %x = arith.constant dense<1> : !tile.tile<8xi32>
}
