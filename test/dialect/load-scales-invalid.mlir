// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @load_scales_of_another_type(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // expected-error@+1 {{'tile.load_scales' op expects scales of 'f8E8M0FNU', found 'f32'}}
  %s = tile.load_scales %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.tile<64x4xf32>
  tile.return
}

// -----

tile.kernel @load_scales_of_another_rank(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // expected-error@+1 {{'tile.load_scales' op expects scales of rank 2: what is not blocked, then blocks; found '!tile.tile<64xf8E8M0FNU>'}}
  %s = tile.load_scales %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.tile<64xf8E8M0FNU>
  tile.return
}

// -----

tile.kernel @load_scales_of_one_offset(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // expected-error@+1 {{'tile.load_scales' op expects one offset per axis of the view, got 1 for rank 2}}
  %s = tile.load_scales %X[%m] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.tile<64x4xf8E8M0FNU>
  tile.return
}
