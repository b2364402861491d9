// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0], [32, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#sa = #tile.layout<registers = [[0, 1]], lanes = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb = #tile.layout<registers = [[0, 1]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_90a"} {
  // Scales where an instruction of another target takes them.
  tile.kernel @scales_for_an_instruction(%s: f8E4M3FN, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x64xf8E4M3FN, #a>
    %b = tile.splat %s : !tile.tile<64x8xf8E4M3FN, #b>
    %sa = tile.splat %e : !tile.tile<16x2xf8E8M0FNU, #sa>
    %sb = tile.splat %e : !tile.tile<8x2xf8E8M0FNU, #sb>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    // expected-error @+1 {{expects layouts of scales that give each thread those of its rows and columns}}
    %d = tile.dot %a scaled %sa by 32, %b scaled %sb by 32, %c : !tile.tile<16x64xf8E4M3FN, #a> scaled !tile.tile<16x2xf8E8M0FNU, #sa>, !tile.tile<64x8xf8E4M3FN, #b> scaled !tile.tile<8x2xf8E8M0FNU, #sb>, !tile.tile<16x8xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#sa = #tile.layout<registers = [[0, 1]], lanes = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb = #tile.layout<registers = [[0, 1]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_100a"} {
  tile.kernel @packed_without_an_instruction(%s: i8, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xi8, #a>
    %b = tile.splat %s : !tile.tile<32x8xi8, #b>
    %sa = tile.splat %e : !tile.tile<16x2xf8E8M0FNU, #sa>
    %sb = tile.splat %e : !tile.tile<8x2xf8E8M0FNU, #sb>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    // expected-error @+1 {{has no instruction for packed operands on sm_100a}}
    %d = tile.dot %a scaled %sa by 32, %b scaled %sb by 32, %c packed : !tile.tile<16x32xi8, #a> scaled !tile.tile<16x2xf8E8M0FNU, #sa>, !tile.tile<32x8xi8, #b> scaled !tile.tile<8x2xf8E8M0FNU, #sb>, !tile.tile<16x8xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#sb = #tile.layout<registers = [], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_90a"} {
  // A partner of 16 bits has the fragments of 8 bits too.
  tile.kernel @partner_in_its_own_fragments(%s: f16, %t: f8E4M3FN, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xf16, #a>
    %b = tile.splat %t : !tile.tile<32x8xf8E4M3FN, #b>
    %sb = tile.splat %e : !tile.tile<8x1xf8E8M0FNU, #sb>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    // expected-error @+1 {{expects layouts of mma.sync.m16n8k32}}
    %d = tile.dot %a, %b scaled %sb by 32, %c : !tile.tile<16x32xf16, #a>, !tile.tile<32x8xf8E4M3FN, #b> scaled !tile.tile<8x1xf8E8M0FNU, #sb>, !tile.tile<16x8xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#b = #tile.layout<registers = [[1, 0], [2, 0], [16, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#sa = #tile.layout<registers = [[8, 0], [0, 1]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#sb = #tile.layout<registers = [[0, 1]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_120a"} {
  // Both rows of a thread in its registers, where the instruction takes one from the neighbouring lane.
  tile.kernel @packed_with_scales_for_no_instruction(%s: i8, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<16x32xi8, #a>
    %b = tile.splat %s : !tile.tile<32x8xi8, #b>
    %sa = tile.splat %e : !tile.tile<16x2xf8E8M0FNU, #sa>
    %sb = tile.splat %e : !tile.tile<8x2xf8E8M0FNU, #sb>
    %c = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
    // expected-error @+1 {{expects layouts of the scales of mxf4}}
    %d = tile.dot %a scaled %sa by 32, %b scaled %sb by 32, %c packed : !tile.tile<16x32xi8, #a> scaled !tile.tile<16x2xf8E8M0FNU, #sa>, !tile.tile<32x8xi8, #b> scaled !tile.tile<8x2xf8E8M0FNU, #sb>, !tile.tile<16x8xf32, #acc>
    tile.return
  }
}
