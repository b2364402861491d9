// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @extended_multiplication_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+1 {{'arith.mului_extended' op is not allowed in a kernel: expected ops of 'tile' and 'scf', and those of 'arith' and 'math' that dialect/README.md lists}}
  %l, %h = arith.mului_extended %x, %x : !tile.tile<8xi32>
  tile.return
}

// -----

tile.kernel @signed_extended_multiplication_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+1 {{'arith.mulsi_extended' op is not allowed in a kernel: expected ops of 'tile' and 'scf', and those of 'arith' and 'math' that dialect/README.md lists}}
  %l, %h = arith.mulsi_extended %x, %x : !tile.tile<8xi32>
  tile.return
}

// -----

tile.kernel @math_without_lowering(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+1 {{'math.isnan' op is not allowed in a kernel: expected ops of 'tile' and 'scf', and those of 'arith' and 'math' that dialect/README.md lists}}
  %y = math.isnan %x : !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @op_of_another_dialect(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'llvm.mlir.zero' op is not allowed in a kernel: expected ops of 'tile' and 'scf', and those of 'arith' and 'math' that dialect/README.md lists}}
  %p = llvm.mlir.zero : !llvm.ptr
  tile.return
}

// -----

tile.kernel @arith_extf_on_tiles(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+2 {{'arith.extf' op expects scalars, but got '!tile.tile<8xf32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.extf %x : !tile.tile<8xf32> to !tile.tile<8xf64>
  tile.return
}

// -----

tile.kernel @arith_truncf_on_tiles(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+2 {{'arith.truncf' op expects scalars, but got '!tile.tile<8xf32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.truncf %x : !tile.tile<8xf32> to !tile.tile<8xf16>
  tile.return
}

// -----

tile.kernel @arith_fptosi_on_tiles(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+2 {{'arith.fptosi' op expects scalars, but got '!tile.tile<8xf32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.fptosi %x : !tile.tile<8xf32> to !tile.tile<8xi32>
  tile.return
}

// -----

tile.kernel @arith_fptoui_on_tiles(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // expected-error@+2 {{'arith.fptoui' op expects scalars, but got '!tile.tile<8xf32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.fptoui %x : !tile.tile<8xf32> to !tile.tile<8xi32>
  tile.return
}

// -----

tile.kernel @arith_sitofp_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+2 {{'arith.sitofp' op expects scalars, but got '!tile.tile<8xi32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.sitofp %x : !tile.tile<8xi32> to !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @arith_uitofp_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+2 {{'arith.uitofp' op expects scalars, but got '!tile.tile<8xi32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.uitofp %x : !tile.tile<8xi32> to !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @arith_extsi_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+2 {{'arith.extsi' op expects scalars, but got '!tile.tile<8xi32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.extsi %x : !tile.tile<8xi32> to !tile.tile<8xi64>
  tile.return
}

// -----

tile.kernel @arith_extui_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+2 {{'arith.extui' op expects scalars, but got '!tile.tile<8xi32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.extui %x : !tile.tile<8xi32> to !tile.tile<8xi64>
  tile.return
}

// -----

tile.kernel @arith_trunci_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+2 {{'arith.trunci' op expects scalars, but got '!tile.tile<8xi32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.trunci %x : !tile.tile<8xi32> to !tile.tile<8xi8>
  tile.return
}

// -----

tile.kernel @arith_index_cast_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+2 {{'arith.index_cast' op expects scalars, but got '!tile.tile<8xi32>'}}
  // expected-note@+1 {{use 'tile.cast' to change the element type of a tile}}
  %y = arith.index_cast %x : !tile.tile<8xi32> to index
  tile.return
}

// -----

tile.kernel @arith_bitcast_on_tiles(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // expected-error@+2 {{'arith.bitcast' op expects scalars, but got '!tile.tile<8xi32>'}}
  // expected-note@+1 {{'tile.bitcast' keeps the bits of a tile, 'tile.cast' its values}}
  %y = arith.bitcast %x : !tile.tile<8xi32> to !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @arith_select_by_a_tile(%n: index, %s: f32, %p: i1) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  %c = tile.splat %p : !tile.tile<8xi1>
  // expected-error@+2 {{'arith.select' op expects condition to be an i1, but got '!tile.tile<8xi1>'}}
  // expected-note@+1 {{use 'tile.select' to choose element by element}}
  %y = arith.select %c, %x, %x : !tile.tile<8xi1>, !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @arithmetic_on_tiles_of_f8E4M3FN(%n: index, %s: f8E4M3FN) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf8E4M3FN>
  // expected-error@+2 {{'arith.addf' op has no arithmetic on 'f8E4M3FN'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.addf %x, %x : !tile.tile<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @arithmetic_on_tiles_of_f8E5M2(%n: index, %s: f8E5M2) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf8E5M2>
  // expected-error@+2 {{'arith.addf' op has no arithmetic on 'f8E5M2'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.addf %x, %x : !tile.tile<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @arithmetic_on_tiles_of_f8E8M0FNU(%n: index, %s: f8E8M0FNU) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf8E8M0FNU>
  // expected-error@+2 {{'arith.addf' op has no arithmetic on 'f8E8M0FNU'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.addf %x, %x : !tile.tile<8xf8E8M0FNU>
  tile.return
}

// -----

tile.kernel @arithmetic_on_tiles_of_f6E2M3FN(%n: index, %s: f6E2M3FN) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf6E2M3FN>
  // expected-error@+2 {{'arith.addf' op has no arithmetic on 'f6E2M3FN'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.addf %x, %x : !tile.tile<8xf6E2M3FN>
  tile.return
}

// -----

tile.kernel @arithmetic_on_tiles_of_f6E3M2FN(%n: index, %s: f6E3M2FN) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf6E3M2FN>
  // expected-error@+2 {{'arith.addf' op has no arithmetic on 'f6E3M2FN'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.addf %x, %x : !tile.tile<8xf6E3M2FN>
  tile.return
}

// -----

tile.kernel @arithmetic_on_tiles_of_f4E2M1FN(%n: index, %s: f4E2M1FN) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf4E2M1FN>
  // expected-error@+2 {{'arith.addf' op has no arithmetic on 'f4E2M1FN'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.addf %x, %x : !tile.tile<8xf4E2M1FN>
  tile.return
}

// -----

tile.kernel @arithmetic_on_a_scalar_of_f8(%n: index, %s: f8E5M2) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'arith.mulf' op has no arithmetic on 'f8E5M2'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.mulf %s, %s : f8E5M2
  tile.return
}

// -----

tile.kernel @comparison_of_f8(%n: index, %s: f8E5M2) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf8E5M2>
  // expected-error@+2 {{'arith.cmpf' op has no arithmetic on 'f8E5M2'}}
  // expected-note@+1 {{'tile.cast' to f16, bf16 or f32 first, and back afterwards}}
  %y = arith.cmpf ogt, %x, %x : !tile.tile<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @vectors(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'arith.constant' op expects results to be tiles or scalars, but got 'vector<4xf32>'}}
  // expected-note@+1 {{scalars are index, i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN}}
  %v = arith.constant dense<1.0> : vector<4xf32>
  tile.return
}

// -----

tile.kernel @tensors(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'arith.constant' op expects results to be tiles or scalars, but got 'tensor<4xf32>'}}
  // expected-note@+1 {{scalars are index, i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN}}
  %v = arith.constant dense<1.0> : tensor<4xf32>
  tile.return
}

// -----

tile.kernel @integers_of_other_widths(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+2 {{'arith.constant' op expects results to be tiles or scalars, but got 'i128'}}
  // expected-note@+1 {{scalars are index, i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN}}
  %v = arith.constant 3 : i128
  tile.return
}

// -----

tile.kernel @sparse_constants(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'arith.constant' op expects tiles to be written as 'dense<…>', found sparse<0, 1.000000e+00> : !tile.tile<8xf32>}}
  %v = arith.constant sparse<0, 1.0> : !tile.tile<8xf32>
  tile.return
}

// -----

#a = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
#b = #tile.layout<registers = [], lanes = [[2], [1], [4], [8], [16]], warps = []>
tile.kernel @operands_of_two_layouts(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<32xf32, #a>
  %y = tile.splat %s : !tile.tile<32xf32, #b>
  // expected-error-re@+2 {{'arith.addf' op expects operands and results to have one layout, but got '!tile.tile<32xf32, {{.*}}>' and '!tile.tile<32xf32, {{.*}}>'}}
  // expected-note@+1 {{use 'tile.relayout' between them}}
  %z = "arith.addf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (!tile.tile<32xf32, #a>, !tile.tile<32xf32, #b>) -> !tile.tile<32xf32, #a>
  tile.return
}

// -----

#a = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
tile.kernel @open_and_laid_out_operands(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<32xf32, #a>
  %y = tile.splat %s : !tile.tile<32xf32>
  // expected-error-re@+2 {{'arith.addf' op expects operands and results to have one layout, but got '!tile.tile<32xf32, {{.*}}>' and '!tile.tile<32xf32>'}}
  // expected-note@+1 {{use 'tile.relayout' between them}}
  %z = "arith.addf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (!tile.tile<32xf32, #a>, !tile.tile<32xf32>) -> !tile.tile<32xf32, #a>
  tile.return
}

// -----

tile.kernel @arith_on_two_shapes(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  %y = tile.splat %s : !tile.tile<16xf32>
  // expected-error@+1 {{'arith.addf' op requires the same type for all operands and results}}
  %z = "arith.addf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (!tile.tile<8xf32>, !tile.tile<16xf32>) -> !tile.tile<8xf32>
  tile.return
}
