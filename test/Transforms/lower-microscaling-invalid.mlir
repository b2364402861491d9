// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling))'

!E = !tile.view<?x?xf8E4M3FN>
!I = !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
tile.kernel @interleaved_scales_of_24_rows(%A: !E, %S: !I) programs(%m, %k) over %A by [24, 128] {
  %X = tile.mx_view %A, %S : !E, !I -> !V
  // expected-error@+2 {{'tile.mx_load' op expects tiles of interleaved_128x4 scales of 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 rows, or a multiple of 1024, and of 1, 2, 4, 8, 16 blocks, or a multiple of 32, but got 24x4}}
  // expected-note@+1 {{use a tile of other extents, or store the scales row_major}}
  %x = tile.mx_load %X[%m, %k] : !V -> !tile.mx<24x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!I = !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
tile.kernel @interleaved_scales_of_24_blocks(%A: !E, %S: !I, %T: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %A by [8, 768] {
  %X = tile.mx_view %A, %S : !E, !I -> !V
  %s = tile.load %T[%m, %k] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<8x24xf8E8M0FNU>
  // expected-error@+2 {{'tile.store_scales' op expects tiles of interleaved_128x4 scales of 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 rows, or a multiple of 1024, and of 1, 2, 4, 8, 16 blocks, or a multiple of 32, but got 8x24}}
  // expected-note@+1 {{use a tile of other extents, or store the scales row_major}}
  tile.store_scales %s, %X[%m, %k] : !tile.tile<8x24xf8E8M0FNU>, !V
  tile.return
}

// -----

!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU>
// expected-error@+2 {{'tile.kernel' op expects plain views as arguments, but 'X' has type '!tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>'}}
// expected-note@+1 {{pass the elements and the scales, and join them in the kernel with 'tile.mx_view'}}
tile.kernel @argument_of_a_microscaled_view(%X: !V, %n: index) programs(%i) in (%n) by [1] {
  tile.return
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
// expected-note@+1 {{elements have type '!tile.view<?x?xf8E4M3FN>'}}
tile.kernel @transposed_view_meets_a_plain_one(%A: !E, %S: !S, %c: i1) programs(%m, %k) over %A by [64, 128] {
  %X = tile.mx_view %A, %S : !E, !S -> !V
  %Y = tile.mx_view %A transposed, %S : !E, !S -> !V
  %Z = scf.if %c -> (!V) {
    scf.yield %X : !V
  } else {
    // expected-error@+2 {{'scf.yield' op expects microscaled views that meet to be joined of views of one type, all of them 'transposed' or none}}
    // expected-note@+1 {{choose between the tiles that are loaded instead}}
    scf.yield %Y : !V
  }
  tile.return
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
// expected-note@+2 {{elements have type '!tile.view<?x?xf8E4M3FN>'}}
// expected-note@+1 {{elements have type '!tile.view<?x?xf8E4M3FN, align 16>'}}
tile.kernel @views_of_several_types_selected(%A: !E, %B: !tile.view<?x?xf8E4M3FN, align 16>, %S: !S, %c: i1) programs(%m, %k) over %A by [64, 128] {
  %X = tile.mx_view %A, %S : !E, !S -> !V
  %Y = tile.mx_view %B, %S : !tile.view<?x?xf8E4M3FN, align 16>, !S -> !V
  // expected-error@+2 {{'arith.select' op expects microscaled views that meet to be joined of views of one type, all of them 'transposed' or none}}
  // expected-note@+1 {{choose between the tiles that are loaded instead}}
  %Z = arith.select %c, %X, %Y : !V
  tile.return
}

// -----

!X = !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN>
!W = !tile.mx<128x64xf4E2M1FN, block 16 along 0, scale f8E4M3FN>
// The form of a product of f4E2M1FN depends on the target.
// expected-error@+2 {{'tile.kernel' op expects its module to name a target}}
// expected-note@+1 {{as in 'module attributes}}
tile.kernel @pairs_without_a_target(%A: !tile.view<?x?xf32>) programs(%m, %k) over %A by [64, 128] {
  %x = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %y = arith.constant dense<0.0> : !tile.tile<128x64xf32>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.quantize %x : !tile.tile<64x128xf32> -> !X
  %b = tile.quantize %y : !tile.tile<128x64xf32> -> !W
  %d = tile.dot %a, %b, %c : !X, !W, !tile.tile<64x64xf32>
  tile.return
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
tile.kernel @offset_within_a_block(%A: !E, %S: !S) programs(%m, %k) over %A by [64, 128] {
  %c16 = arith.constant 16 : index
  %X = tile.mx_view %A, %S : !E, !S -> !V
  // expected-error@+2 {{'tile.mx_load' op expects the offset along axis 1 to be a multiple of 32, found 16}}
  // expected-note@+1 {{blocks begin at multiples of 32 elements}}
  %x = tile.mx_load %X[%m, %c16] : !V -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

!E = !tile.view<?x?xi4>
!S = !tile.view<?x?xf16>
!V = !tile.mx_view<?x?xi4, block 64 along 0, scale f16, scales row_major>
tile.kernel @store_within_a_group(%A: !E, %S: !S, %x: f16) programs(%k, %n) over %A by [128, 64] {
  %c32 = arith.constant 32 : index
  %X = tile.mx_view %A transposed, %S : !E, !S -> !V
  %s = tile.splat %x : !tile.tile<64x2xf16>
  // expected-error@+2 {{'tile.store_scales' op expects the offset along axis 0 to be a multiple of 64, found 32}}
  // expected-note@+1 {{blocks begin at multiples of 64 elements}}
  tile.store_scales %s, %X[%c32, %n] : !tile.tile<64x2xf16>, !V
  tile.return
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!I = !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
tile.kernel @interleaved_scales_at_row_48(%A: !E, %S: !I) programs(%m, %k) over %A by [64, 128] {
  %c48 = arith.constant 48 : index
  %X = tile.mx_view %A, %S : !E, !I -> !V
  // expected-error@+2 {{'tile.mx_load' op expects the offset along axis 0 to be a multiple of 64, found 48}}
  // expected-note@+1 {{interleaved scales of 64 rows begin at multiples of 64 rows}}
  %x = tile.mx_load %X[%c48, %k] : !V -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!I = !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
tile.kernel @interleaved_scales_at_block_1(%A: !E, %S: !I) programs(%m, %k) over %A by [256, 256] {
  %c32 = arith.constant 32 : index
  %X = tile.mx_view %A, %S : !E, !I -> !V
  // expected-error@+2 {{'tile.load_scales' op expects the offset along axis 1 to be a multiple of 128, found 32}}
  // expected-note@+1 {{interleaved scales of 8 blocks of 32 begin at multiples of 4 blocks}}
  %s = tile.load_scales %X[%m, %c32] : !V -> !tile.tile<256x8xf8E8M0FNU>
  tile.return
}
