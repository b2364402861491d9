// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling,canonicalize,cse))' | FileCheck %s

!X = !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>

// A power of two from the exponent of amax; blocks without a finite amax get the code of NaN and elements 0.
// CHECK-LABEL: tile.kernel @quantize_mxfp8
tile.kernel @quantize_mxfp8(%V: !tile.view<?x?xbf16>, %E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %V by [64, 128] {
  // CHECK-DAG: %[[EMAX:.*]] = arith.constant dense<8> : !tile.tile<64x4xi32>
  // CHECK-DAG: %[[C0:.*]] = arith.constant dense<0> : !tile.tile<64x4xi32>
  // CHECK-DAG: %[[C23:.*]] = arith.constant dense<23> : !tile.tile<64x4xi32>
  // CHECK-DAG: %[[C254:.*]] = arith.constant dense<254> : !tile.tile<64x4xi32>
  // CHECK-DAG: %[[C255:.*]] = arith.constant dense<255> : !tile.tile<64x4xi32>
  // CHECK-DAG: %[[INF:.*]] = arith.constant dense<2139095040> : !tile.tile<64x4xi32>
  // CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0> : !tile.tile<64x4xi8>
  // CHECK-DAG: %[[ALL:.*]] = arith.constant dense<-1> : !tile.tile<64x4xi8>
  // CHECK: %[[IN:.*]] = tile.load
  %x = tile.load %V[%m, %k] : !tile.view<?x?xbf16> -> !tile.tile<64x128xbf16>
  // CHECK: %[[WIDE:.*]] = tile.cast %[[IN]] : !tile.tile<64x128xbf16> -> !tile.tile<64x128xf32>
  // CHECK: %[[X:.*]] = tile.reshape %[[WIDE]] : !tile.tile<64x128xf32> -> !tile.tile<64x4x32xf32>
  // CHECK: %[[ABS:.*]] = math.absf %[[X]]
  // CHECK: %[[AMAX:.*]] = tile.reduce %[[ABS]] along 2
  // CHECK: arith.maximumf
  // CHECK: %[[BITS:.*]] = tile.bitcast %[[AMAX]] : !tile.tile<64x4xf32> -> !tile.tile<64x4xi32>
  // CHECK: %[[EXP:.*]] = arith.shrui %[[BITS]], %[[C23]]
  // CHECK: %[[DIFF:.*]] = arith.subi %[[EXP]], %[[EMAX]]
  // CHECK: %[[CODE:.*]] = arith.maxsi %[[DIFF]], %[[C0]]
  // CHECK: %[[INVERSE:.*]] = arith.subi %[[C254]], %[[CODE]]
  // CHECK: %[[FIELD:.*]] = arith.shli %[[INVERSE]], %[[C23]]
  // CHECK: %[[FACTOR:.*]] = tile.bitcast %[[FIELD]] : !tile.tile<64x4xi32> -> !tile.tile<64x4xf32>
  // CHECK: %[[SPREAD:.*]] = tile.broadcast %[[FACTOR]] along [2]
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[SPREAD]]
  // CHECK: %[[FINITE:.*]] = arith.cmpi slt, %[[BITS]], %[[INF]]
  // CHECK: %[[OR_NAN:.*]] = tile.select %[[FINITE]], %[[CODE]], %[[C255]]
  // CHECK: %[[BYTE:.*]] = tile.cast %[[OR_NAN]] : !tile.tile<64x4xi32> -> !tile.tile<64x4xi8>
  // CHECK: %[[SCALE:.*]] = tile.bitcast %[[BYTE]] : !tile.tile<64x4xi8> -> !tile.tile<64x4xf8E8M0FNU>
  // CHECK: %[[ROUNDED:.*]] = tile.cast %[[SCALED]] saturate : !tile.tile<64x4x32xf32> -> !tile.tile<64x4x32xf8E4M3FN>
  // CHECK: %[[CODES:.*]] = tile.bitcast %[[ROUNDED]]
  // CHECK: %[[MASK:.*]] = tile.select %[[FINITE]], %[[ALL]], %[[NONE]]
  // CHECK: %[[MASKS:.*]] = tile.broadcast %[[MASK]] along [2]
  // CHECK: %[[KEPT:.*]] = arith.andi %[[CODES]], %[[MASKS]]
  // CHECK: %[[FLAT:.*]] = tile.reshape %[[KEPT]] : !tile.tile<64x4x32xi8> -> !tile.tile<64x128xi8>
  // CHECK: %[[OUT:.*]] = tile.bitcast %[[FLAT]] : !tile.tile<64x128xi8> -> !tile.tile<64x128xf8E4M3FN>
  %q = tile.quantize %x : !tile.tile<64x128xbf16> -> !X
  %e, %s = tile.mx_unpack %q : !X -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU>
  // CHECK: tile.store %[[OUT]], %E
  tile.store %e, %E[%m, %k] : !tile.tile<64x128xf8E4M3FN>, !tile.view<?x?xf8E4M3FN>
  // CHECK: tile.store %[[SCALE]], %S
  tile.store %s, %S[%m, %k] : !tile.tile<64x4xf8E8M0FNU>, !tile.view<?x?xf8E8M0FNU>
  tile.return
}

// Rounding up adds what carries into the exponent from a fraction above that of the largest element: 1.5 · 4 of f4E2M1FN.
// Along axis 0 the scales are turned, so that blocks are last.
// CHECK-LABEL: tile.kernel @quantize_mxfp4_up_along_columns
tile.kernel @quantize_mxfp4_up_along_columns(%V: !tile.view<?x?xf32>, %E: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%k, %n) over %V by [128, 64] {
  // CHECK-DAG: %[[CARRY:.*]] = arith.constant dense<4194303> : !tile.tile<4x64xi32>
  // CHECK-DAG: arith.constant dense<2> : !tile.tile<4x64xi32>
  %x = tile.load %V[%k, %n] : !tile.view<?x?xf32> -> !tile.tile<128x64xf32>
  // CHECK: %[[AMAX:.*]] = tile.reduce %{{.*}} along 1 : !tile.tile<4x32x64xf32> -> !tile.tile<4x64xf32>
  // CHECK: %[[BITS:.*]] = tile.bitcast %[[AMAX]]
  // CHECK: %[[RAISED:.*]] = arith.addi %[[BITS]], %[[CARRY]]
  // CHECK: arith.shrui %[[RAISED]]
  // CHECK: arith.cmpi slt, %[[BITS]]
  // CHECK: %[[SCALE:.*]] = tile.bitcast %{{.*}} : !tile.tile<4x64xi8> -> !tile.tile<4x64xf8E8M0FNU>
  // CHECK: %[[TURNED:.*]] = tile.transpose %[[SCALE]] permutation [1, 0]
  %q = tile.quantize %x round_up : !tile.tile<128x64xf32> -> !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU>
  %e, %s = tile.mx_unpack %q : !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU> -> !tile.tile<128x64xf4E2M1FN>, !tile.tile<64x4xf8E8M0FNU>
  tile.store %e, %E[%k, %n] : !tile.tile<128x64xf4E2M1FN>, !tile.view<?x?xf4E2M1FN>
  // CHECK: tile.store %[[TURNED]], %S
  tile.store %s, %S[%n, %k] : !tile.tile<64x4xf8E8M0FNU>, !tile.view<?x?xf8E8M0FNU>
  tile.return
}

// A float as the scale: amax / 6 over the tensor scale, rounded; elements over scale times tensor scale.
// CHECK-LABEL: tile.kernel @quantize_nvfp4
tile.kernel @quantize_nvfp4(%V: !tile.view<?x?xf32>, %t: f32, %E: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E4M3FN>) programs(%m, %k) over %V by [64, 64] {
  // CHECK-DAG: %[[SIX:.*]] = arith.constant dense<6.000000e+00>
  // CHECK-DAG: %[[INF:.*]] = arith.constant dense<0x7F800000>
  // CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7FC00000>
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x64xf32>
  // CHECK: %[[AMAX:.*]] = tile.reduce
  // CHECK: %[[SIXTH:.*]] = arith.divf %[[AMAX]], %[[SIX]]
  // CHECK: %[[T:.*]] = tile.splat %t
  // CHECK: %[[OVER:.*]] = arith.divf %[[SIXTH]], %[[T]]
  // CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[AMAX]], %[[INF]]
  // CHECK: %[[WANTED:.*]] = tile.select %[[FINITE]], %[[OVER]], %[[NAN]]
  // CHECK: %[[SCALE:.*]] = tile.cast %[[WANTED]] saturate : !tile.tile<64x4xf32> -> !tile.tile<64x4xf8E4M3FN>
  // CHECK: %[[BACK:.*]] = tile.cast %[[SCALE]]
  // CHECK: %[[DIVISOR:.*]] = arith.mulf %[[BACK]], %[[T]]
  // CHECK: arith.cmpf one, %[[DIVISOR]]
  // CHECK: %[[SPREAD:.*]] = tile.broadcast %[[DIVISOR]] along [2]
  // CHECK: %[[SCALED:.*]] = arith.divf %{{.*}}, %[[SPREAD]]
  // CHECK: tile.cast %[[SCALED]] saturate : !tile.tile<64x4x16xf32> -> !tile.tile<64x4x16xf4E2M1FN>
  %q = tile.quantize %x tensor %t : !tile.tile<64x64xf32> -> !tile.mx<64x64xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  %e, %s, %u = tile.mx_unpack %q : !tile.mx<64x64xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale> -> !tile.tile<64x64xf4E2M1FN>, !tile.tile<64x4xf8E4M3FN>, f32
  tile.store %e, %E[%m, %k] : !tile.tile<64x64xf4E2M1FN>, !tile.view<?x?xf4E2M1FN>
  // CHECK: tile.store %[[SCALE]], %S
  tile.store %s, %S[%m, %k] : !tile.tile<64x4xf8E4M3FN>, !tile.view<?x?xf8E4M3FN>
  tile.return
}

// The next code above, up to the largest.
// CHECK-LABEL: tile.kernel @quantize_nvfp4_up
tile.kernel @quantize_nvfp4_up(%V: !tile.view<?x?xf32>, %S: !tile.view<?x?xf8E4M3FN>) programs(%m, %k) over %V by [64, 64] {
  // CHECK-DAG: %[[MOST:.*]] = arith.constant dense<126> : !tile.tile<64x4xi8>
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x64xf32>
  // CHECK: %[[NEAREST:.*]] = tile.cast %[[WANTED:.*]] saturate : !tile.tile<64x4xf32> -> !tile.tile<64x4xf8E4M3FN>
  // CHECK: %[[CODE:.*]] = tile.bitcast %[[NEAREST]]
  // CHECK: %[[MORE:.*]] = arith.addi %[[CODE]]
  // CHECK: %[[NEXT:.*]] = arith.minui %[[MORE]], %[[MOST]]
  // CHECK: %[[BACK:.*]] = tile.cast %[[NEAREST]]
  // CHECK: %[[BELOW:.*]] = arith.cmpf olt, %[[BACK]], %[[WANTED]]
  // CHECK: tile.select %[[BELOW]], %[[NEXT]], %[[CODE]]
  %q = tile.quantize %x round_up : !tile.tile<64x64xf32> -> !tile.mx<64x64xf4E2M1FN, block 16, scale f8E4M3FN>
  %e, %s = tile.mx_unpack %q : !tile.mx<64x64xf4E2M1FN, block 16, scale f8E4M3FN> -> !tile.tile<64x64xf4E2M1FN>, !tile.tile<64x4xf8E4M3FN>
  tile.store %s, %S[%m, %k] : !tile.tile<64x4xf8E4M3FN>, !tile.view<?x?xf8E4M3FN>
  tile.return
}

// Integers: the least of the type is not used.
// CHECK-LABEL: tile.kernel @quantize_integers
tile.kernel @quantize_integers(%V: !tile.view<?x?xf16>, %E: !tile.view<?x?xi4>, %S: !tile.view<?x?xbf16>) programs(%m, %k) over %V by [64, 128] {
  // CHECK-DAG: %[[SEVEN:.*]] = arith.constant dense<7.000000e+00> : !tile.tile<64x2xf32>
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-7.000000e+00> : !tile.tile<64x2x64xf32>
  %x = tile.load %V[%m, %k] : !tile.view<?x?xf16> -> !tile.tile<64x128xf16>
  // CHECK: arith.divf %{{.*}}, %[[SEVEN]]
  // CHECK: %[[SCALE:.*]] = tile.cast %{{.*}} : !tile.tile<64x2xf32> -> !tile.tile<64x2xbf16>
  // CHECK: %[[BACK:.*]] = tile.cast %[[SCALE]] : !tile.tile<64x2xbf16> -> !tile.tile<64x2xf32>
  // CHECK: %[[ROUNDED:.*]] = math.roundeven
  // CHECK: %[[CLAMPED:.*]] = arith.maximumf %[[ROUNDED]], %[[LEAST]]
  // CHECK: tile.cast %[[CLAMPED]] : !tile.tile<64x2x64xf32> -> !tile.tile<64x2x64xi4>
  %q = tile.quantize %x : !tile.tile<64x128xf16> -> !tile.mx<64x128xi4, block 64, scale bf16>
  %e, %s = tile.mx_unpack %q : !tile.mx<64x128xi4, block 64, scale bf16> -> !tile.tile<64x128xi4>, !tile.tile<64x2xbf16>
  tile.store %e, %E[%m, %k] : !tile.tile<64x128xi4>, !tile.view<?x?xi4>
  tile.store %s, %S[%m, %k] : !tile.tile<64x2xbf16>, !tile.view<?x?xbf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @dequantize_along_columns
tile.kernel @dequantize_along_columns(%E: !tile.view<?x?xf8E5M2>, %S: !tile.view<?x?xf8E8M0FNU>, %Y: !tile.view<?x?xbf16>) programs(%k, %n) over %Y by [128, 64] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E5M2>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E5M2, block 32 along 0, scale f8E8M0FNU, scales row_major>
  // CHECK: %[[E:.*]] = tile.load %E
  // CHECK: %[[S:.*]] = tile.load %S
  %x = tile.mx_load %X[%k, %n] : !tile.mx_view<?x?xf8E5M2, block 32 along 0, scale f8E8M0FNU, scales row_major> -> !tile.mx<128x64xf8E5M2, block 32 along 0, scale f8E8M0FNU>
  // CHECK: %[[SW:.*]] = tile.cast %[[S]] : !tile.tile<64x4xf8E8M0FNU> -> !tile.tile<64x4xf32>
  // CHECK: %[[ST:.*]] = tile.transpose %[[SW]] permutation [1, 0]
  // CHECK: %[[SB:.*]] = tile.broadcast %[[ST]] along [1] : !tile.tile<4x64xf32> -> !tile.tile<4x32x64xf32>
  // CHECK: %[[EW:.*]] = tile.cast %[[E]] : !tile.tile<128x64xf8E5M2> -> !tile.tile<128x64xf32>
  // CHECK: %[[EB:.*]] = tile.reshape %[[EW]] : !tile.tile<128x64xf32> -> !tile.tile<4x32x64xf32>
  // CHECK: %[[P:.*]] = arith.mulf %[[EB]], %[[SB]]
  // CHECK: %[[R:.*]] = tile.reshape %[[P]] : !tile.tile<4x32x64xf32> -> !tile.tile<128x64xf32>
  // CHECK: tile.cast %[[R]] : !tile.tile<128x64xf32> -> !tile.tile<128x64xbf16>
  %y = tile.dequantize %x : !tile.mx<128x64xf8E5M2, block 32 along 0, scale f8E8M0FNU> -> !tile.tile<128x64xbf16>
  tile.store %y, %Y[%k, %n] : !tile.tile<128x64xbf16>, !tile.view<?x?xbf16>
  tile.return
}

// From NVFP4, whose scales have no sign, to blocks along the other axis.
// CHECK-LABEL: tile.kernel @requantize
tile.kernel @requantize(%E: !tile.view<?x?xf4E2M1FN>, %S: !tile.view<?x?xf8E4M3FN>, %t: f32, %Y: !tile.view<?x?xf8E4M3FN>) programs(%m, %k) over %Y by [64, 128] {
  %X = tile.mx_view %E, %S tensor %t : !tile.view<?x?xf4E2M1FN>, !tile.view<?x?xf8E4M3FN> -> !tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale, scales row_major> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
  // CHECK: arith.andi %{{.*}}, %{{.*}} : !tile.tile<64x8xi8>
  // CHECK: arith.mulf {{.*}} : !tile.tile<64x8x16xf32>
  // CHECK: arith.mulf {{.*}} : !tile.tile<64x8x16xf32>
  // CHECK: tile.reduce %{{.*}} along 1 : !tile.tile<2x32x128xf32> -> !tile.tile<2x128xf32>
  %y = tile.requantize %x : !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  %e, %s = tile.mx_unpack %y : !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU> -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<128x2xf8E8M0FNU>
  tile.store %e, %Y[%m, %k] : !tile.tile<64x128xf8E4M3FN>, !tile.view<?x?xf8E4M3FN>
  tile.return
}
