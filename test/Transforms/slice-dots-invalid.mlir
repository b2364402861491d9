// RUN: tile-opt %s --tile-slice-dots --verify-diagnostics

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 32]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#rhsT = #tile.layout<registers = [[0, 1], [0, 8], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [32, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
!view = !tile.view<?x?xbf16>
!lhs = !tile.tile<64x16xbf16, #lhs>
!rhs = !tile.tile<16x64xbf16, #rhs>
!acc = !tile.tile<64x64xf32, #acc>

// expected-error @+2 {{expects its module to name a target}}
// expected-note @+1 {{as in}}
tile.kernel @no_target(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %zero = arith.constant dense<0.0> : !acc
  %x = arith.constant dense<1.0> : !lhs
  %y = arith.constant dense<1.0> : !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}
