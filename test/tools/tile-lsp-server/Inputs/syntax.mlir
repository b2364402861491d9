!v = !tile.view<?x?xbf16>
tile.kernel @syntax(%A: !v) programs(%m, %n) over %A by [32, 64] {
  %a = tile.loda %A[%m, %n] : !v -> !tile.tile<32x64xbf16>
  tile.return
}
