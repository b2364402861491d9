// RUN: tile-opt %s --convert-tile-to-nvvm --split-input-file | FileCheck %s

#l = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_80"} {
  // Two elements share a word; the first goes to the low half, which is the second operand.
  // CHECK-LABEL: llvm.func @f32_to_bf16_in_pairs
  // CHECK: %[[PAIR:.*]] = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%[[X1:.*]], %[[X0:.*]]) : (f32, f32) -> vector<2xbf16>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"
  // CHECK-NOT: llvm.fptrunc
  tile.kernel @f32_to_bf16_in_pairs(%A: !tile.view<?xf32>, %B: !tile.view<?xbf16>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xbf16, #l>
    tile.store %c, %B[%m] : !tile.tile<128xbf16, #l>, !tile.view<?xbf16>
    tile.return
  }

  // CHECK-LABEL: llvm.func @f32_to_f16_saturate
  // CHECK: llvm.intr.fabs
  // CHECK: llvm.fcmp "ogt"
  // CHECK: llvm.intr.copysign
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rn"
  tile.kernel @f32_to_f16_saturate(%A: !tile.view<?xf32>, %B: !tile.view<?xf16>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = tile.cast %t saturate : !tile.tile<128xf32, #l> -> !tile.tile<128xf16, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf16, #l>, !tile.view<?xf16>
    tile.return
  }

  // Widening never clamps.
  // CHECK-LABEL: llvm.func @bf16_to_f32_saturate
  // CHECK-COUNT-4: llvm.fpext {{.*}} : bf16 to f32
  // CHECK-NOT: llvm.intr.copysign
  // CHECK: llvm.return
  tile.kernel @bf16_to_f32_saturate(%A: !tile.view<?xbf16>, %B: !tile.view<?xf32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xbf16> -> !tile.tile<128xbf16, #l>
    %c = tile.cast %t saturate : !tile.tile<128xbf16, #l> -> !tile.tile<128xf32, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf32, #l>, !tile.view<?xf32>
    tile.return
  }

  // Through f32, rounded to odd: the final rounding is the only one that shows.
  // CHECK-LABEL: llvm.func @f64_to_bf16
  // CHECK: llvm.fptrunc {{.*}} : f64 to f32
  // CHECK: llvm.fcmp "ueq"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"
  tile.kernel @f64_to_bf16(%A: !tile.view<?xf64>, %B: !tile.view<?xbf16>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf64> -> !tile.tile<128xf64, #l>
    %c = tile.cast %t : !tile.tile<128xf64, #l> -> !tile.tile<128xbf16, #l>
    tile.store %c, %B[%m] : !tile.tile<128xbf16, #l>, !tile.view<?xbf16>
    tile.return
  }

  // No instruction on this target: integer arithmetic.
  // CHECK-LABEL: llvm.func @f32_to_f8_without_instructions
  // CHECK-NOT: e4m3
  // CHECK-COUNT-4: llvm.trunc {{.*}} : i32 to i8
  tile.kernel @f32_to_f8_without_instructions(%A: !tile.view<?xf32>, %B: !tile.view<?xf8E4M3FN>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xf8E4M3FN, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf8E4M3FN, #l>, !tile.view<?xf8E4M3FN>
    tile.return
  }

  // CHECK-LABEL: llvm.func @f8_to_f16_without_instructions
  // CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"
  // CHECK: llvm.fmul {{.*}} : vector<2xf16>
  // CHECK-NOT: llvm.fpext
  // CHECK: llvm.return
  tile.kernel @f8_to_f16_without_instructions(%A: !tile.view<?xf8E4M3FN>, %B: !tile.view<?xf16>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf8E4M3FN> -> !tile.tile<128xf8E4M3FN, #l>
    %c = tile.cast %t : !tile.tile<128xf8E4M3FN, #l> -> !tile.tile<128xf16, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf16, #l>, !tile.view<?xf16>
    tile.return
  }

  // CHECK-LABEL: llvm.func @i8_to_f16_by_permutation
  // CHECK: llvm.xor
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.prmt"
  // CHECK-NOT: llvm.sitofp
  // CHECK: llvm.return
  tile.kernel @i8_to_f16_by_permutation(%A: !tile.view<?xi8>, %B: !tile.view<?xf16>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xi8> -> !tile.tile<128xi8, #l>
    %c = tile.cast %t : !tile.tile<128xi8, #l> -> !tile.tile<128xf16, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf16, #l>, !tile.view<?xf16>
    tile.return
  }

  // CHECK-LABEL: llvm.func @f32_to_i8
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.f2i.rz"{{.*}}
  // CHECK: llvm.return
  tile.kernel @f32_to_i8(%A: !tile.view<?xf32>, %B: !tile.view<?xi8>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xi8, #l>
    tile.store %c, %B[%m] : !tile.tile<128xi8, #l>, !tile.view<?xi8>
    tile.return
  }

  // CHECK-LABEL: llvm.func @f64_to_i64_unsigned
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.fptoui.sat.i64.f64"
  tile.kernel @f64_to_i64_unsigned(%A: !tile.view<?xf64>, %B: !tile.view<?xi64>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf64> -> !tile.tile<128xf64, #l>
    %c = tile.cast %t unsigned : !tile.tile<128xf64, #l> -> !tile.tile<128xi64, #l>
    tile.store %c, %B[%m] : !tile.tile<128xi64, #l>, !tile.view<?xi64>
    tile.return
  }

  // CHECK-LABEL: llvm.func @i32_to_i8_saturate
  // CHECK: llvm.intr.smin
  // CHECK: llvm.intr.smax
  // CHECK: llvm.trunc {{.*}} : i32 to i8
  tile.kernel @i32_to_i8_saturate(%A: !tile.view<?xi32>, %B: !tile.view<?xi8>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xi32> -> !tile.tile<128xi32, #l>
    %c = tile.cast %t saturate : !tile.tile<128xi32, #l> -> !tile.tile<128xi8, #l>
    tile.store %c, %B[%m] : !tile.tile<128xi8, #l>, !tile.view<?xi8>
    tile.return
  }

  // CHECK-LABEL: llvm.func @i32_to_i8_saturate_unsigned
  // CHECK: llvm.intr.umin
  // CHECK-NEXT: llvm.trunc {{.*}} : i32 to i8
  tile.kernel @i32_to_i8_saturate_unsigned(%A: !tile.view<?xi32>, %B: !tile.view<?xi8>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xi32> -> !tile.tile<128xi32, #l>
    %c = tile.cast %t saturate unsigned : !tile.tile<128xi32, #l> -> !tile.tile<128xi8, #l>
    tile.store %c, %B[%m] : !tile.tile<128xi8, #l>, !tile.view<?xi8>
    tile.return
  }

  // A number from 1 on is 1; anything else, NaN too, is 0.
  // CHECK-LABEL: llvm.func @f32_to_i1_to_i32
  // CHECK: llvm.fcmp "oge"
  // CHECK: llvm.zext {{.*}} : i1 to i32
  tile.kernel @f32_to_i1_to_i32(%A: !tile.view<?xf32>, %B: !tile.view<?xi32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xi1, #l>
    %i = tile.cast %c : !tile.tile<128xi1, #l> -> !tile.tile<128xi32, #l>
    tile.store %i, %B[%m] : !tile.tile<128xi32, #l>, !tile.view<?xi32>
    tile.return
  }
}

// -----

#l = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_90a"} {
  // The instruction saturates: what is out of range becomes NaN before it.
  // CHECK-LABEL: llvm.func @f32_to_f8
  // CHECK: llvm.fcmp "ogt"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
  // CHECK: llvm.bitcast {{.*}} : vector<2xi16> to vector<4xi8>
  tile.kernel @f32_to_f8(%A: !tile.view<?xf32>, %B: !tile.view<?xf8E4M3FN>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xf8E4M3FN, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf8E4M3FN, #l>, !tile.view<?xf8E4M3FN>
    tile.return
  }

  // CHECK-LABEL: llvm.func @f32_to_f8_saturate
  // CHECK-NOT: llvm.fcmp
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
  tile.kernel @f32_to_f8_saturate(%A: !tile.view<?xf32>, %B: !tile.view<?xf8E4M3FN>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = tile.cast %t saturate : !tile.tile<128xf32, #l> -> !tile.tile<128xf8E4M3FN, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf8E4M3FN, #l>, !tile.view<?xf8E4M3FN>
    tile.return
  }

  // CHECK-LABEL: llvm.func @f8_to_f16_in_pairs
  // CHECK: llvm.bitcast {{.*}} : vector<4xi8> to vector<2xi16>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.e5m2x2.to.f16x2.rn"
  // CHECK-NOT: llvm.fpext
  // CHECK: llvm.return
  tile.kernel @f8_to_f16_in_pairs(%A: !tile.view<?xf8E5M2>, %B: !tile.view<?xf16>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf8E5M2> -> !tile.tile<128xf8E5M2, #l>
    %c = tile.cast %t : !tile.tile<128xf8E5M2, #l> -> !tile.tile<128xf16, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf16, #l>, !tile.view<?xf16>
    tile.return
  }
}
