// Arithmetic on words: two 16-bit floats at a time, with flags; what has no packed form goes element by element.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#one = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
#two = #tile.layout<registers = [[1]], lanes = [[2], [4], [8], [16], [32]], warps = []>
!t = !tile.tile<32xf32, #one>
!b = !tile.tile<32xi1, #one>
!i = !tile.tile<32xi32, #one>
!h = !tile.tile<64xf16, #two>
!bf = !tile.tile<64xbf16, #two>
module attributes {tile.target = "sm_80"} {
  // CHECK-LABEL: llvm.func @packed(
  // CHECK: llvm.fadd {{.*}} : vector<2xf16>
  // CHECK: llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<2xf16>
  // CHECK: llvm.intr.fma({{.*}} -> vector<2xf16>
  // CHECK: llvm.intr.maximum({{.*}} -> vector<2xf16>
  // CHECK-COUNT-2: llvm.fdiv {{.*}} : f16
  tile.kernel @packed(%n: index, %s: f16) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.splat %s : !h
    %a = arith.addf %x, %x : !h
    %b = arith.mulf %a, %x fastmath<contract> : !h
    %c = math.fma %a, %b, %x : !h
    %d = arith.maximumf %a, %c : !h
    %e = arith.divf %d, %x : !h
    tile.return
  }

  // CHECK-LABEL: llvm.func @brain(
  // CHECK: llvm.fadd {{.*}} : vector<2xbf16>
  // CHECK: llvm.fsub {{.*}} : vector<2xbf16>
  // CHECK: llvm.fmul {{.*}} : vector<2xbf16>
  // CHECK-NOT: llvm.fpext
  tile.kernel @brain(%n: index, %s: bf16) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.splat %s : !bf
    %a = arith.addf %x, %x : !bf
    %b = arith.subf %a, %x : !bf
    %c = arith.mulf %a, %b : !bf
    tile.return
  }

  // A condition is one i1 for each element, or one for all.
  // CHECK-LABEL: llvm.func @compare(
  // CHECK-SAME: %[[S:[^ ]*]]: f32, %[[K:[^ ]*]]: i1)
  // CHECK: %[[LT:.*]] = llvm.fcmp "olt" %[[S]], %[[TWO:.*]] : f32
  // CHECK: %[[Z:.*]] = llvm.select %[[LT]], %[[S]], %[[TWO]] : i1, f32
  // CHECK: %[[W:.*]] = llvm.select %[[K]], %[[Z]], %[[TWO]] : i1, f32
  // CHECK: llvm.select %[[K]], %[[W]], %[[S]] : i1, f32
  // CHECK: llvm.icmp "uge"
  tile.kernel @compare(%n: index, %s: f32, %k: i1) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.splat %s : !t
    %y = arith.constant dense<2.0> : !t
    %lt = arith.cmpf olt, %x, %y : !t
    %z = tile.select %lt, %x, %y : !b, !t
    %w = tile.select %k, %z, %y : i1, !t
    %v = arith.select %k, %w, %x : !t
    %i = tile.iota 0 : !i
    %c = arith.cmpi uge, %i, %i : !i
    tile.return
  }

  // Elements that differ between the registers of a thread, and not between threads.
  // CHECK-LABEL: llvm.func @constants(
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32)
  // CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2.000000e+00 : f32)
  // CHECK: llvm.fadd %[[ONE]], %[[ONE]]
  // CHECK: llvm.fadd %[[TWO]], %[[TWO]]
  tile.kernel @constants(%n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = arith.constant dense<[1.0, 2.0]> : !tile.tile<2xf32, #tile.layout<registers = [[1]], lanes = [[0], [0], [0], [0], [0]], warps = []>>
    %y = arith.addf %x, %x : !tile.tile<2xf32, #tile.layout<registers = [[1]], lanes = [[0], [0], [0], [0], [0]], warps = []>>
    tile.return
  }

  // An index is 64 bits wide where nothing says that it fits 32.
  // CHECK-LABEL: llvm.func @wide_index(
  // CHECK: llvm.trunc {{.*}} : i64 to i32
  // CHECK: llvm.sext {{.*}} : i32 to i64
  // CHECK: llvm.mul {{.*}} : i64
  tile.kernel @wide_index(%n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = arith.index_cast %m : index to i32
    %y = arith.index_cast %x : i32 to index
    %z = arith.muli %y, %m : index
    tile.return
  }
}
