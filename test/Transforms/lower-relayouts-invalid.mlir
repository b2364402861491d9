// RUN: tile-opt %s --tile-lower-relayouts --split-input-file --verify-diagnostics

#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
tile.kernel @open_side(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 32] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32>
  // expected-error @+1 {{'tile.relayout' op expects layouts on both sides, found '!tile.tile<32x32xf32>' and}}
  %y = tile.relayout %x : !tile.tile<32x32xf32> -> !tile.tile<32x32xf32, #rows>
  tile.store %y, %A[%m, %n] : !tile.tile<32x32xf32, #rows>, !tile.view<?x?xf32>
  tile.return
}

// -----

#two = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#one = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @other_warps(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 32] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32, #one>
  // expected-error @+1 {{'tile.relayout' op expects source and result to have the same number of warps, but got 1 and 2}}
  %y = tile.relayout %x : !tile.tile<32x32xf32, #one> -> !tile.tile<32x32xf32, #two>
  tile.store %y, %A[%m, %n] : !tile.tile<32x32xf32, #two>, !tile.view<?x?xf32>
  tile.return
}
