// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @dot_mismatched_k(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-note@+1 {{lhs has type '!tile.tile<128x64xf16>'}}
  %a = arith.constant dense<0.0> : !tile.tile<128x64xf16>
  // expected-note@+1 {{rhs has type '!tile.tile<32x128xf16>'}}
  %b = arith.constant dense<0.0> : !tile.tile<32x128xf16>
  %c = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  // expected-error@+1 {{'tile.dot' op expects lhs and rhs to have the same K, but got 64 and 32}}
  %d = tile.dot %a, %b, %c : !tile.tile<128x64xf16>, !tile.tile<32x128xf16>, !tile.tile<128x128xf32>
  tile.return
}

// -----

tile.kernel @dot_rhs_not_transposed(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-note@+1 {{lhs has type '!tile.tile<128x64xf16>'}}
  %a = arith.constant dense<0.0> : !tile.tile<128x64xf16>
  // expected-note@+1 {{rhs has type '!tile.tile<32x64xf16>'}}
  %b = arith.constant dense<0.0> : !tile.tile<32x64xf16>
  %c = arith.constant dense<0.0> : !tile.tile<128x32xf32>
  // expected-error@+2 {{'tile.dot' op expects lhs and rhs to have the same K, but got 64 and 32}}
  // expected-note@+1 {{if rhs is stored N x K, transpose it first with 'tile.transpose'}}
  %d = tile.dot %a, %b, %c : !tile.tile<128x64xf16>, !tile.tile<32x64xf16>, !tile.tile<128x32xf32>
  tile.return
}

// -----

tile.kernel @dot_mismatched_m(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-note@+1 {{lhs has type '!tile.tile<128x64xf16>'}}
  %a = arith.constant dense<0.0> : !tile.tile<128x64xf16>
  %b = arith.constant dense<0.0> : !tile.tile<64x32xf16>
  // expected-note@+1 {{acc has type '!tile.tile<64x32xf32>'}}
  %c = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  // expected-error@+1 {{'tile.dot' op expects lhs and acc to have the same M, but got 128 and 64}}
  %d = tile.dot %a, %b, %c : !tile.tile<128x64xf16>, !tile.tile<64x32xf16>, !tile.tile<64x32xf32>
  tile.return
}

// -----

tile.kernel @dot_mismatched_n(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<128x64xf16>
  // expected-note@+1 {{rhs has type '!tile.tile<64x32xf16>'}}
  %b = arith.constant dense<0.0> : !tile.tile<64x32xf16>
  // expected-note@+1 {{acc has type '!tile.tile<128x64xf32>'}}
  %c = arith.constant dense<0.0> : !tile.tile<128x64xf32>
  // expected-error@+1 {{'tile.dot' op expects rhs and acc to have the same N, but got 32 and 64}}
  %d = tile.dot %a, %b, %c : !tile.tile<128x64xf16>, !tile.tile<64x32xf16>, !tile.tile<128x64xf32>
  tile.return
}

// -----

tile.kernel @dot_of_rank_3(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<2x16x16xf16>
  %b = arith.constant dense<0.0> : !tile.tile<16x8xf16>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // expected-error@+1 {{'tile.dot' op expects lhs, rhs and acc of rank 2, found '!tile.tile<2x16x16xf16>', '!tile.tile<16x8xf16>' and '!tile.tile<16x8xf32>'}}
  %d = tile.dot %a, %b, %c : !tile.tile<2x16x16xf16>, !tile.tile<16x8xf16>, !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_mixed_operands(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<16x16xf16>
  %b = arith.constant dense<0.0> : !tile.tile<16x8xbf16>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // expected-error@+2 {{'tile.dot' op expects element types that can be multiplied, but got 'f16', 'bf16' and 'f32'}}
  // expected-note@+1 {{f16, bf16, f8 and f32 add up in f32, f64 in f64, i8 in i32; both operands are of one type}}
  %d = tile.dot %a, %b, %c : !tile.tile<16x16xf16>, !tile.tile<16x8xbf16>, !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_sums_in_f16(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<16x16xf16>
  %b = arith.constant dense<0.0> : !tile.tile<16x8xf16>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf16>
  // expected-error@+2 {{'tile.dot' op expects element types that can be multiplied, but got 'f16', 'f16' and 'f16'}}
  // expected-note@+1 {{f16, bf16, f8 and f32 add up in f32, f64 in f64, i8 in i32; both operands are of one type}}
  %d = tile.dot %a, %b, %c : !tile.tile<16x16xf16>, !tile.tile<16x8xf16>, !tile.tile<16x8xf16>
  tile.return
}

// -----

tile.kernel @dot_sums_i8_in_f32(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0> : !tile.tile<16x16xi8>
  %b = arith.constant dense<0> : !tile.tile<16x8xi8>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // expected-error@+2 {{'tile.dot' op expects element types that can be multiplied, but got 'i8', 'i8' and 'f32'}}
  // expected-note@+1 {{f16, bf16, f8 and f32 add up in f32, f64 in f64, i8 in i32; both operands are of one type}}
  %d = tile.dot %a, %b, %c : !tile.tile<16x16xi8>, !tile.tile<16x8xi8>, !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_of_f4(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<16x16xf4E2M1FN>
  %b = arith.constant dense<0.0> : !tile.tile<16x8xf4E2M1FN>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // expected-error@+2 {{'tile.dot' op expects element types that can be multiplied, but got 'f4E2M1FN', 'f4E2M1FN' and 'f32'}}
  // expected-note@+1 {{f16, bf16, f8 and f32 add up in f32, f64 in f64, i8 in i32; both operands are of one type}}
  %d = tile.dot %a, %b, %c : !tile.tile<16x16xf4E2M1FN>, !tile.tile<16x8xf4E2M1FN>, !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_of_f64_in_f32(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<16x16xf64>
  %b = arith.constant dense<0.0> : !tile.tile<16x8xf64>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // expected-error@+2 {{'tile.dot' op expects element types that can be multiplied, but got 'f64', 'f64' and 'f32'}}
  // expected-note@+1 {{f16, bf16, f8 and f32 add up in f32, f64 in f64, i8 in i32; both operands are of one type}}
  %d = tile.dot %a, %b, %c : !tile.tile<16x16xf64>, !tile.tile<16x8xf64>, !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_tf32_of_f16(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<16x16xf16>
  %b = arith.constant dense<0.0> : !tile.tile<16x8xf16>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // expected-error@+1 {{'tile.dot' op expects 'precision tf32' only on f32 operands, found 'f16'}}
  %d = tile.dot %a, %b, %c precision tf32 : !tile.tile<16x16xf16>, !tile.tile<16x8xf16>, !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_unknown_precision(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %c = arith.constant dense<0.0> : !tile.tile<8x8xf32>
  // expected-error@+2 {{expected ::mlir::tile::Precision to be one of: ieee, tf32}}
  // expected-error@+1 {{failed to parse Tile_PrecisionAttr parameter}}
  %d = tile.dot %c, %c, %c precision fast : !tile.tile<8x8xf32>, !tile.tile<8x8xf32>, !tile.tile<8x8xf32>
  tile.return
}
