// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected elements of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN, i4 or i8, found 'f16'}}
tile.kernel @mx_view_of_f16(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x32xf16, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32 elements of 'f8E5M2', found 16}}
tile.kernel @mx_view_of_f8_in_blocks_of_16(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x32xf8E5M2, block 16, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32 or 16 elements of 'f4E2M1FN', found 64}}
tile.kernel @mx_view_of_f4_in_blocks_of_64(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x64xf4E2M1FN, block 64, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected a block of 1 or more elements, found 0}}
tile.kernel @mx_view_of_f4_in_blocks_of_0(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x64xf4E2M1FN, block 0, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected the scale of blocks of 16 elements to be f8E4M3FN, found 'f8E8M0FNU'}}
tile.kernel @mx_view_of_nvfp4_with_an_exponent_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x64xf4E2M1FN, block 16, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected the scale of blocks of 32 elements to be f8E8M0FNU, found 'f32'}}
tile.kernel @mx_view_of_mxfp8_with_a_float_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x64xf8E4M3FN, block 32, scale f32>} { tile.return }

// -----

// expected-error@+1 {{expected tensor_scale only with f4E2M1FN in blocks of 16}}
tile.kernel @mx_view_of_mxfp8_with_a_tensor_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x64xf8E4M3FN, block 32, scale f8E8M0FNU, tensor_scale>} { tile.return }

// -----

// expected-error@+1 {{expected the block axis to be below the rank 2, found 2}}
tile.kernel @mx_view_along_an_axis_beyond_the_rank(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x64xf8E4M3FN, block 32 along 2, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected rank 2, or 3 with a batch first, found 0}}
tile.kernel @mx_view_of_rank_0(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<f8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected ','}}
tile.kernel @mx_view_without_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x32xf8E4M3FN, block 32>} { tile.return }

// -----

// expected-error@+1 {{expected row_major, mn_major or interleaved_128x4, found 'columns'}}
tile.kernel @mx_view_of_an_unknown_scale_layout(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales columns>} { tile.return }

// -----

// expected-error@+1 {{expected positive extents, found 0}}
tile.kernel @mx_view_of_nothing(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<0x?xf8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected the block axis to be 1 or 2, as the first of three is the batch, found 0}}
tile.kernel @mx_view_of_rank_3_along_the_batch(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<?x?x?xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected interleaved_128x4 with rank 2, found rank 3; give every matrix of a batch a view of its own, or store scales row_major}}
tile.kernel @mx_view_of_rank_3_interleaved(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<?x?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>} { tile.return }

// -----

tile.kernel @mx_view_op_of_other_elements(%E: !tile.view<?x?xf8E5M2>, %S: !tile.view<?x?xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'tile.mx_view' op expects elements of 'f8E4M3FN', found 'f8E5M2'}}
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E5M2>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_of_other_extents(%E: !tile.view<64x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'tile.mx_view' op expects the result to have the extents of the elements, found '!tile.view<64x?xf8E4M3FN>' and '!tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>'}}
  %X = tile.mx_view %E, %S : !tile.view<64x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_transposed_of_other_extents(%E: !tile.view<64x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'tile.mx_view' op expects the result to have the extents of the elements, the last two swapped, found '!tile.view<64x?xf8E4M3FN>' and '!tile.mx_view<64x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>'}}
  %X = tile.mx_view %E transposed, %S : !tile.view<64x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<64x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_of_other_scales(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf32>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'tile.mx_view' op expects scales of 'f8E8M0FNU', found 'f32'}}
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf32> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_of_columns_as_rows(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU, strides [1, ?]>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'tile.mx_view' op expects row_major scales as a view of rank 2 with stride 1 along axis 1, found '!tile.view<?x?xf8E8M0FNU, strides [1, ?]>'}}
  // expected-note@+1 {{its axes are those of the elements that are not blocked, and then the blocks: also for a right operand K x N, whose scales are N x (K / block)}}
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU, strides [1, ?]> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_of_rows_as_columns(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'tile.mx_view' op expects mn_major scales as a view of rank 2 with stride 1 along axis 0, found '!tile.view<?x?xf8E8M0FNU>'}}
  // expected-note@+1 {{its axes are those of the elements that are not blocked, and then the blocks: also for a right operand K x N, whose scales are N x (K / block)}}
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_of_rows_as_interleaved(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'tile.mx_view' op expects interleaved_128x4 scales as a view of ?x?x32x4x4 with strides [?, 512, 16, 4, 1], found '!tile.view<?x?xf8E8M0FNU>'}}
  // expected-note@+1 {{its axes are row / 128, block / 4, row mod 32, row / 32 mod 4 and block mod 4}}
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  tile.return
}

// -----

tile.kernel @mx_view_op_with_a_tensor_scale_too_many(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %t: f32, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'tile.mx_view' op expects no tensor scale, as '!tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>' has none}}
  %X = tile.mx_view %E, %S tensor %t : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_without_its_tensor_scale(%E: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E4M3FN>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'tile.mx_view' op expects a tensor scale, as '!tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale, scales row_major>' has one}}
  %X = tile.mx_view %E, %S : !tile.view<?x?xf4E2M1FN>, !tile.view<?x?xf8E4M3FN> -> !tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale, scales row_major>
  tile.return
}

// -----

// A right operand K x N stored N x K, with scales K / block x N.
tile.kernel @mx_view_op_of_blocks_first(%E: !tile.view<64x128xf8E4M3FN>, %S: !tile.view<4x64xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'tile.mx_view' op expects scales with an extent of 64 along axis 0 for the 64 rows or columns of '!tile.mx_view<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU, scales row_major>', found '!tile.view<4x64xf8E8M0FNU>'}}
  // expected-note@+1 {{its axes are those of the elements that are not blocked, and then the blocks: also for a right operand K x N, whose scales are N x (K / block)}}
  %X = tile.mx_view %E transposed, %S : !tile.view<64x128xf8E4M3FN>, !tile.view<4x64xf8E8M0FNU> -> !tile.mx_view<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

// 100 elements are four blocks, the last one in part.
tile.kernel @mx_view_op_of_too_few_blocks(%E: !tile.view<?x100xf8E4M3FN>, %S: !tile.view<?x3xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'tile.mx_view' op expects scales with an extent of 4 along axis 1 for the 4 blocks of '!tile.mx_view<?x100xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>', found '!tile.view<?x3xf8E8M0FNU>'}}
  // expected-note@+1 {{its axes are those of the elements that are not blocked, and then the blocks: also for a right operand K x N, whose scales are N x (K / block)}}
  %X = tile.mx_view %E, %S : !tile.view<?x100xf8E4M3FN>, !tile.view<?x3xf8E8M0FNU> -> !tile.mx_view<?x100xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_view_op_of_too_few_interleaved_rows(%E: !tile.view<200x?xf8E4M3FN>, %S: !tile.view<1x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'tile.mx_view' op expects scales with an extent of at least 2 along axis 0 for the 200 rows or columns of '!tile.mx_view<200x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>', found '!tile.view<1x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>'}}
  // expected-note@+1 {{its axes are row / 128, block / 4, row mod 32, row / 32 mod 4 and block mod 4}}
  %X = tile.mx_view %E, %S : !tile.view<200x?xf8E4M3FN>, !tile.view<1x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.mx_view<200x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  tile.return
}

// -----

tile.kernel @mx_view_op_of_too_few_interleaved_blocks(%E: !tile.view<?x160xf8E4M3FN>, %S: !tile.view<?x1x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>, %n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'tile.mx_view' op expects scales with an extent of at least 2 along axis 1 for the 5 blocks of '!tile.mx_view<?x160xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>', found '!tile.view<?x1x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>'}}
  // expected-note@+1 {{its axes are row / 128, block / 4, row mod 32, row / 32 mod 4 and block mod 4}}
  %X = tile.mx_view %E, %S : !tile.view<?x160xf8E4M3FN>, !tile.view<?x1x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.mx_view<?x160xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  tile.return
}

// -----

// Padding is allowed, and so are extents that are not known on one side.
tile.kernel @negative_mx_view_op_of_padded_scales(%E: !tile.view<200x100xf8E4M3FN>, %S: !tile.view<2x2x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>, %T: !tile.view<?x4xf8E8M0FNU>, %n: index) programs(%i) in (%n) by [1] {
  %X = tile.mx_view %E, %S : !tile.view<200x100xf8E4M3FN>, !tile.view<2x2x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.mx_view<200x100xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  %Y = tile.mx_view %E, %T : !tile.view<200x100xf8E4M3FN>, !tile.view<?x4xf8E8M0FNU> -> !tile.mx_view<200x100xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}
