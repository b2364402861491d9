// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @reduce_axis_beyond_the_rank(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects axis to be below the rank of 2, found 2}}
  %r = tile.reduce %x along 2 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_wrong_result(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects a result of '!tile.tile<32xf32>', found '!tile.tile<64xf32>'}}
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<64xf32> combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_scalar_result_of_rank_2(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects a result of '!tile.tile<32xf32>', found 'f32'}}
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> f32 combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_tile_result_of_rank_1(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %y = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+1 {{'tile.reduce' op expects a result of 'f32', found '!tile.tile<1xf32>'}}
  %r = tile.reduce %y along 0 : !tile.tile<8xf32> -> !tile.tile<1xf32> combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_result_of_another_element(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects a result of '!tile.tile<32xf32>', found '!tile.tile<32xf16>'}}
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf16> combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_combine_takes_one(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects combine to take 2 values, found 1}}
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32) {
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_combine_takes_another_type(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects combine to take and yield 'f32' for operand 0, found 'f16'}}
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f16, %b: f16) {
    tile.yield %a : f16
  }
  tile.return
}

// -----

tile.kernel @reduce_combine_yields_another_type(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects combine to take and yield 'f32' for operand 0, found 'f16'}}
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    %c = arith.truncf %a : f32 to f16
    tile.yield %c : f16
  }
  tile.return
}

// -----

tile.kernel @reduce_combine_yields_nothing(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    // expected-error@+1 {{'tile.yield' op expects 1 values, found 0}}
    tile.yield
  }
  tile.return
}

// -----

tile.kernel @reduce_combine_with_side_effects(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    // expected-error@+1 {{'tile.load' op is not allowed in a combine region: expected pure scalar arithmetic}}
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_combine_on_tiles(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    // expected-error@+1 {{'arith.addf' op is not allowed in a combine region: expected pure scalar arithmetic}}
    %t = arith.addf %x, %x : !tile.tile<32x64xf32>
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_combine_without_yield(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %r = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    // expected-error@+1 {{block with no terminator, has %}}
    %c = arith.addf %a, %b : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_operands_of_two_shapes(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %y = tile.splat %s : !tile.tile<64x64xf32>
  // expected-error@+1 {{'tile.reduce' op expects all operands to have one shape and layout, but got '!tile.tile<32x64xf32>' and '!tile.tile<64x64xf32>'}}
  %r:2 = tile.reduce %x, %y along 1 : !tile.tile<32x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<32xf32>, !tile.tile<64xf32> combine(%a: f32, %b: f32, %c: f32, %d: f32) {
    tile.yield %a, %b : f32, f32
  }
  tile.return
}

// -----

tile.kernel @reduce_nothing(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // expected-error@+1 {{'tile.reduce' op expects at least one operand}}
  "tile.reduce"() <{axis = 0 : i64}> ({
    tile.yield
  }) : () -> ()
  tile.return
}

// -----

tile.kernel @reduce_fewer_results_than_operands(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+1 {{'tile.reduce' op expects one result per operand, got 0 and 1}}
  "tile.reduce"(%x) <{axis = 0 : i64}> ({
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }) : (!tile.tile<8xf32>) -> ()
  tile.return
}

// -----

tile.kernel @reduce_without_region(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+1 {{'tile.reduce' op region #0 ('combine') failed to verify constraint: region with 1 blocks}}
  %r = "tile.reduce"(%x) <{axis = 0 : i64}> ({}) : (!tile.tile<8xf32>) -> f32
  tile.return
}

// -----

#l = #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warps = []>
#wrong = #tile.layout<registers = [], lanes = [[1], [2], [0], [0], [0]], warps = []>
tile.kernel @reduce_result_in_another_layout(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<4x8xf32, #l>
  // expected-error@+1 {{'tile.reduce' op expects the result's layout to be the operand's without the axis}}
  %r = tile.reduce %x along 1 : !tile.tile<4x8xf32, #l> -> !tile.tile<4xf32, #wrong> combine(%a: f32, %b: f32) {
    tile.yield %a : f32
  }
  tile.return
}
