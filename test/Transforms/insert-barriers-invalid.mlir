// RUN: tile-opt %s --tile-insert-barriers --split-input-file --verify-diagnostics

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @buffer_without_offset(%n: index) programs(%i) in (%n) by [1] {
  // expected-error @+1 {{'tile.shared_alloc' op expects an offset in shared memory; run 'tile-allocate-shared' before}}
  %a = tile.shared_alloc : !tile.shared<8x32xf32, #s>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @channel_without_offset(%n: index) programs(%i) in (%n) by [1] {
  // expected-error @+1 {{'tile.channel_create' op expects an offset in shared memory; run 'tile-allocate-shared' before}}
  %a = tile.channel_create : !tile.channel<2 x (!tile.shared<8x32xf32, #s>)>
  tile.return
}

// -----

#wide = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warps = [[0, 16]]>
#wide_sum = #tile.layout<registers = [[16]], lanes = [[0], [1], [2], [4], [8]], warps = [[0]]>
tile.kernel @reduction_without_scratch(%n: index) programs(%i) in (%n) by [1] {
  %w = arith.constant dense<1.0> : !tile.tile<32x32xf32, #wide>
  // expected-error @+1 {{'tile.reduce' op expects an offset in shared memory; run 'tile-allocate-shared' before}}
  %sum = tile.reduce %w along 1 : !tile.tile<32x32xf32, #wide> -> !tile.tile<32xf32, #wide_sum> combine(%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  tile.return
}

// -----

tile.kernel @open_reduction(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<32xf32>
  // expected-error @+1 {{'tile.reduce' op expects operands with a layout, found '!tile.tile<32xf32>'}}
  %sum = tile.reduce %x along 0 : !tile.tile<32xf32> -> f32 combine(%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  tile.return
}
