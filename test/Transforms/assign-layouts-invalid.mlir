// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' -split-input-file -verify-diagnostics

module attributes {tile.target = "sm_80"} {
tile.kernel @f8_before_sm_89(%A: !tile.view<?x?xf8E4M3FN>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<32x32xf8E4M3FN>
  // expected-error@+2 {{'tile.dot' op has no matrix instruction on sm_80 for 'f8E4M3FN' and 'f8E4M3FN' added up in 'f32'}}
  // expected-note@+1 {{these targets have one: sm_89, sm_90a}}
  %d = tile.dot %a, %a, %zero : !tile.tile<32x32xf8E4M3FN>, !tile.tile<32x32xf8E4M3FN>, !tile.tile<32x32xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<32x32xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

#one = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [0]], warps = []>
module attributes {tile.target = "sm_80"} {
// expected-note@+1 {{'schedule {warps = 1}' on the kernel asks for as many}}
tile.kernel @layout_over_other_warps(%A: !tile.view<?xf32>) programs(%m) over %A by [64] {
  // expected-error@+1 {{expects layouts over 4 warps, as planned, found one over 1}}
  %a = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<64xf32, #one>
  tile.store %a, %A[%m] : !tile.tile<64xf32, #one>, !tile.view<?xf32>
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+1 {{'tile.kernel' op expects a plan of 1 to 32 warps, found 99}}
tile.kernel @too_many_warps(%A: !tile.view<?xf32>) programs(%m) over %A by [64] plan {warps = 99} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+1 {{'tile.kernel' op expects a plan where 'warps_m' times 'warps_n' is 'warps', 4, found 4 and 2}}
tile.kernel @wrong_split(%A: !tile.view<?xf32>) programs(%m) over %A by [64] plan {warps = 4, warps_m = 4, warps_n = 2} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
tile.kernel @sparse_constant(%A: !tile.view<?xf32>) programs(%m) over %A by [64] {
  // expected-error@+1 {{'arith.constant' op expects tiles to be written as 'dense<…>', found sparse<0, 1.000000e+00>}}
  %a = arith.constant sparse<0, 1.0> : !tile.tile<64xf32>
  tile.store %a, %A[%m] : !tile.tile<64xf32>, !tile.view<?xf32>
  tile.return
}
}
