// RUN: tile-opt %s --tile-plan --tile-assign-layouts --split-input-file --verify-diagnostics --remarks-filter='tile-dot'

module attributes {tile.target = "sm_80"} {
tile.kernel @emulated(%A: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %B: !tile.view<?x?xbf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x32xf8E4M3FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<64x1xf8E8M0FNU>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xbf16> -> !tile.tile<32x64xbf16>
  // expected-remark @+1 {{product of f8E4M3FN scaled by f8E8M0FNU and bf16 is computed from 16-bit numbers}}
  %d = tile.dot %a scaled %s by 32, %b, %zero : !tile.tile<64x32xf8E4M3FN> scaled !tile.tile<64x1xf8E8M0FNU>, !tile.tile<32x64xbf16>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

// What the hardware does as it stands is not worth a word, also where one side is plain f8.
module attributes {tile.target = "sm_120a"} {
tile.kernel @negative_native(%A: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %B: !tile.view<?x?xf8E5M2>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] schedule {require = "native"} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x32xf8E4M3FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<64x1xf8E8M0FNU>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xf8E5M2> -> !tile.tile<32x64xf8E5M2>
  %d = tile.dot %a scaled %s by 32, %b, %zero : !tile.tile<64x32xf8E4M3FN> scaled !tile.tile<64x1xf8E8M0FNU>, !tile.tile<32x64xf8E5M2>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

module attributes {tile.target = "sm_100a"} {
tile.kernel @required(%A: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %B: !tile.view<?x?xf8E5M2>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] schedule {require = "native"} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x32xf8E4M3FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<64x1xf8E8M0FNU>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xf8E5M2> -> !tile.tile<32x64xf8E5M2>
  // expected-error @+2 {{'tile.dot' op has no matrix instruction on sm_100a for f8E4M3FN scaled by f8E8M0FNU and f8E5M2, which 'require' asks for}}
  // expected-note @+1 {{without 'require = "native"' in the kernel's schedule it is computed from 16-bit numbers}}
  %d = tile.dot %a scaled %s by 32, %b, %zero : !tile.tile<64x32xf8E4M3FN> scaled !tile.tile<64x1xf8E8M0FNU>, !tile.tile<32x64xf8E5M2>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// A whole number of instructions along K.
tile.kernel @short(%A: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E4M3FN>, %B: !tile.view<?x?xbf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<64x16xf4E2M1FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x1xf8E4M3FN>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xbf16> -> !tile.tile<16x64xbf16>
  // expected-error @+2 {{'tile.dot' op expects K to be a multiple of 32 where operands have scales, found 16}}
  // expected-note @+1 {{such products are made in steps of 32 along K; use tiles with a K of 32 or another multiple of it}}
  %d = tile.dot %a scaled %s by 16, %b, %zero : !tile.tile<64x16xf4E2M1FN> scaled !tile.tile<64x1xf8E4M3FN>, !tile.tile<16x64xbf16>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

// The instruction for pairs of f4E2M1FN with blocks of 16 takes 64 of them.
module attributes {tile.target = "sm_120a"} {
tile.kernel @short_for_its_instruction(%A: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E4M3FN>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<64x32xf4E2M1FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x2xf8E4M3FN>
  %t = tile.transpose %a : !tile.tile<64x32xf4E2M1FN> -> !tile.tile<32x64xf4E2M1FN>
  // expected-remark @+1 {{Reason="its instruction takes K in multiples of 64, found 32", Remark="product of f4E2M1FN scaled by f8E4M3FN and f4E2M1FN scaled by f8E4M3FN is computed from 16-bit numbers", Suggestion="use tiles with a K of 64 or another multiple of it"}}
  %d = tile.dot %a scaled %s by 16, %t scaled %s by 16, %zero : !tile.tile<64x32xf4E2M1FN> scaled !tile.tile<64x2xf8E4M3FN>, !tile.tile<32x64xf4E2M1FN> scaled !tile.tile<64x2xf8E4M3FN>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

module attributes {tile.target = "sm_120a"} {
tile.kernel @required_but_short(%A: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E4M3FN>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] schedule {require = "native"} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<64x32xf4E2M1FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x2xf8E4M3FN>
  %t = tile.transpose %a : !tile.tile<64x32xf4E2M1FN> -> !tile.tile<32x64xf4E2M1FN>
  // expected-error @+3 {{'tile.dot' op does not fit the matrix instruction of sm_120a for f4E2M1FN scaled by f8E4M3FN and f4E2M1FN scaled by f8E4M3FN, which 'require' asks for: its instruction takes K in multiples of 64, found 32}}
  // expected-note @+2 {{use tiles with a K of 64 or another multiple of it}}
  // expected-note @+1 {{without 'require = "native"' in the kernel's schedule it is computed from 16-bit numbers}}
  %d = tile.dot %a scaled %s by 16, %t scaled %s by 16, %zero : !tile.tile<64x32xf4E2M1FN> scaled !tile.tile<64x2xf8E4M3FN>, !tile.tile<32x64xf4E2M1FN> scaled !tile.tile<64x2xf8E4M3FN>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

// By hand: lowering packs them.
module attributes {tile.target = "sm_120a"} {
tile.kernel @not_packed(%A: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E4M3FN>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<64x64xf4E2M1FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x4xf8E4M3FN>
  %t = tile.transpose %a : !tile.tile<64x64xf4E2M1FN> -> !tile.tile<64x64xf4E2M1FN>
  // expected-remark @+1 {{Reason="its instruction takes packed operands", Remark="product of f4E2M1FN scaled by f8E4M3FN and f4E2M1FN scaled by f8E4M3FN is computed from 16-bit numbers", Suggestion="pack neighbours along K with 'tile.pack_pairs'"}}
  %d = tile.dot %a scaled %s by 16, %t scaled %s by 16, %zero : !tile.tile<64x64xf4E2M1FN> scaled !tile.tile<64x4xf8E4M3FN>, !tile.tile<64x64xf4E2M1FN> scaled !tile.tile<64x4xf8E4M3FN>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}
