// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#a = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [[32], [64]]>
#b = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [[64], [32]]>
module attributes {tile.target = "sm_80"} {
  tile.kernel @between_warps(%A: !tile.view<?xf32>) programs(%m) over %A by [128] plan {warps = 4 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #a>
    // expected-error @+1 {{moves elements between warps; run 'tile-lower-relayouts' first}}
    %u = tile.relayout %t : !tile.tile<128xf32, #a> -> !tile.tile<128xf32, #b>
    tile.return
  }
}
