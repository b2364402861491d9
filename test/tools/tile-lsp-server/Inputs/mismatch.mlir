!v = !tile.view<?x?xbf16>
tile.kernel @mismatch(%A: !v) programs(%m, %n) over %A by [32, 64] {
  %a = tile.load %A[%m, %n] : !v -> !tile.tile<32x64xf32>
  tile.return
}
