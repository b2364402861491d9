// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected rank 1 to 5, found 0}}
tile.kernel @tile_of_rank_0(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<f32>} { tile.return }

// -----

// expected-error@+1 {{expected rank 1 to 5, found 6}}
tile.kernel @tile_of_rank_6(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<1x1x1x1x1x1xf32>} { tile.return }

// -----

// expected-error@+1 {{expected positive extents, found 0}}
tile.kernel @tile_extent_zero(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<0xf32>} { tile.return }

// -----

// expected-error@+1 {{expected static shape}}
tile.kernel @tile_extent_dynamic(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<?xf32>} { tile.return }

// -----

// expected-error@+1 {{expected extents of 1, 2, 4 or a multiple of 8, found 3; give the view the exact size and the tile the next one: loads pad, stores drop}}
tile.kernel @tile_extent_3(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<3xf32>} { tile.return }

// -----

// expected-error@+1 {{expected extents of 1, 2, 4 or a multiple of 8, found 100; give the view the exact size and the tile the next one: loads pad, stores drop}}
tile.kernel @tile_extent_100(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8x100xf32>} { tile.return }

// -----

// expected-error@+1 {{expected at most 1048576 elements, found more; loop over smaller tiles}}
tile.kernel @tile_too_large(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<1024x2048xf32>} { tile.return }

// -----

// expected-error@+1 {{expected at most 1048576 elements, found more; loop over smaller tiles}}
tile.kernel @tile_far_too_large(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<9223372036854775800x8xf32>} { tile.return }

// -----

// expected-error@+1 {{expected at most 1048576 elements, found more; loop over smaller tiles}}
tile.kernel @tile_product_overflows(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<1048576x1048576x1048576x1048576x1048576xf32>} { tile.return }

// -----

// expected-error@+1 {{invalid dimension}}
tile.kernel @tile_extent_overflows(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<99999999999999999999xf32>} { tile.return }

// -----

// expected-error@+1 {{expected the element type to be i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, found 'index'}}
tile.kernel @tile_of_index(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xindex>} { tile.return }

// -----

// expected-error@+1 {{expected the element type to be i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, found 'i2'}}
tile.kernel @tile_of_i2(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xi2>} { tile.return }

// -----

// expected-error@+1 {{expected the element type to be i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, found 'ui8'}}
tile.kernel @tile_of_ui8(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xui8>} { tile.return }

// -----

// expected-error@+1 {{expected the element type to be i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, found 'tf32'}}
tile.kernel @tile_of_tf32(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xtf32>} { tile.return }

// -----

// expected-error@+1 {{expected the element type to be i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, found '!tile.tile<8xf32>'}}
tile.kernel @tile_of_tiles(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8x!tile.tile<8xf32>>} { tile.return }

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [4], [0], [0]], warps = []>
// expected-error@+1 {{layout does not fit the tile: its basis vectors have 1 coordinates, the tile has rank 2}}
tile.kernel @tile_layout_of_another_rank(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8x8xf32, #l>} { tile.return }

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [4], [0], [0]], warps = []>
// expected-error@+1 {{layout does not fit the tile: dimension 0 has extent 16, but the bases and digits cover only 8}}
tile.kernel @tile_layout_too_small(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<16xf32, #l>} { tile.return }

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [8], [0], [0]], warps = []>
// expected-error@+1 {{layout does not fit the tile: the bases reach only 2^3 of 2^4 positions}}
tile.kernel @tile_layout_with_holes(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<16xf32, #l>} { tile.return }

// -----

#l = #tile.layout<registers = [[0]], lanes = [[1], [2], [4], [0], [0]], warps = []>
// expected-error@+1 {{layout does not fit the tile: register basis 0 is zero or a combination of the ones before it}}
tile.kernel @tile_layout_with_a_dead_register(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xf32, #l>} { tile.return }

// -----

#l = #tile.layout<registers = [], lanes = [[-1], [2], [4], [0], [0]], warps = []>
// expected-error@+1 {{layout does not fit the tile: lane basis 0 has coordinate -1, expected 0 to 16777215}}
tile.kernel @tile_layout_with_a_negative_basis(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xf32, #l>} { tile.return }

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [4], [0], [0]], warps = [], digits = [0 by 4 in register]>
// expected-error@+1 {{layout does not fit the tile: digit 4 is not an odd number of at least 3}}
tile.kernel @tile_layout_with_an_even_digit(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xf32, #l>} { tile.return }

// -----

#l = #tile.layout<registers = [], lanes = [[1], [2], [4], [0], [0]], warps = [], digits = [7 by 3 in register]>
// expected-error@+1 {{layout does not fit the tile: digit 3 names dimension 7, but the tile has rank 1}}
tile.kernel @tile_layout_with_a_digit_of_no_dimension(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xf32, #l>} { tile.return }

// -----

#s = #tile.swizzle<order = [0], swizzle = 0>
// expected-error@+1 {{invalid kind of attribute specified}}
tile.kernel @tile_layout_of_another_kind(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<8xf32, #s>} { tile.return }
