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

// CHECK-LABEL: tile.kernel @mx_view_op
tile.kernel @mx_view_op(%E: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %B: !tile.view<?x?xf4E2M1FN>, %T: !tile.view<?x?xf8E4M3FN>, %t: f32, %C: !tile.view<?x?xf8E8M0FNU, strides [1, ?]>, %I: !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>) programs(%m, %k) over %E by [64, 128] {
  // CHECK: tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
  // CHECK: tile.mx_view %B transposed, %T tensor %t : !tile.view<?x?xf4E2M1FN>, !tile.view<?x?xf8E4M3FN> -> !tile.mx_view<?x?xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale, scales row_major>
  %W = tile.mx_view %B transposed, %T tensor %t : !tile.view<?x?xf4E2M1FN>, !tile.view<?x?xf8E4M3FN> -> !tile.mx_view<?x?xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale, scales row_major>
  // CHECK: tile.mx_view %E, %C : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU, strides [1, ?]> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major>
  %Y = tile.mx_view %E, %C : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU, strides [1, ?]> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales mn_major>
  // CHECK: tile.mx_view %E, %I : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  %Z = tile.mx_view %E, %I : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
  tile.return
}

// CHECK-LABEL: tile.kernel @mx_view_op_of_rank_3
tile.kernel @mx_view_op_of_rank_3(%E: !tile.view<?x64x?xi4>, %S: !tile.view<?x?x?xbf16>) programs(%g, %m, %k) over %E by [1, 64, 128] {
  // CHECK: tile.mx_view %E transposed, %S : !tile.view<?x64x?xi4>, !tile.view<?x?x?xbf16> -> !tile.mx_view<?x?x64xi4, block 64 along 1, scale bf16, scales row_major>
  %X = tile.mx_view %E transposed, %S : !tile.view<?x64x?xi4>, !tile.view<?x?x?xbf16> -> !tile.mx_view<?x?x64xi4, block 64 along 1, scale bf16, scales row_major>
  tile.return
}
