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

tile.kernel @dot_of_ranks_3_and_2(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %a = arith.constant dense<0.0> : !tile.tile<2x16x16xf16>
  %b = arith.constant dense<0.0> : !tile.tile<16x8xf16>
  %c = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // expected-error@+1 {{'tile.dot' op expects lhs, rhs and acc all of rank 2, or of rank 3 with a batch first, found '!tile.tile<2x16x16xf16>', '!tile.tile<16x8xf16>' and '!tile.tile<16x8xf32>'}}
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

// -----

tile.kernel @dot_mismatched_batch(%V: !tile.view<?xf32>) programs(%m) over %V by [64] {
  // expected-note@+1 {{lhs has type '!tile.tile<2x16x16xf16>'}}
  %a = arith.constant dense<0.0> : !tile.tile<2x16x16xf16>
  // expected-note@+1 {{rhs has type '!tile.tile<4x16x8xf16>'}}
  %b = arith.constant dense<0.0> : !tile.tile<4x16x8xf16>
  %c = arith.constant dense<0.0> : !tile.tile<2x16x8xf32>
  // expected-error@+1 {{'tile.dot' op expects lhs and rhs to have the same batch, but got 2 and 4}}
  %d = tile.dot %a, %b, %c : !tile.tile<2x16x16xf16>, !tile.tile<4x16x8xf16>, !tile.tile<2x16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_mismatched_batch_of_the_accumulator(%V: !tile.view<?xf32>) programs(%m) over %V by [64] {
  // expected-note@+1 {{lhs has type '!tile.tile<2x16x16xf16>'}}
  %a = arith.constant dense<0.0> : !tile.tile<2x16x16xf16>
  %b = arith.constant dense<0.0> : !tile.tile<2x16x8xf16>
  // expected-note@+1 {{acc has type '!tile.tile<4x16x8xf32>'}}
  %c = arith.constant dense<0.0> : !tile.tile<4x16x8xf32>
  // expected-error@+1 {{'tile.dot' op expects lhs and acc to have the same batch, but got 2 and 4}}
  %d = tile.dot %a, %b, %c : !tile.tile<2x16x16xf16>, !tile.tile<2x16x8xf16>, !tile.tile<4x16x8xf32>
  tile.return
}

// -----

tile.kernel @dot_microscaled_rhs_not_transposed(%V: !tile.view<?xf32>) programs(%m) over %V by [64] {
  // expected-note@+1 {{lhs has type '!tile.tile<32x64xf16>'}}
  %a = arith.constant dense<0.0> : !tile.tile<32x64xf16>
  %z = arith.constant dense<0.0> : !tile.tile<32x64xf32>
  // expected-note@+1 {{rhs has type '!tile.mx<32x64xf8E4M3FN, block 32, scale f8E8M0FNU>'}}
  %b = tile.quantize %z : !tile.tile<32x64xf32> -> !tile.mx<32x64xf8E4M3FN, block 32, scale f8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  // expected-error@+2 {{'tile.dot' op expects lhs and rhs to have the same K, but got 64 and 32}}
  // expected-note@+1 {{if rhs is stored N x K, say 'transposed' where its view is joined by 'tile.mx_view'}}
  %d = tile.dot %a, %b, %c : !tile.tile<32x64xf16>, !tile.mx<32x64xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.tile<32x32xf32>
  tile.return
}

// -----

tile.kernel @dot_of_blocks_along_m(%V: !tile.view<?xf32>) programs(%m) over %V by [64] {
  %z = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  // expected-note@+1 {{lhs has type '!tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>'}}
  %a = tile.quantize %z : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  %b = arith.constant dense<0.0> : !tile.tile<128x64xf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+2 {{'tile.dot' op expects the blocks of lhs along K, axis 1, found them along 0}}
  // expected-note@+1 {{'tile.requantize' makes blocks along another axis}}
  %d = tile.dot %a, %b, %c : !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>, !tile.tile<128x64xf16>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_of_blocks_along_n(%V: !tile.view<?xf32>) programs(%m) over %V by [64] {
  %z = arith.constant dense<0.0> : !tile.tile<128x64xf32>
  // expected-note@+1 {{rhs has type '!tile.mx<128x64xf8E4M3FN, block 32, scale f8E8M0FNU>'}}
  %b = tile.quantize %z : !tile.tile<128x64xf32> -> !tile.mx<128x64xf8E4M3FN, block 32, scale f8E8M0FNU>
  %a = arith.constant dense<0.0> : !tile.tile<64x128xf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+2 {{'tile.dot' op expects the blocks of rhs along K, axis 0, found them along 1}}
  // expected-note@+1 {{'tile.requantize' makes blocks along another axis}}
  %d = tile.dot %a, %b, %c : !tile.tile<64x128xf16>, !tile.mx<128x64xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_of_values_with_scales_beside_them(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %z = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %a = tile.quantize %z : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  %b = tile.splat %h : !tile.tile<128x64xf16>
  %s = tile.splat %ev : !tile.tile<64x4xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.dot' op expects either microscaled operands, or tiles with their scales beside them, but got both}}
  %d = tile.dot %a scaled %s by 32, %b, %c : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf16>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_packed_of_f8(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x128xf8E4M3FN>
  %b = tile.splat %pv : !tile.tile<128x64xf8E4M3FN>
  %s = tile.splat %ev : !tile.tile<64x4xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.dot' op expects 'packed' operands to be i8 with scales on both sides}}
  %d = tile.dot %a scaled %s by 32, %b scaled %s by 32, %c packed : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_packed_without_scales(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %iv : !tile.tile<64x128xi8>
  %b = tile.splat %iv : !tile.tile<128x64xi8>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.dot' op expects 'packed' operands to be i8 with scales on both sides}}
  %d = tile.dot %a, %b, %c packed : !tile.tile<64x128xi8>, !tile.tile<128x64xi8>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_scaled_by_no_family(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x128xf8E4M3FN>
  %b = tile.splat %h : !tile.tile<128x64xf16>
  %s = tile.splat %ev : !tile.tile<64x2xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.dot' op lhs: expected blocks of 32 elements of 'f8E4M3FN', found 64}}
  %d = tile.dot %a scaled %s by 64, %b, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x2xf8E8M0FNU>, !tile.tile<128x64xf16>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_scaled_in_parts_of_blocks(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x16xf8E4M3FN>
  %b = tile.splat %h : !tile.tile<16x64xf16>
  %s = tile.splat %ev : !tile.tile<64x1xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.dot' op expects K to be a multiple of the block of 32 of lhs, found 16}}
  %d = tile.dot %a scaled %s by 32, %b, %c : !tile.tile<64x16xf8E4M3FN> scaled !tile.tile<64x1xf8E8M0FNU>, !tile.tile<16x64xf16>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_scaled_with_blocks_first(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %h : !tile.tile<64x128xf16>
  %b = tile.splat %pv : !tile.tile<128x64xf8E4M3FN>
  %s = tile.splat %ev : !tile.tile<4x64xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+2 {{'tile.dot' op expects the scales of rhs to be 64x4, found 4x64}}
  // expected-note@+1 {{scales have one row for each column of rhs, with its blocks along K side by side; 'tile.transpose' turns them}}
  %d = tile.dot %a, %b scaled %s by 32, %c : !tile.tile<64x128xf16>, !tile.tile<128x64xf8E4M3FN> scaled !tile.tile<4x64xf8E8M0FNU>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_scaled_of_too_few_scales(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x128xf8E4M3FN>
  %b = tile.splat %h : !tile.tile<128x64xf16>
  %s = tile.splat %ev : !tile.tile<64x2xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.dot' op expects the scales of lhs to be 64x4, found 64x2}}
  %d = tile.dot %a scaled %s by 32, %b, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x2xf8E8M0FNU>, !tile.tile<128x64xf16>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_scaled_by_f32(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x128xf8E4M3FN>
  %s = tile.splat %ev : !tile.tile<64x4xf8E8M0FNU>
  %b = arith.constant dense<0.0> : !tile.tile<128x64xf32>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+2 {{'tile.dot' op expects element types that can be multiplied, but got 'f8E4M3FN', 'f32' and 'f32'}}
  // expected-note@+1 {{microscaled floats multiply each other, f16, bf16 and f8, microscaled integers f16 and bf16; both add up in f32}}
  %d = tile.dot %a scaled %s by 32, %b, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf32>, !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_scaled_integers_on_both_sides(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU, %iv: i8, %h: f16) programs(%m) over %V by [64] {
  %a = tile.splat %iv : !tile.tile<64x128xi8>
  %b = tile.splat %iv : !tile.tile<128x64xi8>
  %s = tile.splat %h : !tile.tile<64x2xf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+2 {{'tile.dot' op expects element types that can be multiplied, but got 'i8', 'i8' and 'f32'}}
  // expected-note@+1 {{microscaled floats multiply each other, f16, bf16 and f8, microscaled integers f16 and bf16; both add up in f32}}
  %d = tile.dot %a scaled %s by 64, %b scaled %s by 64, %c : !tile.tile<64x128xi8> scaled !tile.tile<64x2xf16>, !tile.tile<128x64xi8> scaled !tile.tile<64x2xf16>, !tile.tile<64x64xf32>
  tile.return
}

// -----

// Only the generic form can say this.
tile.kernel @dot_scaled_without_a_block(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x64xf8E4M3FN>
  %s = tile.splat %ev : !tile.tile<64x2xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+2 {{'tile.dot' op expects scales of lhs and the size of their blocks together, found only scales}}
  // expected-note@+1 {{as in '%lhs scaled %scales by 32'}}
  %d = "tile.dot"(%a, %a, %c, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (!tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf32>, !tile.tile<64x2xf8E8M0FNU>) -> !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @dot_with_a_block_and_no_scales(%V: !tile.view<?xf32>, %pv: f8E4M3FN) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+2 {{'tile.dot' op expects scales of rhs and the size of their blocks together, found only a block size}}
  // expected-note@+1 {{as in '%rhs scaled %scales by 32'}}
  %d = "tile.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, rhsBlock = 32 : i64}> : (!tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf32>) -> !tile.tile<64x64xf32>
  tile.return
}

// -----

// 2^32 + 32
tile.kernel @dot_scaled_by_huge_blocks(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %ev: f8E8M0FNU) programs(%m) over %V by [64] {
  %a = tile.splat %pv : !tile.tile<64x64xf8E4M3FN>
  %s = tile.splat %ev : !tile.tile<64x2xf8E8M0FNU>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.dot' op lhs: expected blocks of 32 elements of 'f8E4M3FN', found 4294967328}}
  %d = tile.dot %a scaled %s by 4294967328, %a, %c : !tile.tile<64x64xf8E4M3FN> scaled !tile.tile<64x2xf8E8M0FNU>, !tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf32>
  tile.return
}
