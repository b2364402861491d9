// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#l = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_80"} {
  // Range reduction, 2^x of a fraction, and two exact powers of two; no libdevice.
  // CHECK-LABEL: llvm.func @exp_f32
  // CHECK: llvm.intr.minimum
  // CHECK: llvm.intr.maximum
  // CHECK-COUNT-3: llvm.intr.fma
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
  // CHECK: llvm.fmul
  // CHECK: llvm.fmul
  // CHECK-NOT: llvm.call @
  // CHECK: llvm.return
  tile.kernel @exp_f32(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = math.exp %t : !tile.tile<128xf32, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf32, #l>, !tile.view<?xf32>
    tile.return
  }

  // CHECK-LABEL: llvm.func @exp_f32_approximate
  // CHECK: llvm.fmul
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
  // CHECK-NOT: llvm.intr.fma
  // CHECK: llvm.return
  tile.kernel @exp_f32_approximate(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = math.exp %t fastmath<afn> : !tile.tile<128xf32, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf32, #l>, !tile.view<?xf32>
    tile.return
  }

  // CHECK-LABEL: llvm.func @tanh_bf16_approximate
  // CHECK: llvm.fpext {{.*}} : bf16 to f32
  // CHECK: llvm.inline_asm {{.*}}"tanh.approx.f32 $0, $1;"
  // CHECK: llvm.fptrunc {{.*}} : f32 to bf16
  tile.kernel @tanh_bf16_approximate(%A: !tile.view<?xbf16>, %B: !tile.view<?xbf16>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xbf16> -> !tile.tile<128xbf16, #l>
    %c = math.tanh %t fastmath<fast> : !tile.tile<128xbf16, #l>
    tile.store %c, %B[%m] : !tile.tile<128xbf16, #l>, !tile.view<?xbf16>
    tile.return
  }

  // CHECK-LABEL: llvm.func @erf_f32
  // CHECK: llvm.intr.copysign
  // CHECK-NOT: llvm.call @
  // CHECK: llvm.return
  tile.kernel @erf_f32(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = math.erf %t : !tile.tile<128xf32, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf32, #l>, !tile.view<?xf32>
    tile.return
  }

  // CHECK-LABEL: llvm.func @sin_f32
  // CHECK-COUNT-4: llvm.call @__nv_sinf({{.*}}) : (f32) -> f32
  tile.kernel @sin_f32(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = math.sin %t : !tile.tile<128xf32, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf32, #l>, !tile.view<?xf32>
    tile.return
  }

  // No approximation of f64, whatever the flags allow.
  // CHECK-LABEL: llvm.func @exp_f64
  // CHECK-COUNT-4: llvm.call @__nv_exp({{.*}}) : (f64) -> f64
  tile.kernel @exp_f64(%A: !tile.view<?xf64>, %B: !tile.view<?xf64>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf64> -> !tile.tile<128xf64, #l>
    %c = math.exp %t fastmath<fast> : !tile.tile<128xf64, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf64, #l>, !tile.view<?xf64>
    tile.return
  }

  // CHECK-LABEL: llvm.func @rounding_f32
  // CHECK: llvm.intr.round(
  // CHECK: llvm.intr.roundeven
  // CHECK: llvm.intr.sqrt
  tile.kernel @rounding_f32(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    %c = math.round %t : !tile.tile<128xf32, #l>
    %d = math.roundeven %c : !tile.tile<128xf32, #l>
    %e = math.sqrt %d : !tile.tile<128xf32, #l>
    tile.store %e, %B[%m] : !tile.tile<128xf32, #l>, !tile.view<?xf32>
    tile.return
  }

  // Zero has as many leading zeros as bits, and the least number stays what it is.
  // CHECK-LABEL: llvm.func @integers_i32
  // CHECK: "llvm.intr.ctlz"({{.*}}) <{is_zero_poison = false}>
  // CHECK: "llvm.intr.abs"({{.*}}) <{is_int_min_poison = false}>
  tile.kernel @integers_i32(%A: !tile.view<?xi32>, %B: !tile.view<?xi32>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xi32> -> !tile.tile<128xi32, #l>
    %c = math.ctlz %t : !tile.tile<128xi32, #l>
    %d = math.absi %c : !tile.tile<128xi32, #l>
    tile.store %d, %B[%m] : !tile.tile<128xi32, #l>, !tile.view<?xi32>
    tile.return
  }
  // CHECK: llvm.func @__nv_sinf(f32) -> f32
  // CHECK-SAME: memory_effects = #llvm.memory_effects<other = none
  // CHECK: llvm.func @__nv_exp(f64) -> f64
}
