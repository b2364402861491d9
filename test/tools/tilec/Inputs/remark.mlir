// A dot whose left operand is computed, so that it is not staged.
tile.kernel @computed(%A: !tile.view<?x?xbf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xbf16> -> !tile.tile<64x32xbf16>
  %twice = arith.addf %a, %a : !tile.tile<64x32xbf16>
  %b = tile.load %A[%c0, %n] : !tile.view<?x?xbf16> -> !tile.tile<32x64xbf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %d = tile.dot %twice, %b, %zero : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
