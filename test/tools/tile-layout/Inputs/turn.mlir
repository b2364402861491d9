// B = Aᵀ: one block, every memory op runs once.
#M = 32 : index
#N = 64 : index
!T = f32
!v = !tile.view<?x?x!T>
tile.kernel @turn(%A: !v, %B: !v) programs(%m, %n) over %A by [#M, #N] {
  %a = tile.load %A[%m, %n] : !v -> !tile.tile<[#M, #N] x !T>
  %b = tile.transpose %a : !tile.tile<[#M, #N] x !T> -> !tile.tile<[#N, #M] x !T>
  tile.store %b, %B[%n, %m] : !tile.tile<[#N, #M] x !T>, !v
  tile.return
}
