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
