// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Parameters are top-level aliases of one literal or one type. They are resolved when the text is parsed.
#BM = 128 : index
#BN = 96 : i32
#BK = 64
#SMALL = 200 : ui8
#WITH_BIAS = true
!T = bf16
!a = !tile.tile<[#BM, #BK] x !T>
!s = !tile.tile<[#BM, #BK floordiv 32] x f8E8M0FNU>

// CHECK-LABEL: tile.kernel @extents_by_expressions(
// CHECK-SAME: a = !tile.tile<128x64xbf16>, b = !tile.tile<128x2xf8E8M0FNU>, c = !tile.tile<24x8xf32>,
// CHECK-SAME: d = !tile.tile<8x16xf32>, e = !tile.tile<200xf32>, f = !tile.view<128x?x5xbf16>
tile.kernel @extents_by_expressions(%A: !tile.view<?x?x!T>) programs(%m, %n) over %A by [#BM, #BN] attributes {
  a = !a, b = !s, c = !tile.tile<[#BN floordiv 4, 2 * 4] x f32>,
  d = !tile.tile<[(#BM floordiv 32) * 2, 65 ceildiv 8 * 2 floordiv 2 * 2 floordiv 2 * 16 floordiv 9] x f32>,
  e = !tile.tile<[#SMALL] x f32>, f = !tile.view<[#BM, ?, #BM ceildiv 31] x !T>} {
  // CHECK: arith.constant 128 : index
  %bm = arith.constant #BM
  // CHECK: arith.constant true
  %bias = arith.constant #WITH_BIAS
  // CHECK: arith.constant dense<0.000000e+00> : !tile.tile<128x64xbf16>
  %zero = arith.constant dense<0.0> : !a
  tile.return
}
