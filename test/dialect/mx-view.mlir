// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

!x = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>

// CHECK-LABEL: tile.kernel @mx_view_of_every_scale_layout(
// CHECK-SAME: a = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
// CHECK-SAME: b = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
// CHECK-SAME: c = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major>
// CHECK-SAME: d = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
// CHECK-SAME: e = !tile.mx_view<?x256xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale, scales interleaved_128x4>
tile.kernel @mx_view_of_every_scale_layout(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !x,
  b = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU>,
  c = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major>,
  d = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>,
  e = !tile.mx_view<?x256xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale, scales interleaved_128x4>
} {
  tile.return
}
