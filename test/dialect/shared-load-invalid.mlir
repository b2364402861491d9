// RUN: tile-opt %s -split-input-file -verify-diagnostics

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @shared_load_without_layout(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // expected-error@+1 {{'tile.shared_load' op expects a tile with a layout, found '!tile.tile<32x64xbf16>'}}
  %t = tile.shared_load %s : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x64xbf16>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @shared_load_another_shape(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // expected-error-re@+1 {{'tile.shared_load' op expects a buffer with at least the tile's extents, but got '!tile.tile<64x64xbf16>' and '!tile.shared<32x64xbf16, {{.*}}>'}}
  %t = tile.shared_load %s : !tile.shared<32x64xbf16, #s> -> !tile.tile<64x64xbf16>
  tile.return
}

// -----

#half = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @shared_load_offset_of_another_rank(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // expected-error@+1 {{'tile.shared_load' op expects one offset per dimension, got 1 for rank 2}}
  %t = tile.shared_load %s at [32] : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x32xbf16, #half>
  tile.return
}

// -----

#half = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @shared_load_negative_offset(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // expected-error@+1 {{'tile.shared_load' op expects offsets of 0 or more, found -32 along dimension 1}}
  %t = tile.shared_load %s at [0, -32] : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x32xbf16, #half>
  tile.return
}

// -----

#half = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @shared_load_beyond_the_buffer(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // expected-error@+1 {{'tile.shared_load' op expects the tile to lie within the buffer, but along dimension 1 offset 48 and extent 32 go beyond 64}}
  %t = tile.shared_load %s at [0, 48] : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x32xbf16, #half>
  tile.return
}
