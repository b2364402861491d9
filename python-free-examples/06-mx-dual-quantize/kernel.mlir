// Training multiplies every matrix twice, along different axes: forward along its columns, backward along its rows.
// Microscaled blocks run along the axis that is summed over, so both copies are needed, and the matrix is read once for both:
//
//     Y [M, K]   blocks along K             Z [K, M]   the transpose, blocks along M
//
// Scales are written as matrix instructions and the vendor's libraries take them: in tiles of 128 rows by 4 blocks, 512
// bytes each, with the padding of the last tiles filled.
!E = f8E4M3FN                  // an element: f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN or f4E2M1FN
#BM = 128 : index              // tile of X: 128 rows and columns give whole tiles of scales
#BK = 128 : index
#BLOCKS = 3 : i64              // blocks that must fit on an SM
#WITH_ROWS    = true           // write Y
#WITH_COLUMNS = true           // write Z

!X  = !tile.view<?x?xbf16>
!Q  = !tile.view<?x?x!E>
!QS = !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>

!mx  = !tile.mx_view<?x?x!E, block 32, scale f8E8M0FNU, scales interleaved_128x4>
!mxT = !tile.mx_view<?x?x!E, block 32 along 0, scale f8E8M0FNU, scales interleaved_128x4>

!x       = !tile.tile<[#BM, #BK] x bf16>
!rows    = !tile.mx<[#BM, #BK] x !E, block 32, scale f8E8M0FNU>
!columns = !tile.mx<[#BM, #BK] x !E, block 32 along 0, scale f8E8M0FNU>

tile.kernel @quantize(%X: !X, %Y: !Q, %YS: !QS, %Z: !Q, %ZS: !QS) programs(%m, %k) over %X by [#BM, #BK]
    schedule {blocks_per_sm = #BLOCKS} {
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
