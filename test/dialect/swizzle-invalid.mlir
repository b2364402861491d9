// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected swizzle to be 0, 16, 32, 64 or 128 bytes, found 48}}
tile.kernel @swizzle_of_48(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.swizzle<order = [0], swizzle = 48>} { tile.return }

// -----

// expected-error@+1 {{expected pad to be a multiple of 16 bytes, found 8}}
tile.kernel @swizzle_pad_of_8(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.swizzle<order = [0], pad = 8>} { tile.return }

// -----

// expected-error@+1 {{expected order to be a permutation of 0 to 1}}
tile.kernel @swizzle_order_repeats(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.swizzle<order = [0, 0], swizzle = 0>} { tile.return }

// -----

// expected-error@+1 {{expected order to be a permutation of 0 to 1}}
tile.kernel @swizzle_order_negative(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.swizzle<order = [-1, 0], swizzle = 0>} { tile.return }

// -----

// expected-error@+1 {{expected order to name the axes, the fastest first, found none}}
tile.kernel @swizzle_without_order(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.swizzle<order = [], swizzle = 0>} { tile.return }

// -----

// expected-error@+1 {{expected 'swizzle' or 'pad'}}
tile.kernel @swizzle_unknown_clause(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.swizzle<order = [0], xor = 0>} { tile.return }

// -----

// expected-error@+1 {{expected a pad of 0 or more that fits 32 bits, found -16}}
tile.kernel @swizzle_negative_pad(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.swizzle<order = [0], pad = -16>} { tile.return }
