#ROWS = 32 : index
!T = bf16
!t = !tile.tile<[#ROWS, 64] x !T>
!v = !tile.view<?x?x!T>
tile.kernel @scale(%A: !v, %B: !v) programs(%m, %n) over %B by [#ROWS, 64] {
  %a = tile.load %A[%m, %n] : !v -> !t
  %twice = arith.addf %a, %a : !t
  tile.store %twice, %B[%m, %n] : !t, !v
  tile.return
}
