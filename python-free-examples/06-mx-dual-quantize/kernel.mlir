// Training multiplies every matrix twice, along different axes: forward along its columns, backward along its rows.
// Microscaled blocks run along the axis that is summed over, so both copies are needed, and the matrix is read once for both:
//
//     Y [M, K]   blocks along K             Z [K, M]   the transpose, blocks along M
!E = f8E4M3FN                  // an element: f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN or f4E2M1FN
#BM = 64 : index               // tile of X
#BK = 128 : index
#WITH_ROWS    = true           // write Y
#WITH_COLUMNS = true           // write Z

!X  = !tile.view<?x?xbf16>
!Q  = !tile.view<?x?x!E>
!QS = !tile.view<?x?xf8E8M0FNU>

!mx  = !tile.mx_view<?x?x!E, block 32, scale f8E8M0FNU, scales row_major>
!mxT = !tile.mx_view<?x?x!E, block 32 along 0, scale f8E8M0FNU, scales row_major>

!x       = !tile.tile<[#BM, #BK] x bf16>
!rows    = !tile.mx<[#BM, #BK] x !E, block 32, scale f8E8M0FNU>
!columns = !tile.mx<[#BM, #BK] x !E, block 32 along 0, scale f8E8M0FNU>

tile.kernel @quantize(%X: !X, %Y: !Q, %YS: !QS, %Z: !Q, %ZS: !QS) programs(%m, %k) over %X by [#BM, #BK] {
  %withRows = arith.constant #WITH_ROWS
  %withColumns = arith.constant #WITH_COLUMNS
  %x = tile.load %X[%m, %k] : !X -> !x
  scf.if %withRows {
    %out = tile.mx_view %Y, %YS : !Q, !QS -> !mx
    %q = tile.quantize %x : !x -> !rows
    tile.mx_store %q, %out[%m, %k] : !rows, !mx
  }
  scf.if %withColumns {
    // Stored as [K, M], so that the blocks lie along rows of memory again.
    %out = tile.mx_view %Z transposed, %ZS : !Q, !QS -> !mxT
    %q = tile.quantize %x : !x -> !columns
    tile.mx_store %q, %out[%m, %k] : !columns, !mxT
  }
  tile.return
}
