// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling,canonicalize,cse))' | FileCheck %s

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!I = !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>
!IV = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>

// Columns of scales are a view like another.
// CHECK-LABEL: tile.kernel @scales_mn_major
tile.kernel @scales_mn_major(%A: !E, %SA: !tile.view<?x?xf8E8M0FNU, strides [1, ?]>) programs(%m, %k) over %A by [64, 128] {
  %X = tile.mx_view %A, %SA : !E, !tile.view<?x?xf8E8M0FNU, strides [1, ?]> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major>
  // CHECK: %[[S:.*]] = tile.load %SA[%m, %{{.*}}] : !tile.view<?x?xf8E8M0FNU, strides [1, ?]> -> !tile.tile<64x4xf8E8M0FNU>
  %s = tile.load_scales %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major> -> !tile.tile<64x4xf8E8M0FNU>
  // CHECK: tile.store %[[S]], %SA[%m, %{{.*}}]
  tile.store_scales %s, %X[%m, %k] : !tile.tile<64x4xf8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major>
  tile.return
}

// 64 x 8 scales: half of 128 rows, two groups of four blocks. What the extents do not cover is code 0.
// CHECK-LABEL: tile.kernel @scales_interleaved
tile.kernel @scales_interleaved(%A: !E, %SA: !I) programs(%m, %k) over %A by [64, 256] {
  %X = tile.mx_view %A, %SA : !E, !I -> !IV
  // CHECK-DAG: %[[BLOCK:.*]] = arith.shrsi %k, %c5 : index
  // CHECK-DAG: %[[TILE:.*]] = arith.shrsi %m, %c7 : index
  // CHECK-DAG: %[[GROUP:.*]] = arith.shrsi %[[BLOCK]], %c2 : index
  // CHECK-DAG: %[[LINE:.*]] = arith.shrsi %m, %c5 : index
  // CHECK-DAG: %[[QUARTER:.*]] = arith.andi %[[LINE]], %c3 : index
  // CHECK: %[[BOX:.*]] = tile.load %SA[%[[TILE]], %[[GROUP]], %c0, %[[QUARTER]], %c0] : !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.tile<1x2x32x2x4xf8E8M0FNU>
  // CHECK: %[[TURNED:.*]] = tile.transpose %[[BOX]] permutation [0, 3, 2, 1, 4]
  // CHECK: %[[ALL:.*]] = tile.reshape %[[TURNED]] : !tile.tile<1x2x32x2x4xf8E8M0FNU> -> !tile.tile<64x8xf8E8M0FNU>
  // CHECK: %[[ROWS:.*]] = tile.dim %A, 0
  // CHECK: arith.subi %[[ROWS]], %m : index
  // CHECK: %[[KEEP:.*]] = arith.andi %{{.*}}, %{{.*}} : !tile.tile<64x8xi1>
  // CHECK: %[[S:.*]] = tile.select %[[KEEP]], %[[ALL]], %{{.*}} : !tile.tile<64x8xi1>, !tile.tile<64x8xf8E8M0FNU>
  %s = tile.load_scales %X[%m, %k] : !IV -> !tile.tile<64x8xf8E8M0FNU>
  // CHECK: %[[OUT:.*]] = tile.select %[[KEEP]], %[[S]], %{{.*}}
  // CHECK: %[[SPLIT:.*]] = tile.reshape %[[OUT]] : !tile.tile<64x8xf8E8M0FNU> -> !tile.tile<1x2x32x2x4xf8E8M0FNU>
  // CHECK: %[[BACK:.*]] = tile.transpose %[[SPLIT]] permutation [0, 3, 2, 1, 4]
  // CHECK: tile.store %[[BACK]], %SA[%[[TILE]], %[[GROUP]], %c0, %[[QUARTER]], %c0]
  tile.store_scales %s, %X[%m, %k] : !tile.tile<64x8xf8E8M0FNU>, !IV
  tile.return
}

// Whole tiles begin at line 0; where extents are known and all tiles lie within them there is no padding.
// CHECK-LABEL: tile.kernel @scales_interleaved_without_padding
tile.kernel @scales_interleaved_without_padding(%A: !tile.view<512x1024xf8E4M3FN>, %SA: !I) programs(%m, %k) over %A by [256, 128] {
  %X = tile.mx_view %A, %SA : !tile.view<512x1024xf8E4M3FN>, !I -> !tile.mx_view<512x1024xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  // CHECK: tile.load %SA[%{{.*}}, %{{.*}}, %c0, %c0, %c0] : !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.tile<2x1x32x4x4xf8E8M0FNU>
  // CHECK-NOT: tile.select
  // CHECK: tile.store
  %s = tile.load_scales %X[%m, %k] : !tile.mx_view<512x1024xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4> -> !tile.tile<256x4xf8E8M0FNU>
  tile.store_scales %s, %X[%m, %k] : !tile.tile<256x4xf8E8M0FNU>, !tile.mx_view<512x1024xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  tile.return
}

// A few rows and blocks of a group, of a right operand that is stored N x K: rows are its columns.
// CHECK-LABEL: tile.kernel @scales_interleaved_transposed
tile.kernel @scales_interleaved_transposed(%B: !E, %SB: !I, %C: !S) programs(%n, %k) over %B by [8, 64] {
  %X = tile.mx_view %B transposed, %SB : !E, !I -> !tile.mx_view<?x?xf8E4M3FN, block 32 along 0, scale f8E8M0FNU, scales interleaved_128x4>
  // CHECK-DAG: %[[LINE:.*]] = arith.andi %n, %c31 : index
  // CHECK-DAG: %[[BLOCK:.*]] = arith.shrsi %k, %c5 : index
  // CHECK-DAG: %[[IN:.*]] = arith.andi %[[BLOCK]], %c3 : index
  // CHECK: tile.load %SB[%{{.*}}, %{{.*}}, %[[LINE]], %{{.*}}, %[[IN]]] : !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.tile<1x1x8x1x2xf8E8M0FNU>
  // CHECK: %[[N:.*]] = tile.dim %B, 0
  // CHECK: arith.subi %[[N]], %n
  // CHECK: tile.select
  %s = tile.load_scales %X[%k, %n] : !tile.mx_view<?x?xf8E4M3FN, block 32 along 0, scale f8E8M0FNU, scales interleaved_128x4> -> !tile.tile<8x2xf8E8M0FNU>
  tile.store %s, %C[%n, %k] : !tile.tile<8x2xf8E8M0FNU>, !S
  tile.return
}
