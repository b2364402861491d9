// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @mx_store
tile.kernel @mx_store(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>) programs(%m, %k) over %E by [64, 128] {
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  // CHECK: tile.mx_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.mx_store %x, %X[%m, %k] : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  tile.return
}
