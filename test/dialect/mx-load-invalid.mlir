// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @mx_load_of_other_blocks(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // expected-error@+2 {{'tile.mx_load' op expects view and tile to have one family, block axis and rank, but got '!tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>' and '!tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>'}}
  // expected-note@+1 {{'tile.requantize' makes other blocks, or another family}}
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_load_of_another_family(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // expected-error@+2 {{'tile.mx_load' op expects view and tile to have one family, block axis and rank, but got '!tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>' and '!tile.mx<64x128xf8E5M2, block 32, scale f8E8M0FNU>'}}
  // expected-note@+1 {{'tile.requantize' makes other blocks, or another family}}
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E5M2, block 32, scale f8E8M0FNU>
  tile.return
}

// -----

tile.kernel @mx_load_of_one_offset(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // expected-error@+1 {{'tile.mx_load' op expects one offset per axis of the view, got 1 for rank 2}}
  %x = tile.mx_load %X[%m] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}
