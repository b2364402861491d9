// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Every op of arith and math that works on tiles, as dialect/ElementwiseList.cpp lists them.
// CHECK-LABEL: tile.kernel @arith_on_integers
tile.kernel @arith_on_integers(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // CHECK: arith.addi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r0 = arith.addi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.subi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r1 = arith.subi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.muli %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r2 = arith.muli %x, %x : !tile.tile<8xi32>
  // CHECK: arith.divsi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r3 = arith.divsi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.divui %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r4 = arith.divui %x, %x : !tile.tile<8xi32>
  // CHECK: arith.remsi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r5 = arith.remsi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.remui %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r6 = arith.remui %x, %x : !tile.tile<8xi32>
  // CHECK: arith.ceildivsi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r7 = arith.ceildivsi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.ceildivui %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r8 = arith.ceildivui %x, %x : !tile.tile<8xi32>
  // CHECK: arith.floordivsi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r9 = arith.floordivsi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.andi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r10 = arith.andi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.ori %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r11 = arith.ori %x, %x : !tile.tile<8xi32>
  // CHECK: arith.xori %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r12 = arith.xori %x, %x : !tile.tile<8xi32>
  // CHECK: arith.shli %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r13 = arith.shli %x, %x : !tile.tile<8xi32>
  // CHECK: arith.shrsi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r14 = arith.shrsi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.shrui %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r15 = arith.shrui %x, %x : !tile.tile<8xi32>
  // CHECK: arith.maxsi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r16 = arith.maxsi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.maxui %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r17 = arith.maxui %x, %x : !tile.tile<8xi32>
  // CHECK: arith.minsi %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r18 = arith.minsi %x, %x : !tile.tile<8xi32>
  // CHECK: arith.minui %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %r19 = arith.minui %x, %x : !tile.tile<8xi32>
  // CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : !tile.tile<8xi32>
  %c = arith.cmpi slt, %x, %x : !tile.tile<8xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @arith_on_floats
tile.kernel @arith_on_floats(%n: index, %s: f32, %p: i1) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r0 = arith.addf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.subf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r1 = arith.subf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r2 = arith.mulf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.divf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r3 = arith.divf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.remf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r4 = arith.remf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.maximumf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r5 = arith.maximumf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.minimumf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r6 = arith.minimumf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.maxnumf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r7 = arith.maxnumf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.minnumf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r8 = arith.minnumf %x, %x : !tile.tile<8xf32>
  // CHECK: arith.negf %{{.*}} : !tile.tile<8xf32>
  %rn = arith.negf %x : !tile.tile<8xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : !tile.tile<8xf32>
  %f = arith.addf %x, %x fastmath<contract,reassoc> : !tile.tile<8xf32>
  // CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %c = arith.cmpf ogt, %x, %x : !tile.tile<8xf32>
  // CHECK: arith.select %p, %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %q = arith.select %p, %x, %x : !tile.tile<8xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @math_on_floats
tile.kernel @math_on_floats(%n: index, %s: f32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xf32>
  // CHECK: math.absf %{{.*}} : !tile.tile<8xf32>
  %r0 = math.absf %x : !tile.tile<8xf32>
  // CHECK: math.atan %{{.*}} : !tile.tile<8xf32>
  %r1 = math.atan %x : !tile.tile<8xf32>
  // CHECK: math.cbrt %{{.*}} : !tile.tile<8xf32>
  %r2 = math.cbrt %x : !tile.tile<8xf32>
  // CHECK: math.ceil %{{.*}} : !tile.tile<8xf32>
  %r3 = math.ceil %x : !tile.tile<8xf32>
  // CHECK: math.cos %{{.*}} : !tile.tile<8xf32>
  %r4 = math.cos %x : !tile.tile<8xf32>
  // CHECK: math.sin %{{.*}} : !tile.tile<8xf32>
  %r5 = math.sin %x : !tile.tile<8xf32>
  // CHECK: math.tan %{{.*}} : !tile.tile<8xf32>
  %r6 = math.tan %x : !tile.tile<8xf32>
  // CHECK: math.tanh %{{.*}} : !tile.tile<8xf32>
  %r7 = math.tanh %x : !tile.tile<8xf32>
  // CHECK: math.sinh %{{.*}} : !tile.tile<8xf32>
  %r8 = math.sinh %x : !tile.tile<8xf32>
  // CHECK: math.cosh %{{.*}} : !tile.tile<8xf32>
  %r9 = math.cosh %x : !tile.tile<8xf32>
  // CHECK: math.asin %{{.*}} : !tile.tile<8xf32>
  %r10 = math.asin %x : !tile.tile<8xf32>
  // CHECK: math.acos %{{.*}} : !tile.tile<8xf32>
  %r11 = math.acos %x : !tile.tile<8xf32>
  // CHECK: math.erf %{{.*}} : !tile.tile<8xf32>
  %r12 = math.erf %x : !tile.tile<8xf32>
  // CHECK: math.erfc %{{.*}} : !tile.tile<8xf32>
  %r13 = math.erfc %x : !tile.tile<8xf32>
  // CHECK: math.exp %{{.*}} : !tile.tile<8xf32>
  %r14 = math.exp %x : !tile.tile<8xf32>
  // CHECK: math.exp2 %{{.*}} : !tile.tile<8xf32>
  %r15 = math.exp2 %x : !tile.tile<8xf32>
  // CHECK: math.expm1 %{{.*}} : !tile.tile<8xf32>
  %r16 = math.expm1 %x : !tile.tile<8xf32>
  // CHECK: math.floor %{{.*}} : !tile.tile<8xf32>
  %r17 = math.floor %x : !tile.tile<8xf32>
  // CHECK: math.log %{{.*}} : !tile.tile<8xf32>
  %r18 = math.log %x : !tile.tile<8xf32>
  // CHECK: math.log2 %{{.*}} : !tile.tile<8xf32>
  %r19 = math.log2 %x : !tile.tile<8xf32>
  // CHECK: math.log10 %{{.*}} : !tile.tile<8xf32>
  %r20 = math.log10 %x : !tile.tile<8xf32>
  // CHECK: math.log1p %{{.*}} : !tile.tile<8xf32>
  %r21 = math.log1p %x : !tile.tile<8xf32>
  // CHECK: math.round %{{.*}} : !tile.tile<8xf32>
  %r22 = math.round %x : !tile.tile<8xf32>
  // CHECK: math.roundeven %{{.*}} : !tile.tile<8xf32>
  %r23 = math.roundeven %x : !tile.tile<8xf32>
  // CHECK: math.trunc %{{.*}} : !tile.tile<8xf32>
  %r24 = math.trunc %x : !tile.tile<8xf32>
  // CHECK: math.rsqrt %{{.*}} : !tile.tile<8xf32>
  %r25 = math.rsqrt %x : !tile.tile<8xf32>
  // CHECK: math.sqrt %{{.*}} : !tile.tile<8xf32>
  %r26 = math.sqrt %x : !tile.tile<8xf32>
  // CHECK: math.atan2 %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %ratan2 = math.atan2 %x, %x : !tile.tile<8xf32>
  // CHECK: math.copysign %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %rcopysign = math.copysign %x, %x : !tile.tile<8xf32>
  // CHECK: math.powf %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %rpowf = math.powf %x, %x : !tile.tile<8xf32>
  // CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %rfma = math.fma %x, %x, %x : !tile.tile<8xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @math_on_integers
tile.kernel @math_on_integers(%n: index, %s: i32) programs(%i) in (%n) by [1] {
  %x = tile.splat %s : !tile.tile<8xi32>
  // CHECK: math.absi %{{.*}} : !tile.tile<8xi32>
  %r0 = math.absi %x : !tile.tile<8xi32>
  // CHECK: math.ctlz %{{.*}} : !tile.tile<8xi32>
  %r1 = math.ctlz %x : !tile.tile<8xi32>
  // CHECK: math.cttz %{{.*}} : !tile.tile<8xi32>
  %r2 = math.cttz %x : !tile.tile<8xi32>
  // CHECK: math.ctpop %{{.*}} : !tile.tile<8xi32>
  %r3 = math.ctpop %x : !tile.tile<8xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @scalars_change_type
tile.kernel @scalars_change_type(%n: index, %a: i32, %b: f32) programs(%i) in (%n) by [1] {
  // CHECK: arith.extf %b : f32 to f64
  %r0 = arith.extf %b : f32 to f64
  // CHECK: arith.truncf %b : f32 to f16
  %r1 = arith.truncf %b : f32 to f16
  // CHECK: arith.fptosi %b : f32 to i32
  %r2 = arith.fptosi %b : f32 to i32
  // CHECK: arith.fptoui %b : f32 to i32
  %r3 = arith.fptoui %b : f32 to i32
  // CHECK: arith.sitofp %a : i32 to f32
  %r4 = arith.sitofp %a : i32 to f32
  // CHECK: arith.uitofp %a : i32 to f32
  %r5 = arith.uitofp %a : i32 to f32
  // CHECK: arith.extsi %a : i32 to i64
  %r6 = arith.extsi %a : i32 to i64
  // CHECK: arith.extui %a : i32 to i64
  %r7 = arith.extui %a : i32 to i64
  // CHECK: arith.trunci %a : i32 to i8
  %r8 = arith.trunci %a : i32 to i8
  // CHECK: arith.bitcast %a : i32 to f32
  %r9 = arith.bitcast %a : i32 to f32
  // CHECK: arith.index_cast %a : i32 to index
  %r10 = arith.index_cast %a : i32 to index
  // CHECK: arith.index_castui %a : i32 to index
  %r11 = arith.index_castui %a : i32 to index
  tile.return
}
