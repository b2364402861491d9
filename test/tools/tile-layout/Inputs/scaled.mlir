module attributes {tile.target = "sm_90a"} {
  tile.kernel @scaled(%X: !tile.mx_view<200x192xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>,
                      %Y: !tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, scales row_major>,
                      %B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [32, 64] {
    tile.return
  }
}
