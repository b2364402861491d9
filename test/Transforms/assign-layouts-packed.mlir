// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' | FileCheck %s
// Elements narrower than a byte: 16 bytes of 4-bit ones, 12 of 6-bit ones, and never less than whole bytes.

// CHECK-DAG: [[FOUR:#.*]] = #tile.layout<registers = {{\[\[}}1], [2], [4], [8], [16]], lanes = {{\[\[}}32], [64], [128], [256], [512]], warps = {{\[\[}}1024], [2048]]>
// CHECK-DAG: [[SIX:#.*]] = #tile.layout<registers = {{\[\[}}1], [2], [4], [8], [2048]], lanes = {{\[\[}}16], [32], [64], [128], [256]], warps = {{\[\[}}512], [1024]]>
// CHECK-DAG: [[BYTES:#.*]] = #tile.layout<registers = {{\[\[}}1], [256]{{.*}}, [2048]], lanes = {{\[\[}}2], [4], [8], [16], [32]], warps = {{\[\[}}64], [128]]>
// CHECK-DAG: [[THREE:#.*]] = #tile.layout<registers = {{\[\[}}1], [2], [512]{{.*}}, [2048]], lanes = {{\[\[}}4], [8], [16], [32], [64]], warps = {{\[\[}}128], [256]]>
// CHECK-DAG: [[SMALL:#.*]] = #tile.layout<registers = {{\[\[}}0, 1]], lanes = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = {{\[\[}}0, 0], [0, 0]]>
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @vectors
tile.kernel @vectors(%A: !tile.view<?xf4E2M1FN, align 16>, %B: !tile.view<?xf6E2M3FN, align 16>, %C: !tile.view<?xi4>, %D: !tile.view<?xf6E3M2FN>) programs(%m) over %A by [4096] {
  // CHECK: tile.load %A[%m] {{.*}} -> !tile.tile<4096xf4E2M1FN, [[FOUR]]>
  %a = tile.load %A[%m] : !tile.view<?xf4E2M1FN, align 16> -> !tile.tile<4096xf4E2M1FN>
  tile.store %a, %A[%m] : !tile.tile<4096xf4E2M1FN>, !tile.view<?xf4E2M1FN, align 16>
  // CHECK: tile.load %B[%m] {{.*}} -> !tile.tile<4096xf6E2M3FN, [[SIX]]>
  %b = tile.load %B[%m] : !tile.view<?xf6E2M3FN, align 16> -> !tile.tile<4096xf6E2M3FN>
  tile.store %b, %B[%m] : !tile.tile<4096xf6E2M3FN>, !tile.view<?xf6E2M3FN, align 16>
  // CHECK: tile.load %C[%m] {{.*}} -> !tile.tile<4096xi4, [[BYTES]]>
  %c = tile.load %C[%m] : !tile.view<?xi4> -> !tile.tile<4096xi4>
  tile.store %c, %C[%m] : !tile.tile<4096xi4>, !tile.view<?xi4>
  // CHECK: tile.load %D[%m] {{.*}} -> !tile.tile<4096xf6E3M2FN, [[THREE]]>
  %d = tile.load %D[%m] : !tile.view<?xf6E3M2FN> -> !tile.tile<4096xf6E3M2FN>
  tile.store %d, %D[%m] : !tile.tile<4096xf6E3M2FN>, !tile.view<?xf6E3M2FN>
  // CHECK-NOT: tile.relayout
  // CHECK: tile.return
  tile.return
}

// Fewer bytes than threads: some hold the same.
// CHECK-LABEL: tile.kernel @small
// CHECK: tile.load {{.*}} -> !tile.tile<8x8xf4E2M1FN, [[SMALL]]>
tile.kernel @small(%A: !tile.view<?x?xf4E2M1FN>) programs(%m, %n) over %A by [8, 8] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<8x8xf4E2M1FN>
  tile.store %a, %A[%m, %n] : !tile.tile<8x8xf4E2M1FN>, !tile.view<?x?xf4E2M1FN>
  tile.return
}

// However few bytes there are, a transpose leaves no thread whole bytes of the store.
// CHECK-LABEL: tile.kernel @transposed
// CHECK: tile.transpose
// CHECK-NEXT: tile.relayout
// CHECK-NEXT: tile.store
tile.kernel @transposed(%A: !tile.view<?x?xf4E2M1FN>) programs(%m, %n) over %A by [16, 16] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<16x16xf4E2M1FN>
  %t = tile.transpose %a : !tile.tile<16x16xf4E2M1FN> -> !tile.tile<16x16xf4E2M1FN>
  tile.store %t, %A[%n, %m] : !tile.tile<16x16xf4E2M1FN>, !tile.view<?x?xf4E2M1FN>
  tile.return
}

// Codes keep the layout of what they are taken from, pairs halve it.
// CHECK-LABEL: tile.kernel @pairs
// CHECK: tile.bitcast %{{.*}} : !tile.tile<64x64xi8, [[L:#.*]]> -> !tile.tile<64x64xi4, [[L]]>
// CHECK: tile.pack_pairs %{{.*}} along 1 : !tile.tile<64x64xi4, [[WIDE:#.*]]> -> !tile.tile<64x32xi8, [[HALF:#.*]]>
tile.kernel @pairs(%A: !tile.view<?x?xi8, align 16>, %B: !tile.view<?x?xi8, align 16>) programs(%m, %n) over %B by [64, 32] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xi8, align 16> -> !tile.tile<64x64xi8>
  %c = tile.bitcast %a : !tile.tile<64x64xi8> -> !tile.tile<64x64xi4>
  %p = tile.pack_pairs %c along 1 : !tile.tile<64x64xi4> -> !tile.tile<64x32xi8>
  tile.store %p, %B[%m, %n] : !tile.tile<64x32xi8>, !tile.view<?x?xi8, align 16>
  tile.return
}
}
