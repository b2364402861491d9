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
