// C = A · Bᵀ in tf32, for tests that compile one text for many shapes and types: A is [M, K], B is [N, K].
#BM = 128 : index
#BN = 128 : index
#BK = 32 : index
!T = f32
!S = f32
!a = !tile.tile<[#BM, #BK] x !T>
!b = !tile.tile<[#BN, #BK] x !T>
!bt = !tile.tile<[#BK, #BN] x !T>
!acc = !tile.tile<[#BM, #BN] x !S>
!v = !tile.view<?x?x!T>
!c = !tile.view<?x?x!S>

tile.kernel @matmul(%A: !v, %B: !v, %C: !c, %zero: !S) programs(%m, %n) over %C by [#BM, #BN] {
  %c0 = arith.constant 0 : index
  %bk = arith.constant #BK
  %K = tile.dim %A, 1 : !v
  %z = tile.splat %zero : !acc
  %sum = scf.for %k = %c0 to %K step %bk iter_args(%part = %z) -> (!acc) {
    %a = tile.load %A[%m, %k] : !v -> !a
    %b = tile.load %B[%n, %k] : !v -> !b
    %bt = tile.transpose %b : !b -> !bt
    %next = tile.dot %a, %bt, %part precision tf32 : !a, !bt, !acc
    scf.yield %next : !acc
  }
  tile.store %sum, %C[%m, %n] : !acc, !c
  tile.return
}
