#BK = 32 : index
!v = !tile.view<?x?xbf16>
!acc = !tile.tile<[64, 64] x f32>
tile.kernel @gemm(%A: !v, %B: !v, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %bk = arith.constant #BK
  %K = tile.dim %A, 1 : !v
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %K step %bk iter_args(%part = %zero) -> (!acc) {
    %a = tile.load %A[%m, %k] : !v -> !tile.tile<[64, #BK] x bf16>
    %b = tile.load %B[%k, %n] : !v -> !tile.tile<[#BK, 64] x bf16>
    %next = tile.dot %a, %b, %part : !tile.tile<[64, #BK] x bf16>, !tile.tile<[#BK, 64] x bf16>, !acc
    scf.yield %next : !acc
  }
  tile.store %sum, %C[%m, %n] : !acc, !tile.view<?x?xf32>
  tile.return
}
