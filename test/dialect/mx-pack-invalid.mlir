// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @mx_pack_of_other_elements(%V: !tile.view<?x?xf32>, %ev: f8E4M3FN, %sv: f8E8M0FNU) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf8E4M3FN>
  %s = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  // expected-error@+1 {{'tile.mx_pack' op expects elements to be '!tile.tile<64x128xf8E5M2>', found '!tile.tile<64x128xf8E4M3FN>'}}
  %x = tile.mx_pack %e, %s : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU> -> !tile.mx<64x128xf8E5M2, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_pack_of_other_scales(%V: !tile.view<?x?xf32>, %ev: f8E4M3FN, %sv: f8E8M0FNU) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf8E4M3FN>
  %s = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  %h = arith.constant dense<0.0> : !tile.tile<64x4xf32>
  // expected-error@+1 {{'tile.mx_pack' op expects scales of 'f8E8M0FNU', found 'f32'}}
  %x = tile.mx_pack %e, %h : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_pack_of_too_few_scales(%V: !tile.view<?x?xf32>, %ev: f8E4M3FN, %sv: f8E8M0FNU) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf8E4M3FN>
  %s = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  %h = tile.splat %sv : !tile.tile<64x2xf8E8M0FNU>
  // expected-error@+1 {{'tile.mx_pack' op expects scales to be 64x4, found 64x2}}
  %x = tile.mx_pack %e, %h : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x2xf8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_pack_of_scales_with_blocks_first(%V: !tile.view<?x?xf32>, %ev: f8E4M3FN, %sv: f8E8M0FNU) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf8E4M3FN>
  %s = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  %f = tile.splat %ev : !tile.tile<128x64xf8E4M3FN>
  %h = tile.splat %sv : !tile.tile<4x64xf8E8M0FNU>
  // expected-error@+2 {{'tile.mx_pack' op expects scales to be 64x4, found 4x64}}
  // expected-note@+1 {{scales have the blocks as their last axis, also where the elements have them along another: those of a K x N operand are N x (K / block); 'tile.transpose' turns them}}
  %x = tile.mx_pack %f, %h : !tile.tile<128x64xf8E4M3FN>, !tile.tile<4x64xf8E8M0FNU> -> !tile.mx<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_pack_without_its_tensor_scale(%V: !tile.view<?x?xf32>, %ev: f4E2M1FN, %sv: f8E4M3FN) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf4E2M1FN>
  %s = tile.splat %sv : !tile.tile<64x8xf8E4M3FN>
  // expected-error@+1 {{'tile.mx_pack' op expects a tensor scale, as '!tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>' has one}}
  %x = tile.mx_pack %e, %s : !tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  tile.return
}

// -----

tile.kernel @mx_pack_with_a_tensor_scale_too_many(%V: !tile.view<?x?xf32>, %ev: f8E4M3FN, %sv: f8E8M0FNU, %t: f32) programs(%m, %k) over %V by [64, 128] {
  %e = tile.splat %ev : !tile.tile<64x128xf8E4M3FN>
  %s = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  // expected-error@+1 {{'tile.mx_pack' op expects no tensor scale, as '!tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>' has none}}
  %x = tile.mx_pack %e, %s tensor %t : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}
