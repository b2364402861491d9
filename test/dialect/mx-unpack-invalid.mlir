// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @mx_unpack_to_other_elements(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.mx_unpack' op expects elements to be '!tile.tile<64x128xf8E4M3FN>', found '!tile.tile<64x128xf8E5M2>'}}
  %e, %s = tile.mx_unpack %x : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf8E5M2>, !tile.tile<64x4xf8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_unpack_to_other_scales(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.mx_unpack' op expects scales of 'f8E8M0FNU', found 'i8'}}
  %e, %s = tile.mx_unpack %x : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xi8>
  tile.return
}

// -----

tile.kernel @mx_unpack_to_scales_with_blocks_first(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+2 {{'tile.mx_unpack' op expects scales to be 64x4, found 4x64}}
  // expected-note@+1 {{scales have the blocks as their last axis, also where the elements have them along another: those of a K x N operand are N x (K / block); 'tile.transpose' turns them}}
  %e, %s = tile.mx_unpack %x : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<4x64xf8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_unpack_to_a_tensor_scale(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.mx_unpack' op expects no tensor scale, as '!tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>' has none}}
  %e, %s, %t = tile.mx_unpack %x : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU>, f32
  tile.return
}
