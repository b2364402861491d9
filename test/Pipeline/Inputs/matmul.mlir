// C = relu(A · Bᵀ + bias); what a parameter switches off leaves the kernel with its argument.
#BM = 64 : index
#BN = 64 : index
#BK = 32 : index
#WITH_BIAS = true
#WITH_RELU = true
!T = bf16
!v = !tile.view<?x?x!T>
!row = !tile.tile<[#BN] x !T>
!rowf = !tile.tile<[#BN] x f32>
!acc = !tile.tile<[#BM, #BN] x f32>
!c = !tile.tile<[#BM, #BN] x !T>

tile.kernel @matmul(%A: !v, %B: !v, %bias: !tile.view<?x!T>, %C: !v) programs(%m, %n) over %C by [#BM, #BN] {
  %c0 = arith.constant 0 : index
  %bk = arith.constant #BK
  %withBias = arith.constant #WITH_BIAS
  %withRelu = arith.constant #WITH_RELU
  %K = tile.dim %A, 1 : !v
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %K step %bk iter_args(%part = %zero) -> (!acc) {
    %a = tile.load %A[%m, %k] : !v -> !tile.tile<[#BM, #BK] x !T>
    %b = tile.load %B[%n, %k] : !v -> !tile.tile<[#BN, #BK] x !T>
    %bt = tile.transpose %b : !tile.tile<[#BN, #BK] x !T> -> !tile.tile<[#BK, #BN] x !T>
    %next = tile.dot %a, %bt, %part : !tile.tile<[#BM, #BK] x !T>, !tile.tile<[#BK, #BN] x !T>, !acc
    scf.yield %next : !acc
  }
  %biased = scf.if %withBias -> (!acc) {
    %row = tile.load %bias[%n] : !tile.view<?x!T> -> !row
    %rowf = tile.cast %row : !row -> !rowf
    %rows = tile.broadcast %rowf along [0] : !rowf -> !acc
    %y = arith.addf %sum, %rows : !acc
    scf.yield %y : !acc
  } else {
    scf.yield %sum : !acc
  }
  %final = scf.if %withRelu -> (!acc) {
    %y = arith.maximumf %biased, %zero : !acc
    scf.yield %y : !acc
  } else {
    scf.yield %biased : !acc
  }
  %out = tile.cast %final : !acc -> !c
  tile.store %out, %C[%m, %n] : !c, !v
  tile.return
}
