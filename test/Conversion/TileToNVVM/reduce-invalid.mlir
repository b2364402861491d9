// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#warps = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [[32], [64]]>
module attributes {tile.target = "sm_80"} {
  tile.kernel @without_scratch(%s: f32, %n: index) programs(%m) in (%n) by [128] plan {warps = 4 : i64} {
    %x = tile.splat %s : !tile.tile<128xf32, #warps>
    // expected-error @+1 {{has no scratch offset; run 'tile-allocate-shared' first}}
    %r = tile.reduce %x along 0 : !tile.tile<128xf32, #warps> -> f32 combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    tile.return
  }
}

// -----

#padded = #tile.layout<registers = [[32]], lanes = [[1], [2], [4], [8], [16]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @unknown_combiner_on_dead_positions(%s: f32, %n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.splat %s : !tile.tile<48xf32, #padded>
    // expected-error @+1 {{has a combine region without a known neutral element on a layout with dead positions; expected a layout that fits the axis}}
    %r = tile.reduce %x along 0 : !tile.tile<48xf32, #padded> -> f32 combine(%a: f32, %b: f32) {
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %a, %b : f32
      %c = arith.subf %q, %p : f32
      tile.yield %c : f32
    }
    tile.return
  }
}

// -----

#diagonal = #tile.layout<registers = [], lanes = [[1, 1], [0, 1], [0, 2], [0, 4], [0, 8]], warps = []>
#kept = #tile.layout<registers = [], lanes = [[1], [0], [0], [0], [0]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @not_separable(%s: f32, %n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.splat %s : !tile.tile<2x16xf32, #diagonal>
    // expected-error @+1 {{expects a layout whose basis vectors run either along the axis or across it}}
    %r = tile.reduce %x along 1 : !tile.tile<2x16xf32, #diagonal> -> !tile.tile<2xf32, #kept> combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    tile.return
  }
}
