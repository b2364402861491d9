// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected rank 1 to 5, found 0}}
tile.kernel @view_of_rank_0(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<f32>} { tile.return }

// -----

// expected-error@+1 {{expected rank 1 to 5, found 6}}
tile.kernel @view_of_rank_6(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?x?x?x?x?x?xf32>} { tile.return }

// -----

// expected-error@+1 {{expected positive extents, found 0}}
tile.kernel @view_of_nothing(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?x0xf32>} { tile.return }

// -----

// expected-error@+1 {{expected elements of a byte or more, found 'f4E2M1FN'; use '!tile.mx_view' for packed elements and their scales}}
tile.kernel @view_of_f4(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xf4E2M1FN>} { tile.return }

// -----

// expected-error@+1 {{expected elements of a byte or more, found 'f6E3M2FN'; use '!tile.mx_view' for packed elements and their scales}}
tile.kernel @view_of_f6(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xf6E3M2FN>} { tile.return }

// -----

// expected-error@+1 {{expected the element type to be i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, found 'index'}}
tile.kernel @view_of_index(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xindex>} { tile.return }

// -----

// expected-error@+1 {{expected one stride per extent, got 1 and 2}}
tile.kernel @view_with_too_few_strides(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?x?xf32, strides [1]>} { tile.return }

// -----

// expected-error@+1 {{expected strides of 0 or more, found -4}}
tile.kernel @view_with_a_negative_stride(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?x?xf32, strides [-4, 1]>} { tile.return }

// -----

// expected-error@+1 {{expected strides of 0 or more, found -9223372036854775808}}
tile.kernel @view_with_the_lowest_stride(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?x?xf32, strides [-9223372036854775808, 1]>} { tile.return }

// -----

// expected-error@+1 {{expected align to be a power of two from the element's 4 to 4096, found 24}}
tile.kernel @view_alignment_of_24(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xf32, align 24>} { tile.return }

// -----

// expected-error@+1 {{expected align to be a power of two from the element's 4 to 4096, found 2}}
tile.kernel @view_alignment_below_the_element(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xf32, align 2>} { tile.return }

// -----

// expected-error@+1 {{expected align to be a power of two from the element's 4 to 4096, found 8192}}
tile.kernel @view_alignment_of_8192(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xf32, align 8192>} { tile.return }

// -----

// expected-error@+1 {{expected every stride but the contiguous axis's to keep align 16, but stride 3 of 4-byte elements does not}}
tile.kernel @view_stride_breaks_the_alignment(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?x?xf32, strides [3, 1], align 16>} { tile.return }

// -----

// expected-error@+1 {{expected every stride but the contiguous axis's to keep align 16, but stride 9223372036854775807 of 4-byte elements does not}}
tile.kernel @view_stride_breaks_the_alignment_widely(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?x?xf32, strides [9223372036854775807, 1], align 16>} { tile.return }

// -----

// expected-error@+1 {{expected 'align'}}
tile.kernel @view_with_an_unknown_clause(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xf32, aligned 16>} { tile.return }

// -----

// expected-error@+1 {{expected an alignment of 0 or more that fits 32 bits, found -16}}
tile.kernel @view_negative_alignment(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.view<?xf32, align -16>} { tile.return }
