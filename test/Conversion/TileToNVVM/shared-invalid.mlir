// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
module attributes {tile.target = "sm_80"} {
  tile.kernel @buffer_without_offset(%n: index) programs(%m) in (%n) by [128] {
    // expected-error @+1 {{'tile.shared_alloc' op has no offset; run 'tile-allocate-shared' first}}
    %s = tile.shared_alloc : !tile.shared<16x32xbf16, #s>
    tile.return
  }
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
module attributes {tile.target = "sm_80"} {
  tile.kernel @channel_without_offset(%n: index) programs(%m) in (%n) by [128] {
    // expected-error @+1 {{'tile.channel_create' op has no offset; run 'tile-allocate-shared' first}}
    %ring = tile.channel_create : !tile.channel<2 x (!tile.shared<16x32xbf16, #s>)>
    tile.return
  }
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
#part = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @part_that_meets_its_own_bits(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xbf16, #s>
    // expected-error @+1 {{'tile.shared_load' op expects offsets that are multiples of the layout's padded extents, which must be powers of two there, found [0, 8]}}
    %t = tile.shared_load %s at [0, 8] : !tile.shared<32x32xbf16, #s> -> !tile.tile<16x16xbf16, #part>
    tile.return
  }
}
