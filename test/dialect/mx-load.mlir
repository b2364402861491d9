// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @mx_load
tile.kernel @mx_load(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // CHECK: tile.mx_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  tile.return
}

// CHECK-LABEL: tile.kernel @mx_load_of_rank_3
tile.kernel @mx_load_of_rank_3(%E: !tile.view<?x?x?xi4>, %S: !tile.view<?x?x?xbf16>) programs(%g, %k, %n) over %E by [2, 128, 8] {
  %X = tile.mx_view %E, %S : !tile.view<?x?x?xi4>, !tile.view<?x?x?xbf16> -> !tile.mx_view<?x?x?xi4, block 64 along 1, scale bf16, scales row_major>
  // CHECK: tile.mx_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tile.mx_view<?x?x?xi4, block 64 along 1, scale bf16, scales row_major> -> !tile.mx<2x128x8xi4, block 64 along 1, scale bf16>
  %x = tile.mx_load %X[%g, %k, %n] : !tile.mx_view<?x?x?xi4, block 64 along 1, scale bf16, scales row_major> -> !tile.mx<2x128x8xi4, block 64 along 1, scale bf16>
  tile.return
}
