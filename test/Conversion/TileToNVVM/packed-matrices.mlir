// Matrix loads that unpack elements of 4 and 6 bits to the low bits of bytes.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
#operand = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
module attributes {tile.target = "sm_120a"} {
  // CHECK-LABEL: llvm.func @four_bits(
  // CHECK: "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64 {$0, $1, $2, $3}, [$4];"
  // CHECK-NOT: llvm.lshr
  // CHECK: llvm.return
  tile.kernel @four_bits(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf4E2M1FN, #s>
    %t = tile.shared_load %p : !tile.shared<32x64xf4E2M1FN, #s> -> !tile.tile<16x32xf4E2M1FN, #operand>
    tile.return
  }

  // CHECK-LABEL: llvm.func @six_bits(
  // CHECK: "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {$0, $1, $2, $3}, [$4];"
  // CHECK-NOT: llvm.lshr
  // CHECK: llvm.return
  tile.kernel @six_bits(%n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %p = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf6E2M3FN, #s>
    %t = tile.shared_load %p : !tile.shared<32x64xf6E2M3FN, #s> -> !tile.tile<16x32xf6E2M3FN, #operand>
    tile.return
  }
}
