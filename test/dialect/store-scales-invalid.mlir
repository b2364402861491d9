// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @store_scales_of_another_type(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %s = arith.constant dense<0.0> : !tile.tile<64x4xf32>
  // expected-error@+1 {{'tile.store_scales' op expects scales of 'f8E8M0FNU', found 'f32'}}
  tile.store_scales %s, %X[%m, %k] : !tile.tile<64x4xf32>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @store_scales_of_another_rank(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %c = arith.constant 0 : i8
  %i = tile.splat %c : !tile.tile<64xi8>
  %s = tile.bitcast %i : !tile.tile<64xi8> -> !tile.tile<64xf8E8M0FNU>
  // expected-error@+1 {{'tile.store_scales' op expects scales of rank 2: what is not blocked, then blocks; found '!tile.tile<64xf8E8M0FNU>'}}
  tile.store_scales %s, %X[%m, %k] : !tile.tile<64xf8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}

// -----

tile.kernel @store_scales_of_one_offset(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %c = arith.constant 0 : i8
  %i = tile.splat %c : !tile.tile<64x4xi8>
  %s = tile.bitcast %i : !tile.tile<64x4xi8> -> !tile.tile<64x4xf8E8M0FNU>
  // expected-error@+1 {{'tile.store_scales' op expects one offset per axis of the view, got 1 for rank 2}}
  tile.store_scales %s, %X[%m] : !tile.tile<64x4xf8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}
