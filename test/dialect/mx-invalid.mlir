// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected elements of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN, i4 or i8, found 'f16'}}
tile.kernel @mx_of_f16(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x32xf16, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32 elements of 'f8E5M2', found 16}}
tile.kernel @mx_of_f8_in_blocks_of_16(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x32xf8E5M2, block 16, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32 or 16 elements of 'f4E2M1FN', found 64}}
tile.kernel @mx_of_f4_in_blocks_of_64(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xf4E2M1FN, block 64, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected a block of 1 or more elements, found 0}}
tile.kernel @mx_of_f4_in_blocks_of_0(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xf4E2M1FN, block 0, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected the scale of blocks of 16 elements to be f8E4M3FN, found 'f8E8M0FNU'}}
tile.kernel @mx_of_nvfp4_with_an_exponent_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xf4E2M1FN, block 16, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected the scale of blocks of 32 elements to be f8E8M0FNU, found 'f32'}}
tile.kernel @mx_of_mxfp8_with_a_float_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xf8E4M3FN, block 32, scale f32>} { tile.return }

// -----

// expected-error@+1 {{expected tensor_scale only with f4E2M1FN in blocks of 16}}
tile.kernel @mx_of_mxfp8_with_a_tensor_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xf8E4M3FN, block 32, scale f8E8M0FNU, tensor_scale>} { tile.return }

// -----

// expected-error@+1 {{expected the block axis to be below the rank 2, found 2}}
tile.kernel @mx_along_an_axis_beyond_the_rank(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xf8E4M3FN, block 32 along 2, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected rank 1 to 5, found 0}}
tile.kernel @mx_of_rank_0(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<f8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected ','}}
tile.kernel @mx_without_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x32xf8E4M3FN, block 32>} { tile.return }

// -----

// expected-error@+1 {{expected extent 1 to be a multiple of the block of 32, found 16}}
tile.kernel @mx_of_half_a_block(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x16xf8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected extents of 1, 2, 4 or a multiple of 8, found 3; give the view the exact size and the tile the next one: loads pad, stores drop}}
tile.kernel @mx_of_extent_3(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<3x32xf8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected 'tensor_scale'}}
tile.kernel @mx_with_an_unknown_clause(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x32xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>} { tile.return }

// -----

// expected-error@+1 {{expected a block of 1 or more elements, found -32}}
tile.kernel @mx_of_negative_blocks(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x32xf8E4M3FN, block -32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected an axis of 0 or more that fits 32 bits, found -1}}
tile.kernel @mx_along_a_negative_axis(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x32xf8E4M3FN, block 32 along -1, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected blocks of 32, 64 or 128 elements of 'i4', found 16}}
tile.kernel @mx_of_i4_in_blocks_of_16(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xi4, block 16, scale f16>} { tile.return }

// -----

// expected-error@+1 {{expected the scale of 'i8' to be f16, bf16 or f32, found 'f8E8M0FNU'}}
tile.kernel @mx_of_i8_with_an_exponent_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xi8, block 64, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected tensor_scale only with f4E2M1FN in blocks of 16}}
tile.kernel @mx_of_i8_with_a_tensor_scale(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x64xi8, block 64, scale f32, tensor_scale>} { tile.return }

// -----

// expected-error@+1 {{expected rank 2, or 3 with a batch first, found 1}}
tile.kernel @mx_of_rank_1(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<64xf8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected rank 2, or 3 with a batch first, found 4}}
tile.kernel @mx_of_rank_4(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<2x2x32x64xf8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected the block axis to be 1 or 2, as the first of three is the batch, found 0}}
tile.kernel @mx_of_rank_3_along_the_batch(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<32x8x8xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>} { tile.return }

// -----

// expected-error@+1 {{expected an extent of 1, 2, 4 or a multiple of 8 blocks of 32 along axis 1, found 96; give the view the exact size and the tile the next one: loads pad, stores drop}}
tile.kernel @mx_of_three_blocks(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.mx<64x96xf8E4M3FN, block 32, scale f8E8M0FNU>} { tile.return }
