// RUN: tile-opt %s --tile-allocate-shared --split-input-file --verify-diagnostics

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [0, 64], [0, 128], [0, 256], [4, 0], [8, 0], [16, 0], [32, 0]], lanes = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warps = []>
!t = !tile.tile<64x512xf32, #rows>
!ring = !tile.channel<2 x (!tile.shared<64x128xf32, #s>)>
!big = !tile.shared<64x512xf32, #s>
module attributes {tile.target = "sm_80"} {
  // expected-error @+3 {{'tile.kernel' op needs 196608 bytes of shared memory, but a block has at most 166912 on sm_80}}
  // expected-note @+2 {{use fewer stages in 'schedule', or smaller tiles}}
  // The channel is used while the buffer is alive.
  tile.kernel @over_budget(%A: !tile.view<?x?xf32>, %n: index) programs(%i) in (%n) by [1] {
    %x = arith.constant dense<1.0> : !t
    // expected-note @+1 {{65536 bytes at offset 131072: channel of type '!tile.channel<2 x}}
    %c = tile.channel_create : !ring
    // expected-note @+1 {{131072 bytes at offset 0: buffer of type '!tile.shared<64x512xf32,}}
    %a = tile.shared_alloc : !big
    tile.shared_store %x, %a : !t, !big
    %w = tile.channel_acquire %c[%i] : !ring -> !tile.shared<64x128xf32, #s>
    tile.copy_async %A[%i, %i] to %w : !tile.view<?x?xf32>, !tile.shared<64x128xf32, #s>
    %y = tile.shared_load %a : !big -> !t
    tile.return
  }
}

// -----

module attributes {tile.target = "sm_12"} {
  // expected-error @+1 {{'tile.kernel' op expects a target of sm_80, sm_89, sm_90a, sm_100a, sm_120a, found 'sm_12'}}
  tile.kernel @unknown_target(%n: index) programs(%i) in (%n) by [1] {
    tile.return
  }
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
