// C = epilogue(A · Bᵀ): A is [M, K], B is [N, K] (or [K, N] with B_IS_KN), C is [M, N], of any sizes.
//
// The epilogue is chosen by parameters: + bias[n], then GELU (the exact form, by erf), then + residual[m, n].
// What a parameter switches off is folded away, and an argument that nothing uses any more leaves the launcher's
// signature: with the defaults it is launch(stream, A, B, C).
#BM = 128 : index
#BN = 256 : index
#BK = 64 : index
#WARPS   = 8 : i64
#STAGES  = 3 : i64             // tiles of K in flight
#BLOCKS  = 1 : i64             // blocks that share an SM
#GROUP_M = 8 : i64             // row tiles walked before the next column of tiles, so that B stays in the L2 cache
!T   = bf16                    // of A and B: bf16 or f16
!TC  = bf16                    // of C, bias and residual

#B_IS_KN       = false         // B is stored [K, N]
#WITH_BIAS     = false
#WITH_GELU     = false
#WITH_RESIDUAL = false

!A   = !tile.view<?x?x!T>
!C   = !tile.view<?x?x!TC>
!V   = !tile.view<?x!TC>
!a   = !tile.tile<[#BM, #BK] x !T>
!bnk = !tile.tile<[#BN, #BK] x !T>
!bkn = !tile.tile<[#BK, #BN] x !T>
!acc = !tile.tile<[#BM, #BN] x f32>
!c   = !tile.tile<[#BM, #BN] x !TC>
!row = !tile.tile<[#BN] x !TC>
!rowf = !tile.tile<[#BN] x f32>

tile.kernel @matmul(%A: !A, %B: !A, %bias: !V, %residual: !C, %C: !C)
    programs(%m, %n) over %C by [#BM, #BN]
    tune {#BM in [64, 128, 256], #BN in [64, 128, 256], #BK in [32, 64]}
    schedule {warps = #WARPS, stages = #STAGES, group_m = #GROUP_M, blocks_per_sm = #BLOCKS} {
  %c0 = arith.constant 0 : index
  %bk = arith.constant #BK
  %isKN = arith.constant #B_IS_KN
  %withBias = arith.constant #WITH_BIAS
  %withGelu = arith.constant #WITH_GELU
  %withResidual = arith.constant #WITH_RESIDUAL
  %K = tile.dim %A, 1 : !A
  %zero = arith.constant dense<0.0> : !acc

  %sum = scf.for %k = %c0 to %K step %bk iter_args(%part = %zero) -> (!acc) {
    %a = tile.load %A[%m, %k] : !A -> !a
    // A constant condition: one branch remains.
    %b = scf.if %isKN -> (!bkn) {
      %stored = tile.load %B[%k, %n] : !A -> !bkn
      scf.yield %stored : !bkn
    } else {
      %stored = tile.load %B[%n, %k] : !A -> !bnk
      %turned = tile.transpose %stored : !bnk -> !bkn
      scf.yield %turned : !bkn
    }
    %next = tile.dot %a, %b, %part : !a, !bkn, !acc
    scf.yield %next : !acc
  }

  %biased = scf.if %withBias -> (!acc) {
    %row = tile.load %bias[%n] : !V -> !row
    %rowf = tile.cast %row : !row -> !rowf
    %rows = tile.broadcast %rowf along [0] : !rowf -> !acc
    %y = arith.addf %sum, %rows : !acc
    scf.yield %y : !acc
  } else {
    scf.yield %sum : !acc
  }

  // gelu(x) = x/2 · (1 + erf(x / √2)).
  %activated = scf.if %withGelu -> (!acc) {
    %half = arith.constant dense<0.5> : !acc
    %rsqrt2 = arith.constant dense<0.707106769> : !acc
    %scaled = arith.mulf %biased, %rsqrt2 : !acc
    %erf = math.erf %scaled : !acc
    %hx = arith.mulf %biased, %half : !acc
    %y = math.fma %hx, %erf, %hx : !acc
    scf.yield %y : !acc
  } else {
    scf.yield %biased : !acc
  }

  %final = scf.if %withResidual -> (!acc) {
    %old = tile.load %residual[%m, %n] : !C -> !c
    %oldf = tile.cast %old : !c -> !acc
    %y = arith.addf %activated, %oldf : !acc
    scf.yield %y : !acc
  } else {
    scf.yield %activated : !acc
  }

  %out = tile.cast %final : !acc -> !c
  tile.store %out, %C[%m, %n] : !c, !C
  tile.return
}
