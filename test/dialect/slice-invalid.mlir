// RUN: tile-opt %s -split-input-file -verify-diagnostics

#two = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @slice_of_another_type(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<16x32xbf16, #two>
  // expected-error-re@+1 {{'tile.slice' op expects source and result to have one rank and element type, but got '!tile.tile<16x32xbf16, {{.*}}>' and '!tile.tile<16x16xf16, {{.*}}>'}}
  %h = tile.slice %x at [0, 16] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xf16, #one>
  tile.return
}

// -----

#two = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @slice_without_layout(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<16x32xbf16, #two>
  // expected-error-re@+1 {{'tile.slice' op expects tiles with layouts, found '!tile.tile<16x32xbf16, {{.*}}>' and '!tile.tile<16x16xbf16>'}}
  %h = tile.slice %x at [0, 16] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xbf16>
  tile.return
}

// -----

#two = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @slice_offset_of_another_rank(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<16x32xbf16, #two>
  // expected-error@+1 {{'tile.slice' op expects one offset per dimension, got 1 for rank 2}}
  %h = tile.slice %x at [16] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xbf16, #one>
  tile.return
}

// -----

#two = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @slice_negative_offset(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<16x32xbf16, #two>
  // expected-error@+1 {{'tile.slice' op expects offsets of 0 or more, found -16 along dimension 1}}
  %h = tile.slice %x at [0, -16] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xbf16, #one>
  tile.return
}

// -----

#two = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @slice_beyond_the_source(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<16x32xbf16, #two>
  // expected-error@+1 {{'tile.slice' op expects the tile to lie within the source, but along dimension 1 offset 32 and extent 16 go beyond 32}}
  %h = tile.slice %x at [0, 32] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xbf16, #one>
  tile.return
}

// -----

#two = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
tile.kernel @slice_of_other_threads(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<16x32xbf16, #two>
  // expected-error-re@+1 {{'tile.slice' op expects the result's registers to be some of the source's in the same threads, but got '!tile.tile<16x32xbf16, {{.*}}>' and '!tile.tile<16x16xbf16, {{.*}}>'}}
  %h = tile.slice %x at [0, 8] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xbf16, #one>
  tile.return
}
