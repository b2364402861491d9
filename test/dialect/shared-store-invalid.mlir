// RUN: tile-opt %s -split-input-file -verify-diagnostics

#row = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
#s = #tile.swizzle<order = [0], swizzle = 0>
tile.kernel @store_of_packed_elements(%n: index, %s: f4E2M1FN) programs(%m) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<128xf4E2M1FN, #row>
  %b = tile.shared_alloc : !tile.shared<128xf4E2M1FN, #s>
  // expected-error@+2 {{'tile.shared_store' op expects elements of whole bytes, found 'f4E2M1FN'}}
  // expected-note@+1 {{'tile.bitcast' to i8 first; only 'tile.copy_async' fills a packed buffer}}
  tile.shared_store %x, %b : !tile.tile<128xf4E2M1FN, #row>, !tile.shared<128xf4E2M1FN, #s>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @shared_store_without_layout(%n: index, %x: bf16) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  %t = tile.splat %x : !tile.tile<32x64xbf16>
  // expected-error@+1 {{'tile.shared_store' op expects a tile with a layout, found '!tile.tile<32x64xbf16>'}}
  tile.shared_store %t, %s : !tile.tile<32x64xbf16>, !tile.shared<32x64xbf16, #s>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @shared_store_another_element(%n: index, %x: f16) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  %t = tile.splat %x : !tile.tile<32x64xf16>
  // expected-error-re@+1 {{'tile.shared_store' op expects tile and buffer to have one rank and element type, but got '!tile.tile<32x64xf16>' and '!tile.shared<32x64xbf16, {{.*}}>'}}
  tile.shared_store %t, %s : !tile.tile<32x64xf16>, !tile.shared<32x64xbf16, #s>
  tile.return
}
