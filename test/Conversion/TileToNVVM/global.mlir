// Loads and stores: the width, the predicate, what stands for elements outside, the byte offsets.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#row = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
#pair = #tile.layout<registers = [[1]], lanes = [[2], [4], [8], [16], [32]], warps = []>
#one = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
#dup = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [0]], warps = []>
module attributes {tile.target = "sm_80"} {
  // 16 bytes at once unless a piece would straddle the end: the extent is a multiple of 4, or the tile is whole.
  // CHECK-LABEL: llvm.func @wide(
  // CHECK: %[[LEFT:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
  // CHECK: %[[FULL:.*]] = llvm.icmp "sge" %[[LEFT]]
  // CHECK: %[[EVEN:.*]] = llvm.icmp "eq"
  // CHECK: %[[WHOLE:.*]] = llvm.or %[[FULL]], %[[EVEN]]
  // CHECK: llvm.cond_br %[[WHOLE]], ^[[FAST:.*]], ^[[SLOW:.*]]
  // CHECK: ^[[FAST]]:
  // CHECK: "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
  // CHECK: ^[[SLOW]]:
  // CHECK: "@$2 ld.global.b32 $0, [$1];"
  // CHECK: "@$2 ld.global.b32 $0, [$1+4];"
  // CHECK: "@$2 ld.global.b32 $0, [$1+8];"
  // CHECK: "@$2 ld.global.b32 $0, [$1+12];"
  // CHECK: "@$5 st.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,b"
  // CHECK: "@$2 st.global.b32 [$0+12], $1;", "l,r,b"
  tile.kernel @wide(%A: !tile.view<?xf32, align 16>, %B: !tile.view<?xf32, align 16>) programs(%m) over %B by [128] plan {warps = 1 : i64}
      attributes {max_index = 2146435071 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32, align 16> -> !tile.tile<128xf32, #row>
    tile.store %t, %B[%m] : !tile.tile<128xf32, #row>, !tile.view<?xf32, align 16>
    tile.return
  }

  // A tile inside the view: no predicate, no second version.
  // CHECK-LABEL: llvm.func @inside(
  // CHECK-NOT: llvm.icmp
  // CHECK-NOT: llvm.cond_br
  // CHECK: "ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"
  // CHECK: "st.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r"
  // CHECK-NOT: llvm.cond_br
  // CHECK: llvm.return
  tile.kernel @inside(%A: !tile.view<128xf32, align 16>, %B: !tile.view<128xf32, align 16>) programs(%m) over %B by [128] plan {warps = 1 : i64}  {
    %c0 = arith.constant 0 : index
    %t = tile.load %A[%c0] : !tile.view<128xf32, align 16> -> !tile.tile<128xf32, #row>
    tile.store %t, %B[%c0] : !tile.tile<128xf32, #row>, !tile.view<128xf32, align 16>
    tile.return
  }

  // The pad is what the register holds where the load is not executed. Without max_index the distance to the end is clamped
  // in 64 bits.
  // CHECK-LABEL: llvm.func @padded(
  // CHECK-SAME: %[[PAD:[^ ]*]]: f32
  // CHECK: %[[LEFT:.*]] = llvm.sub %{{.*}}, %{{.*}} : i64
  // CHECK: %[[LOW:.*]] = llvm.intr.smin(%[[LEFT]]
  // CHECK: llvm.intr.smax(%[[LOW]]
  // CHECK: %[[INSIDE:.*]] = llvm.icmp "slt"
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[PAD]] : f32 to i32
  // CHECK: "@$2 ld.global.b32 $0, [$1];", "=r,l,b,0" %{{.*}}, %[[INSIDE]], %[[BITS]]
  tile.kernel @padded(%A: !tile.view<?xf32>, %p: f32, %B: !tile.view<?xf32>) programs(%m) over %B by [32] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] pad %p : f32 : !tile.view<?xf32> -> !tile.tile<32xf32, #one>
    tile.store %t, %B[%m] : !tile.tile<32xf32, #one>, !tile.view<?xf32>
    tile.return
  }

  // Two f16 share a word.
  // CHECK-LABEL: llvm.func @pairs(
  // CHECK: "@$2 ld.global.b32 $0, [$1];", "=r,l,b,0"
  // CHECK: llvm.bitcast {{.*}} : i32 to vector<2xf16>
  // CHECK: "@$2 ld.global.b16 $0, [$1+2];", "=h,l,b,0"
  // CHECK: "@$2 st.global.b16 [$0+2], $1;", "l,h,b"
  tile.kernel @pairs(%B: !tile.view<?xf16, align 4>) programs(%m) over %B by [64] plan {warps = 1 : i64} {
    %t = tile.load %B[%m] : !tile.view<?xf16, align 4> -> !tile.tile<64xf16, #pair>
    tile.store %t, %B[%m] : !tile.tile<64xf16, #pair>, !tile.view<?xf16, align 4>
    tile.return
  }

  // Elements of 8 bytes as two words. Lanes 16 to 31 hold the same elements and do not store.
  // CHECK-LABEL: llvm.func @copies(
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
  // CHECK: "@$3 ld.global.v2.b32 {$0, $1}, [$2];", "=r,=r,l,b,0,1"
  // CHECK: %[[STORES:.*]] = llvm.and %{{.*}}, %[[FIRST]] : i1
  // CHECK: "@$3 st.global.v2.b32 [$0], {$1, $2};", "l,r,r,b" %{{.*}}, %{{.*}}, %{{.*}}, %[[STORES]]
  tile.kernel @copies(%A: !tile.view<?xf64>, %B: !tile.view<?xf64>) programs(%m) over %B by [16] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf64> -> !tile.tile<16xf64, #dup>
    tile.store %t, %B[%m] : !tile.tile<16xf64, #dup>, !tile.view<?xf64>
    tile.return
  }

  // An i1 is a byte in memory, of which the lowest bit counts; four are one access.
  // CHECK-LABEL: llvm.func @bits(
  // CHECK: "@$2 ld.global.b32 $0, [$1];", "=r,l,b,0"
  // CHECK-COUNT-4: llvm.trunc {{.*}} : i8 to i1
  // CHECK-COUNT-4: llvm.zext {{.*}} : i1 to i8
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b"
  tile.kernel @bits(%A: !tile.view<?xi1, align 4>, %B: !tile.view<?xi1, align 4>) programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xi1, align 4> -> !tile.tile<128xi1, #row>
    tile.store %t, %B[%m] : !tile.tile<128xi1, #row>, !tile.view<?xi1, align 4>
    tile.return
  }
}
