// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @mx_store_of_another_family(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %z = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %y = tile.quantize %z : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E5M2, block 32, scale f8E8M0FNU>
  // expected-error@+2 {{'tile.mx_store' op expects view and tile to have one family, block axis and rank, but got '!tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>' and '!tile.mx<64x128xf8E5M2, block 32, scale f8E8M0FNU>'}}
  // expected-note@+1 {{'tile.requantize' makes other blocks, or another family}}
  tile.mx_store %y, %X[%m, %k] : !tile.mx<64x128xf8E5M2, block 32, scale f8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @mx_store_of_three_offsets(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // expected-error@+1 {{'tile.mx_store' op expects one offset per axis of the view, got 3 for rank 2}}
  tile.mx_store %x, %X[%m, %k, %k] : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}
