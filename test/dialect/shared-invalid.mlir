// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected ','}}
tile.kernel @shared_without_swizzle(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.shared<8x8xf32>} { tile.return }

// -----

// expected-error@+1 {{expected the swizzle's order to have rank 2, found 1}}
tile.kernel @shared_order_of_another_rank(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.shared<8x8xf32, #tile.swizzle<order = [0], swizzle = 0>>} { tile.return }

// -----

// expected-error@+1 {{swizzle does not fit the buffer: a swizzle of 128 bytes does not divide rows of 32 bytes}}
tile.kernel @shared_row_shorter_than_the_swizzle(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.shared<8x8xf32, #tile.swizzle<order = [1, 0], swizzle = 128>>} { tile.return }

// -----

// expected-error@+1 {{expected the fastest extent to be a multiple of 16, as 16 elements of 'f4E2M1FN' share a unit of 16 bytes, found 8}}
tile.kernel @shared_of_f4(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.shared<64x8xf4E2M1FN, #tile.swizzle<order = [1, 0], swizzle = 0>>} { tile.return }

// -----

// expected-error@+1 {{expected the element type to be i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, found 'index'}}
tile.kernel @shared_of_index(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.shared<8x8xindex, #tile.swizzle<order = [1, 0], swizzle = 0>>} { tile.return }

// -----

// expected-error@+1 {{expected extents of 1, 2, 4 or a multiple of 8, found 3; give the view the exact size and the tile the next one: loads pad, stores drop}}
tile.kernel @shared_extent_3(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.shared<3x8xf32, #tile.swizzle<order = [1, 0], swizzle = 0>>} { tile.return }
