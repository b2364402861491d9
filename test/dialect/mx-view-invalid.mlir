// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected elements of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN or f4E2M1FN, found 'f16'}}
tile.kernel @mx_view_of_f16(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x32xf16, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32 elements of 'f8E5M2', found 16}}
tile.kernel @mx_view_of_f8_in_blocks_of_16(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x32xf8E5M2, block 16, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32 or 16 elements of 'f4E2M1FN', found 64}}
tile.kernel @mx_view_of_f4_in_blocks_of_64(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx_view<32x64xf4E2M1FN, block 64, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32 or 16 elements of 'f4E2M1FN', found 0}}
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

// expected-error@+1 {{expected rank 1 to 5, found 0}}
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
