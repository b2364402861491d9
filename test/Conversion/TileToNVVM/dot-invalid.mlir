// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#rows = #tile.layout<registers = [[8, 0]], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warps = [[2, 0], [4, 0]]>
module attributes {tile.target = "sm_80"} {
  tile.kernel @layouts_of_no_instruction(%s: bf16, %n: index) programs(%m) in (%n) by [128] plan {warps = 4 : i64} {
    %a = tile.splat %s : !tile.tile<16x16xbf16, #rows>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf32, #rows>
    // expected-error @+1 {{expects layouts of mma.sync.m16n8k16}}
    %d = tile.dot %a, %a, %c : !tile.tile<16x16xbf16, #rows>, !tile.tile<16x16xbf16, #rows>, !tile.tile<16x16xf32, #rows>
    tile.return
  }
}

// -----

// Operands of the right form whose warps divide the tiles differently.
#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[16, 0], [0, 8]]>
#a = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [16, 0]]>
#b = #tile.layout<registers = [[1, 0], [8, 0]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 8]]>
module attributes {tile.target = "sm_80"} {
  tile.kernel @operands_of_other_warps(%s: bf16, %n: index) programs(%m) in (%n) by [128] plan {warps = 4 : i64} {
    %a = tile.splat %s : !tile.tile<32x16xbf16, #a>
    %b = tile.splat %s : !tile.tile<16x16xbf16, #b>
    %c = arith.constant dense<0.0> : !tile.tile<32x16xf32, #acc>
    // expected-error @+1 {{expects layouts of mma.sync.m16n8k16}}
    %d = tile.dot %a, %b, %c : !tile.tile<32x16xbf16, #a>, !tile.tile<16x16xbf16, #b>, !tile.tile<32x16xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0], [0, 8]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @f8_before_sm_89(%s: f8E4M3FN, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %x = tile.splat %s : !tile.tile<16x32xf8E4M3FN, #a>
    %y = tile.splat %s : !tile.tile<32x16xf8E4M3FN, #b>
    %c = arith.constant dense<0.0> : !tile.tile<16x16xf32, #acc>
    // expected-error @+1 {{has no tensor instruction on sm_80 for 'f8E4M3FN' and 'f8E4M3FN'}}
    %d = tile.dot %x, %y, %c : !tile.tile<16x32xf8E4M3FN, #a>, !tile.tile<32x16xf8E4M3FN, #b>, !tile.tile<16x16xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile.layout<registers = [[0, 0, 1], [0, 8, 0], [1, 0, 0]], lanes = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 4, 0]], lanes = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [1, 0, 0]], warps = []>
#b = #tile.layout<registers = [[0, 1, 0], [0, 8, 0], [1, 0, 0]], lanes = [[0, 2, 0], [0, 4, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @batch_over_lanes(%s: f16, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<2x16x16xf16, #a>
    %b = tile.splat %s : !tile.tile<2x16x8xf16, #b>
    %c = arith.constant dense<0.0> : !tile.tile<2x16x8xf32, #acc>
    // expected-error @+1 {{expects lhs in a layout that keeps the batch in each thread's registers}}
    %d = tile.dot %a, %b, %c : !tile.tile<2x16x16xf16, #a>, !tile.tile<2x16x8xf16, #b>, !tile.tile<2x16x8xf32, #acc>
    tile.return
  }
}
