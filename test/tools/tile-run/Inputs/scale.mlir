// Y = S · X, of any length.
#BN = 128 : index
!v  = !tile.view<?xf32>
!t  = !tile.tile<[#BN] x f32>
tile.kernel @scale(%X: !v, %Y: !v, %S: f32) programs(%i) over %Y by [#BN] {
  %x = tile.load %X[%i] : !v -> !t
  %s = tile.splat %S : !t
  %y = arith.mulf %x, %s : !t
  tile.store %y, %Y[%i] : !t, !v
  tile.return
}
