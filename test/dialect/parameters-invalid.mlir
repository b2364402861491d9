// RUN: tile-opt %s -split-input-file -verify-diagnostics

#N = 0 : index
// expected-error@+1 {{expected a positive extent, found 0}}
tile.kernel @extent_is_zero(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

#N = -8 : index
// expected-error@+1 {{expected a positive extent, found -8}}
tile.kernel @extent_is_negative(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

// expected-error@+1 {{expected a positive extent, found -8}}
tile.kernel @extent_is_a_negative_literal(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[-8] x f32>} { tile.return }

// -----

#N = true
// expected-error@+1 {{expected an extent to be an integer, found 'true'}}
tile.kernel @extent_is_a_boolean_alias(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

// expected-error@+1 {{expected an extent to be an integer, found 'true'}}
tile.kernel @extent_is_a_boolean(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[true] x f32>} { tile.return }

// -----

#N = "8"
// expected-error@+1 {{expected an extent to be an integer, found '"8"'}}
tile.kernel @extent_is_a_string(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

#N = 8.0 : f32
// expected-error@+1 {{expected an extent to be an integer, found '8.000000e+00 : f32'}}
tile.kernel @extent_is_a_float(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

#N = f32
// expected-error@+1 {{expected an extent to be an integer, found 'f32'}}
tile.kernel @extent_is_a_type(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

// expected-error@+1 {{undefined symbol alias id 'N'}}
tile.kernel @extent_is_unknown(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

#N = 170141183460469231731687303715884105727 : i128
// expected-error@+1 {{expected an extent to fit 64 bits, found '170141183460469231731687303715884105727 : i128'}}
tile.kernel @extent_beyond_64_bits(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

#N = 18446744073709551615 : ui64
// expected-error@+1 {{expected an extent to fit 64 bits, found '18446744073709551615 : ui64'}}
tile.kernel @extent_of_the_widest_unsigned(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N] x f32>} { tile.return }

// -----

// expected-error@+1 {{integer value too large}}
tile.kernel @extent_literal_beyond_64_bits(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[99999999999999999999] x f32>} { tile.return }

// -----

#N = 9223372036854775807 : index
// expected-error@+1 {{expected an extent to fit 64 bits, found a larger product}}
tile.kernel @product_overflows(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N * #N] x f32>} { tile.return }

// -----

#N = 0 : index
// expected-error@+1 {{expected a positive divisor, found 0}}
tile.kernel @divisor_is_zero(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[8 floordiv #N] x f32>} { tile.return }

// -----

// expected-error@+1 {{expected a positive divisor, found -2}}
tile.kernel @divisor_is_negative(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[8 ceildiv -2] x f32>} { tile.return }

// -----

#N = 16 : index
// expected-error@+1 {{expected a positive extent, found 0}}
tile.kernel @quotient_is_zero(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[#N floordiv 32] x f32>} { tile.return }

// -----

// expected-error@+1 {{expected attribute value}}
tile.kernel @list_is_empty(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[] x f32>} { tile.return }

// -----

// expected-error@+1 {{unbalanced '[' character in pretty dialect name}}
tile.kernel @list_is_open(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[8 x f32>} { tile.return }

// -----

// expected-error@+1 {{unbalanced '(' character in pretty dialect name}}
tile.kernel @parenthesis_is_open(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[(8] x f32>} { tile.return }

// -----

// expected-error@+1 {{expected ']'}}
tile.kernel @operator_is_unknown(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[8 mod 8] x f32>} { tile.return }

// -----

// expected-error@+1 {{expected attribute value}}
tile.kernel @operand_is_missing(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[8 *] x f32>} { tile.return }

// -----

// expected-error@+1 {{expected 'x' in dimension list}}
tile.kernel @x_is_missing(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[8] f32>} { tile.return }

// -----

// expected-error@+1 {{expected attribute value}}
tile.kernel @tile_extent_is_dynamic(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[?] x f32>} { tile.return }

// -----

// expected-error@+1 {{undefined symbol alias id 'T'}}
tile.kernel @element_is_unknown(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.tile<[8] x !T>} { tile.return }
