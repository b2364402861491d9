// Packed elements in shared memory: 16 at the front of each unit of 16 bytes.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
#r = #tile.swizzle<order = [0, 1], swizzle = 32>
#operand = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_90a"} {
  // 8 bytes of four bits; outside nothing is read and zeros are written.
  // CHECK-LABEL: llvm.func @copy_four_bits(
  // CHECK: "cp.async.ca.shared.global [$0], [$1], 8, $2;", "r,l,r"
  tile.kernel @copy_four_bits(%A: !tile.view<?x?xf4E2M1FN, align 16>) programs(%m, %n) over %A by [32, 64] plan {warps = 4 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf4E2M1FN, #s>
    tile.copy_async %A[%m, %n] to %p : !tile.view<?x?xf4E2M1FN, align 16>, !tile.shared<32x64xf4E2M1FN, #s>
    tile.return
  }

  // Three times four bytes of six bits, each clipped on its own.
  // CHECK-LABEL: llvm.func @copy_six_bits(
  // CHECK: "cp.async.ca.shared.global [$0], [$1], 4, $2;", "r,l,r"
  // CHECK: "cp.async.ca.shared.global [$0+4], [$1+4], 4, $2;", "r,l,r"
  // CHECK: "cp.async.ca.shared.global [$0+8], [$1+8], 4, $2;", "r,l,r"
  tile.kernel @copy_six_bits(%A: !tile.view<?x?xf6E2M3FN, align 16>) programs(%m, %n) over %A by [32, 64] plan {warps = 4 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf6E2M3FN, #s>
    tile.copy_async %A[%m, %n] to %p : !tile.view<?x?xf6E2M3FN, align 16>, !tile.shared<32x64xf6E2M3FN, #s>
    tile.return
  }

  // Without alignment, the bytes of a granule by ordinary loads and stores.
  // CHECK-LABEL: llvm.func @copy_bytes(
  // CHECK: "{ .reg .b16 x; mov.b16 x, 0; @$2 ld.global.b8 x, [$1]; st.shared.b8 [$0], x; @$2 ld.global.b8 x, [$1+1]; st.shared.b8 [$0+1], x; @$2 ld.global.b8 x, [$1+2]; st.shared.b8 [$0+2], x; }"
  tile.kernel @copy_bytes(%A: !tile.view<?x?xf6E2M3FN>) programs(%m, %n) over %A by [32, 64] plan {warps = 4 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf6E2M3FN, #s>
    tile.copy_async %A[%m, %n] to %p : !tile.view<?x?xf6E2M3FN>, !tile.shared<32x64xf6E2M3FN, #s>
    tile.return
  }

  // Four elements of a matrix operand's word lie in two bytes, or three.
  // CHECK-LABEL: llvm.func @load_words(
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
  // CHECK-NOT: llvm.load
  // CHECK-LABEL: llvm.func @load_words_of_six_bits(
  // CHECK-COUNT-12: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> i8
  // CHECK-NOT: llvm.load
  tile.kernel @load_words(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf4E2M1FN, #s>
    %t = tile.shared_load %p : !tile.shared<32x64xf4E2M1FN, #s> -> !tile.tile<16x32xf4E2M1FN, #operand>
    tile.return
  }
  tile.kernel @load_words_of_six_bits(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf6E3M2FN, #s>
    %t = tile.shared_load %p : !tile.shared<32x64xf6E3M2FN, #s> -> !tile.tile<16x32xf6E3M2FN, #operand>
    tile.return
  }

  // Across memory, element by element.
  // CHECK-LABEL: llvm.func @load_elements(
  // CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> i8
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tile.kernel @load_elements(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf4E2M1FN, #r>
    %t = tile.shared_load %p : !tile.shared<32x64xf4E2M1FN, #r> -> !tile.tile<16x32xf4E2M1FN, #operand>
    tile.return
  }
}
