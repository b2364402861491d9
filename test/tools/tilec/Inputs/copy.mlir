// B = A · FACTOR, with parameters of several kinds.
#BN = 128 : index
#FACTOR = 2.0 : f32
!T = f32

tile.kernel @scale(%A: !tile.view<?x!T>, %B: !tile.view<?x!T>) programs(%m) over %B by [#BN] {
  %f = arith.constant #FACTOR
  %factor = tile.splat %f : !tile.tile<[#BN] x f32>
  %t = tile.load %A[%m] : !tile.view<?x!T> -> !tile.tile<[#BN] x !T>
  %x = tile.cast %t : !tile.tile<[#BN] x !T> -> !tile.tile<[#BN] x f32>
  %y = arith.mulf %x, %factor : !tile.tile<[#BN] x f32>
  %r = tile.cast %y : !tile.tile<[#BN] x f32> -> !tile.tile<[#BN] x !T>
  tile.store %r, %B[%m] : !tile.tile<[#BN] x !T>, !tile.view<?x!T>
  tile.return
}
