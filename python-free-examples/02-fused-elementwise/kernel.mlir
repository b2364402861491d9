// Elementwise maps on f32 vectors of any length: fused into one kernel, and the separate kernels that a library would
// have. Each separate kernel reads and writes memory; a fused one does so once.
//
// `afn` (approximate functions) lets the hardware's own sine and cosine be used: they are good to about 2e-6 absolute
// for arguments in [-pi, pi], and cost so little that memory is the limit. Without it the accurate functions are used.
#BN = 2048 : index
!v  = !tile.view<?xf32>
!t  = !tile.tile<[#BN] x f32>

// Y = cos(cos(X)).
tile.kernel @cos_twice(%X: !v, %Y: !v) programs(%i) over %Y by [#BN] tune {#BN in [1024, 2048, 4096]} {
  %x = tile.load %X[%i] : !v -> !t
  %inner = math.cos %x fastmath<afn> : !t
  %outer = math.cos %inner fastmath<afn> : !t
  tile.store %outer, %Y[%i] : !t, !v
  tile.return
}

// Y = sin(X)² + cos(X)² = 1, in one pass: 8 bytes of traffic per element.
tile.kernel @sin2_plus_cos2(%X: !v, %Y: !v) programs(%i) over %Y by [#BN] tune {#BN in [1024, 2048, 4096]} {
  %x = tile.load %X[%i] : !v -> !t
  %s = math.sin %x fastmath<afn> : !t
  %c = math.cos %x fastmath<afn> : !t
  %s2 = arith.mulf %s, %s : !t
  %c2 = arith.mulf %c, %c : !t
  %y = arith.addf %s2, %c2 : !t
  tile.store %y, %Y[%i] : !t, !v
  tile.return
}

// The same in five launches: sine, square, cosine, square, add. 44 bytes of traffic per element.
tile.kernel @sine(%X: !v, %Y: !v) programs(%i) over %Y by [#BN] {
  %x = tile.load %X[%i] : !v -> !t
  %y = math.sin %x fastmath<afn> : !t
  tile.store %y, %Y[%i] : !t, !v
  tile.return
}

tile.kernel @cosine(%X: !v, %Y: !v) programs(%i) over %Y by [#BN] {
  %x = tile.load %X[%i] : !v -> !t
  %y = math.cos %x fastmath<afn> : !t
  tile.store %y, %Y[%i] : !t, !v
  tile.return
}

tile.kernel @square(%X: !v, %Y: !v) programs(%i) over %Y by [#BN] {
  %x = tile.load %X[%i] : !v -> !t
  %y = arith.mulf %x, %x : !t
  tile.store %y, %Y[%i] : !t, !v
  tile.return
}

tile.kernel @add(%A: !v, %B: !v, %Y: !v) programs(%i) over %Y by [#BN] {
  %a = tile.load %A[%i] : !v -> !t
  %b = tile.load %B[%i] : !v -> !t
  %y = arith.addf %a, %b : !t
  tile.store %y, %Y[%i] : !t, !v
  tile.return
}
