// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling,canonicalize,cse))' | FileCheck %s
// RUN: sed 's/sm_120a/sm_90a/' %s | tile-opt --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling,canonicalize,cse))' | FileCheck %s --check-prefix=PLAIN

!F = !tile.view<?x?xf4E2M1FN>
!T = !tile.view<?x?xf8E4M3FN>
!X = !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN>
!W = !tile.mx<128x64xf4E2M1FN, block 16 along 0, scale f8E4M3FN>
!XV = !tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, scales row_major>
!WV = !tile.mx_view<?x?xf4E2M1FN, block 16 along 0, scale f8E4M3FN, scales row_major>
!C = !tile.tile<64x64xf32>

// PLAIN-NOT: {{tile.packed_view|pack_pairs|packed :}}
module attributes {tile.target = "sm_120a"} {

// Pairs along K are bytes of memory where K is contiguous there, on the left as it is and on the right transposed.
// CHECK-LABEL: tile.kernel @packed_along_k
tile.kernel @packed_along_k(%A: !F, %SA: !T, %B: !F, %SB: !T, %D: !tile.view<?x?xf32>, %k: index) programs(%m, %n) over %D by [64, 64] {
  %XA = tile.mx_view %A, %SA : !F, !T -> !XV
  %XB = tile.mx_view %B transposed, %SB : !F, !T -> !WV
  %zero = arith.constant dense<0.0> : !C
  // CHECK: %[[HALF:.*]] = arith.shrsi %k, %c1 : index
  // CHECK: %[[AV:.*]] = tile.packed_view %A : !tile.view<?x?xf4E2M1FN> -> !tile.view<?x?xi8>
  // CHECK: %[[A:.*]] = tile.load %[[AV]][%m, %[[HALF]]] : !tile.view<?x?xi8> -> !tile.tile<64x64xi8>
  %a = tile.mx_load %XA[%m, %k] : !XV -> !X
  // CHECK: %[[BV:.*]] = tile.packed_view %B
  // CHECK: %[[B:.*]] = tile.load %[[BV]][%n, %[[HALF]]] : !tile.view<?x?xi8> -> !tile.tile<64x64xi8>
  // CHECK: %[[BT:.*]] = tile.transpose %[[B]]
  %b = tile.mx_load %XB[%k, %n] : !WV -> !W
  // CHECK: tile.dot %[[A]] scaled %{{[^ ]*}} by 16, %[[BT]] scaled %{{[^ ]*}} by 16, %{{[^ ]*}} packed : !tile.tile<64x64xi8> scaled !tile.tile<64x8xf8E4M3FN>, !tile.tile<64x64xi8> scaled !tile.tile<64x8xf8E4M3FN>, !tile.tile<64x64xf32>
  // PLAIN: tile.dot %{{[^ ]*}} scaled %{{[^ ]*}} by 16, %{{[^ ]*}} scaled %{{[^ ]*}} by 16, %{{[^ ]*}} : !tile.tile<64x128xf4E2M1FN> scaled !tile.tile<64x8xf8E4M3FN>, !tile.tile<128x64xf4E2M1FN>
  %d = tile.dot %a, %b, %zero : !X, !W, !C
  tile.store %d, %D[%m, %n] : !C, !tile.view<?x?xf32>
  tile.return
}

// Pairs along N, and pairs of tiles that are no loads.
// CHECK-LABEL: tile.kernel @packed_along_n
tile.kernel @packed_along_n(%A: !tile.view<?x?xf32>, %B: !F, %SB: !T, %D: !tile.view<?x?xf32>, %k: index) programs(%m, %n) over %D by [64, 64] {
  %XB = tile.mx_view %B, %SB : !F, !T -> !WV
  %zero = arith.constant dense<0.0> : !C
  %x = tile.load %A[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %a = tile.quantize %x : !tile.tile<64x128xf32> -> !X
  // CHECK: %[[B:.*]] = tile.load %B[%k, %n] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<128x64xf4E2M1FN>
  %b = tile.mx_load %XB[%k, %n] : !WV -> !W
  // CHECK-DAG: %[[PA:.*]] = tile.pack_pairs %{{.*}} along 1 : !tile.tile<64x128xf4E2M1FN> -> !tile.tile<64x64xi8>
  // CHECK-DAG: %[[PB:.*]] = tile.pack_pairs %[[B]] along 0 : !tile.tile<128x64xf4E2M1FN> -> !tile.tile<64x64xi8>
  // CHECK: tile.dot %[[PA]] scaled %{{[^ ]*}} by 16, %[[PB]] scaled %{{[^ ]*}} by 16, %{{[^ ]*}} packed
  // PLAIN: tile.dot
  %d = tile.dot %a, %b, %zero : !X, !W, !C
  tile.store %d, %D[%m, %n] : !C, !tile.view<?x?xf32>
  tile.return
}

// Other pairs of formats have a byte for each element.
// CHECK-LABEL: tile.kernel @negative_packed_with_f8
tile.kernel @negative_packed_with_f8(%A: !F, %SA: !tile.view<?x?xf8E8M0FNU>, %B: !T, %SB: !tile.view<?x?xf8E8M0FNU>, %D: !tile.view<?x?xf32>, %k: index) programs(%m, %n) over %D by [64, 64] {
  %XA = tile.mx_view %A, %SA : !F, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf4E2M1FN, block 32, scale f8E8M0FNU, scales row_major>
  %XB = tile.mx_view %B transposed, %SB : !T, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32 along 0, scale f8E8M0FNU, scales row_major>
  %zero = arith.constant dense<0.0> : !C
  %a = tile.mx_load %XA[%m, %k] : !tile.mx_view<?x?xf4E2M1FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf4E2M1FN, block 32, scale f8E8M0FNU>
  %b = tile.mx_load %XB[%k, %n] : !tile.mx_view<?x?xf8E4M3FN, block 32 along 0, scale f8E8M0FNU, scales row_major> -> !tile.mx<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
  // CHECK-NOT: {{tile.packed_view|pack_pairs|packed :}}
  // CHECK: tile.dot %{{.*}} : !tile.tile<64x128xf4E2M1FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf8E4M3FN> scaled
  %d = tile.dot %a, %b, %zero : !tile.mx<64x128xf4E2M1FN, block 32, scale f8E8M0FNU>, !tile.mx<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>, !C
  tile.store %d, %D[%m, %n] : !C, !tile.view<?x?xf32>
  tile.return
}
}
