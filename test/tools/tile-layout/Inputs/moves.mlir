// Written by hand after planning: moves within warps, strides that leave no vectors, replicated holders, bytes for i1.
#rows = #tile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warps = [[4, 0]]>
#swapped = #tile.layout<registers = [[0, 2], [0, 1]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warps = [[4, 0]]>
#spread = #tile.layout<registers = [[0, 8], [0, 16]], lanes = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warps = [[4, 0]]>
#held = #tile.layout<registers = [[4]], lanes = [[1], [2], [0], [0], [0]], warps = [[0]]>
!fixed = !tile.view<8x32xf32, strides [1, 8], align 16>
module attributes {tile.target = "sm_80"} {
  tile.kernel @moves(%A: !tile.view<?x?xf32, strides [?, 2]>, %B: !fixed, %C: !tile.view<?xi32, align 16>,
                     %D: !tile.view<?x?xi1, align 16>) programs(%m, %n) over %A by [8, 32] plan {warps = 2 : i64} {
    %a = tile.load %A[%m, %n] : !tile.view<?x?xf32, strides [?, 2]> -> !tile.tile<8x32xf32, #rows>
    %b = tile.relayout %a : !tile.tile<8x32xf32, #rows> -> !tile.tile<8x32xf32, #swapped>
    %c = tile.relayout %b : !tile.tile<8x32xf32, #swapped> -> !tile.tile<8x32xf32, #spread>
    tile.store %c, %B[%m, %n] : !tile.tile<8x32xf32, #spread>, !fixed
    %h = tile.load %C[%m] : !tile.view<?xi32, align 16> -> !tile.tile<8xi32, #held>
    tile.store %h, %C[%m] : !tile.tile<8xi32, #held>, !tile.view<?xi32, align 16>
    %d = tile.load %D[%m, %n] : !tile.view<?x?xi1, align 16> -> !tile.tile<8x32xi1, #rows>
    tile.store %d, %D[%m, %n] : !tile.tile<8x32xi1, #rows>, !tile.view<?x?xi1, align 16>
    tile.return
  }
}
