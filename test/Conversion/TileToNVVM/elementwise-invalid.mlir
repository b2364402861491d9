// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#lanes = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @constant_that_differs_between_threads(%n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    // expected-error @+1 {{has elements that differ between threads, which has no lowering; compute them from 'tile.iota' or load them}}
    %t = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : !tile.tile<8xi32, #lanes>
    tile.return
  }
}
