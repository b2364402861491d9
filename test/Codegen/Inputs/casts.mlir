// One cast from !F to !T, on a tile whose pieces are narrower than a word in some types.
!F = f32
!T = f16
#BN = 256 : index
tile.kernel @cast(%A: !tile.view<?x!F>, %B: !tile.view<?x!T>) programs(%m) over %B by [#BN] {
  %t = tile.load %A[%m] : !tile.view<?x!F> -> !tile.tile<[#BN] x !F>
  %c = tile.cast %t : !tile.tile<[#BN] x !F> -> !tile.tile<[#BN] x !T>
  tile.store %c, %B[%m] : !tile.tile<[#BN] x !T>, !tile.view<?x!T>
  tile.return
}
