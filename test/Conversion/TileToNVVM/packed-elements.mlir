// Elements of 4 and 6 bits: packed in memory, codes in bytes in registers.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#four = #tile.layout<registers = [[1], [2], [4], [8], [16]], lanes = [[32], [64], [128], [256], [512]], warps = []>
#six = #tile.layout<registers = [[1], [2], [4], [8]], lanes = [[16], [32], [64], [128], [256]], warps = []>
#two = #tile.layout<registers = [[1]], lanes = [[2], [4], [8], [16], [32]], warps = []>
#apart = #tile.layout<registers = [[32], [1], [2]], lanes = [[4], [8], [16], [64], [128]], warps = []>
module attributes {tile.target = "sm_80"} {
  // 32 elements of four bits are 16 bytes; where they straddle the end of the view, byte by byte.
  // CHECK-LABEL: llvm.func @four_bits(
  // CHECK: "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
  // CHECK: %[[EVEN:.*]] = llvm.and %[[CHUNK:.*]], %{{.*}} : i32
  // CHECK: %[[SHIFTED:.*]] = llvm.lshr %[[CHUNK]], %{{.*}} : i32
  // CHECK: %[[ODD:.*]] = llvm.and %[[SHIFTED]], %{{.*}} : i32
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.prmt"(%[[EVEN]], %[[ODD]],
  // CHECK: "@$2 ld.global.b8 $0, [$1];", "=h,l,b,0"
  // CHECK: "@$2 ld.global.b8 $0, [$1+15];", "=h,l,b,0"
  // CHECK: "@$5 st.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,b"
  // CHECK: "@$2 st.global.b8 [$0+15], $1;", "l,h,b"
  tile.kernel @four_bits(%A: !tile.view<?xf4E2M1FN, align 16>, %B: !tile.view<?xf4E2M1FN, align 16>) programs(%m) over %B by [1024] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf4E2M1FN, align 16> -> !tile.tile<1024xf4E2M1FN, #four>
    tile.store %t, %B[%m] : !tile.tile<1024xf4E2M1FN, #four>, !tile.view<?xf4E2M1FN, align 16>
    tile.return
  }

  // 16 elements of six bits are three words, or four times three bytes.
  // CHECK-LABEL: llvm.func @six_bits(
  // CHECK: "@$2 ld.global.b32 $0, [$1];", "=r,l,b,0"
  // CHECK: "@$2 ld.global.b32 $0, [$1+4];"
  // CHECK: "@$2 ld.global.b32 $0, [$1+8];"
  // CHECK: "@$2 ld.global.b8 $0, [$1+11];", "=h,l,b,0"
  // CHECK-NOT: ld.global
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b"
  // CHECK: "@$2 st.global.b32 [$0+8], $1;", "l,r,b"
  tile.kernel @six_bits(%A: !tile.view<?xf6E2M3FN, align 4>, %B: !tile.view<?xf6E2M3FN, align 4>) programs(%m) over %B by [512] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf6E2M3FN, align 4> -> !tile.tile<512xf6E2M3FN, #six>
    tile.store %t, %B[%m] : !tile.tile<512xf6E2M3FN, #six>, !tile.view<?xf6E2M3FN, align 4>
    tile.return
  }

  // Without a promise of alignment bytes are all that is safe.
  // CHECK-LABEL: llvm.func @bytes(
  // CHECK-NOT: llvm.cond_br
  // CHECK: "@$2 ld.global.b8 $0, [$1];", "=h,l,b,0"
  // CHECK: "@$2 ld.global.b8 $0, [$1+7];", "=h,l,b,0"
  // CHECK-NOT: ld.global
  // CHECK: llvm.return
  tile.kernel @bytes(%A: !tile.view<?xi4>) programs(%m) over %A by [512] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xi4> -> !tile.tile<512xi4, #six>
    tile.return
  }

  // Rows of a byte's elements: their steps are halved, in bytes.
  // CHECK-LABEL: llvm.func @packed_view(
  // CHECK-SAME: %[[P:[^ ]*]]: !llvm.ptr<1> {llvm.align = 1 : i64}, %[[E0:[^ ]*]]: i64, %[[E1:[^ ]*]]: i64, %[[S:[^ ]*]]: i64)
  // CHECK-DAG: llvm.ashr %[[E1]]
  // CHECK-DAG: llvm.ashr %[[S]]
  // CHECK: "@$2 ld.global.b8 $0, [$1];", "=h,l,b,0"
  tile.kernel @packed_view(%A: !tile.view<?x?xf4E2M1FN>) programs(%m, %n) over %A by [1, 64] plan {warps = 1 : i64} {
    %B = tile.packed_view %A : !tile.view<?x?xf4E2M1FN> -> !tile.view<?x?xi8>
    %c2 = arith.constant 2 : index
    %h = arith.divsi %n, %c2 : index
    %t = tile.load %B[%m, %h] : !tile.view<?x?xi8> -> !tile.tile<1x32xi8, #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warps = []>>
    tile.return
  }

  // Bits above a code are dropped; towards i8 nothing happens.
  // CHECK-LABEL: llvm.func @bits(
  // CHECK: %[[MASK:.*]] = llvm.mlir.constant(1061109567 : i32)
  // CHECK: llvm.and %{{.*}}, %[[MASK]] : i32
  // CHECK: llvm.and %{{.*}} : i32
  // CHECK-NOT: llvm.and
  // CHECK: llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: llvm.return
  tile.kernel @bits(%x: i8, %y: f32, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %s = tile.splat %x : !tile.tile<256xi8, #apart>
    %c = tile.bitcast %s : !tile.tile<256xi8, #apart> -> !tile.tile<256xf6E2M3FN, #apart>
    %b = tile.bitcast %c : !tile.tile<256xf6E2M3FN, #apart> -> !tile.tile<256xi8, #apart>
    %t = tile.splat %y : !tile.tile<256xf32, #apart>
    %i = tile.bitcast %t : !tile.tile<256xf32, #apart> -> !tile.tile<256xi32, #apart>
    tile.return
  }

  // Pairs in the lowest register bit: two words become one by byte permutations.
  // CHECK-LABEL: llvm.func @pairs(
  // CHECK: %[[LOW:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"
  // CHECK: %[[HIGH:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"
  // CHECK: %[[UP:.*]] = llvm.shl %[[HIGH]]
  // CHECK: llvm.or %[[LOW]], %[[UP]] : i32
  tile.kernel @pairs(%x: f4E2M1FN, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %s = tile.splat %x : !tile.tile<256xf4E2M1FN, #tile.layout<registers = [[1], [2], [4]], lanes = [[8], [16], [32], [64], [128]], warps = []>>
    %p = tile.pack_pairs %s along 0 : !tile.tile<256xf4E2M1FN, #tile.layout<registers = [[1], [2], [4]], lanes = [[8], [16], [32], [64], [128]], warps = []>> -> !tile.tile<128xi8, #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>>
    tile.return
  }

  // Elsewhere the second of each pair is shifted up.
  // CHECK-LABEL: llvm.func @pairs_in_another_bit(
  // CHECK-NOT: llvm.nvvm.prmt
  // CHECK: llvm.shl
  // CHECK: llvm.or
  tile.kernel @pairs_in_another_bit(%x: f4E2M1FN, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %s = tile.splat %x : !tile.tile<256xf4E2M1FN, #apart>
    %p = tile.pack_pairs %s along 0 : !tile.tile<256xf4E2M1FN, #apart> -> !tile.tile<128xi8, #tile.layout<registers = [[16], [1]], lanes = [[2], [4], [8], [32], [64]], warps = []>>
    tile.return
  }

  // The sign of an i4 spreads over its byte, without carries into others.
  // CHECK-LABEL: llvm.func @signs(
  // CHECK: %[[SIGNS:.*]] = llvm.and %{{.*}}, %{{.*}} : i32
  // CHECK: %[[UPPER:.*]] = llvm.mul %[[SIGNS]], %{{.*}} : i32
  // CHECK: llvm.or %{{.*}}, %[[UPPER]] : i32
  tile.kernel @signs(%x: i4, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %s = tile.splat %x : !tile.tile<256xi4, #apart>
    %p = tile.cast %s : !tile.tile<256xi4, #apart> -> !tile.tile<256xi8, #apart>
    tile.return
  }
}
