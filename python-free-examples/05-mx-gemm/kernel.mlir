// C = A · Bᵀ in microscaled numbers: A [M, K] and B [N, K] are quantised once, in blocks along K, and multiplied in any of
// the formats below. Where the hardware multiplies them as they are (sm_120a) it does; elsewhere they become 16-bit numbers
// on the way, exactly. Products are the same either way; the sums of them are in f32 and may round differently.
//
//     format        !E        #B  !S
//     MXFP8         f8E4M3FN  32  f8E8M0FNU      or f8E5M2
//     MXFP6         f6E2M3FN  32  f8E8M0FNU      or f6E3M2FN
//     MXFP4         f4E2M1FN  32  f8E8M0FNU
//     NVFP4         f4E2M1FN  16  f8E4M3FN
!E = f8E4M3FN                  // an element
!S = f8E8M0FNU                 // the scale of a block
#B = 32 : index                // elements of a block

#BM = 128 : index              // tile of C
#BN = 128 : index
#BK = 128 : index              // step along K

!X  = !tile.view<?x?xbf16>
!Q  = !tile.view<?x?x!E>       // elements narrower than a byte are packed, the first in the lowest bits
!QS = !tile.view<?x?x!S>       // one row of scales for each row
!C  = !tile.view<?x?xf32>

// Both operands in memory: blocks along the last axis. Bᵀ is the same memory as [K, N], so its blocks run along axis 0.
!mx  = !tile.mx_view<?x?x!E, block #B, scale !S, scales row_major>
!mxT = !tile.mx_view<?x?x!E, block #B along 0, scale !S, scales row_major>

!x   = !tile.tile<[#BM, #BK] x bf16>
!a   = !tile.mx<[#BM, #BK] x !E, block #B, scale !S>
!b   = !tile.mx<[#BK, #BN] x !E, block #B along 0, scale !S>
!acc = !tile.tile<[#BM, #BN] x f32>

// Each block gets the scale that its largest magnitude asks for; elements are rounded to nearest even and saturate.
tile.kernel @quantize(%X: !X, %Q: !Q, %S: !QS) programs(%m, %k) over %X by [#BM, #BK] {
  %out = tile.mx_view %Q, %S : !Q, !QS -> !mx
  %x = tile.load %X[%m, %k] : !X -> !x
  %q = tile.quantize %x : !x -> !a
  tile.mx_store %q, %out[%m, %k] : !a, !mx
  tile.return
}

tile.kernel @gemm(%A: !Q, %AS: !QS, %B: !Q, %BS: !QS, %C: !C) programs(%m, %n) over %C by [#BM, #BN] {
  %c0 = arith.constant 0 : index
  %bk = arith.constant #BK
  %K = tile.dim %A, 1 : !Q
  %zero = arith.constant dense<0.0> : !acc
  %mA = tile.mx_view %A, %AS : !Q, !QS -> !mx
  %mB = tile.mx_view %B transposed, %BS : !Q, !QS -> !mxT

  %sum = scf.for %k = %c0 to %K step %bk iter_args(%part = %zero) -> (!acc) {
    %a = tile.mx_load %mA[%m, %k] : !mx -> !a
    %b = tile.mx_load %mB[%k, %n] : !mxT -> !b
    %next = tile.dot %a, %b, %part : !a, !b, !acc
    scf.yield %next : !acc
  }

  tile.store %sum, %C[%m, %n] : !acc, !C
  tile.return
}
