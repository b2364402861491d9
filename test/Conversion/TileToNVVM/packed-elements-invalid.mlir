// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#row = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_80"} {
  // expected-note @+1 {{if it always is one, say so: 'tile.assume … divisible 2'}}
  tile.kernel @offset_within_a_byte(%A: !tile.view<?xf4E2M1FN>, %i: index) programs(%m) over %A by [128] plan {warps = 1 : i64} {
    // expected-error @+1 {{'tile.load' op expects an offset along axis 0 that is a multiple of 2, as 2 elements of 'f4E2M1FN' fill whole bytes, but only a multiple of 1 is known}}
    %t = tile.load %A[%i] : !tile.view<?xf4E2M1FN> -> !tile.tile<128xf4E2M1FN, #row>
    tile.return
  }
}

// -----

#row = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_80"} {
  // expected-note @+1 {{if it always is one, say so: 'tile.assume … divisible 4'}}
  tile.kernel @step_within_a_byte(%A: !tile.view<?xf6E2M3FN>, %x: f6E2M3FN) programs(%m) over %A by [2] plan {warps = 1 : i64} {
    %t = tile.splat %x : !tile.tile<128xf6E2M3FN, #row>
    // expected-error @+1 {{'tile.store' op expects an offset along axis 0 that is a multiple of 4, as 4 elements of 'f6E2M3FN' fill whole bytes, but only a multiple of 2 is known}}
    tile.store %t, %A[%m] : !tile.tile<128xf6E2M3FN, #row>, !tile.view<?xf6E2M3FN>
    tile.return
  }
}

// -----

#one = #tile.layout<registers = [[32], [64]], lanes = [[1], [2], [4], [8], [16]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @bytes_of_two_threads(%A: !tile.view<?xi4>) programs(%m) over %A by [128] plan {warps = 1 : i64} {
    // expected-error @+2 {{'tile.load' op expects a layout whose threads hold 2 neighbours along axis 0, as 2 elements of 'i4' fill whole bytes, found 1}}
    // expected-note @+1 {{leave the layout away, or use 'tile.relayout'}}
    %t = tile.load %A[%m] : !tile.view<?xi4> -> !tile.tile<128xi4, #one>
    tile.return
  }
}

// -----

#small = #tile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @tile_within_a_byte(%A: !tile.view<?x?xf6E3M2FN>) programs(%m, %n) over %A by [32, 4] plan {warps = 1 : i64} {
    // expected-error @+1 {{'tile.load' op expects a tile with a multiple of 4 along axis 1, as 4 elements of 'f6E3M2FN' fill whole bytes, found 2}}
    %t = tile.load %A[%m, %n] : !tile.view<?x?xf6E3M2FN> -> !tile.tile<32x2xf6E3M2FN, #small>
    tile.return
  }
}

// -----

#row = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @pad_of_packed_elements(%A: !tile.view<?xf4E2M1FN>) programs(%m) over %A by [128] plan {warps = 1 : i64} {
    // expected-note @+1 {{leave it away, and select where another is needed}}
    %pad = arith.constant 1.0 : f4E2M1FN
    // expected-error @+1 {{'tile.load' op expects the pad of packed elements to be zero}}
    %t = tile.load %A[%m] pad %pad : f4E2M1FN : !tile.view<?xf4E2M1FN> -> !tile.tile<128xf4E2M1FN, #row>
    tile.return
  }
}
