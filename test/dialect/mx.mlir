// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#K = 32 : index
#BM = 64 : index
#BK = 128 : index
#B = 16 : index
!E = f4E2M1FN
!S = f8E4M3FN
!q = !tile.mx<128x64xi4, block 128 along 0, scale bf16>
!x = !tile.mx<128x128xf8E4M3FN, block 32, scale f8E8M0FNU>
!w = !tile.mx<64x256xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale>
!p = !tile.mx<[#BM, #BK] x !E, block #B, scale !S>

// CHECK-LABEL: tile.kernel @mx_of_every_family(
// CHECK-SAME: a0 = !tile.mx<128x128xf8E4M3FN, block 32, scale f8E8M0FNU>
// CHECK-SAME: a1 = !tile.mx<128x128xf8E5M2, block 32, scale f8E8M0FNU>
// CHECK-SAME: a2 = !tile.mx<128x128xf6E2M3FN, block 32, scale f8E8M0FNU>
// CHECK-SAME: a3 = !tile.mx<128x128xf6E3M2FN, block 32, scale f8E8M0FNU>
// CHECK-SAME: a4 = !tile.mx<128x128xf4E2M1FN, block 32, scale f8E8M0FNU>
// CHECK-SAME: a5 = !tile.mx<128x128xf4E2M1FN, block 16, scale f8E4M3FN>
// CHECK-SAME: a6 = !tile.mx<64x256xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale>
tile.kernel @mx_of_every_family(%n: index) programs(%i) in (%n) by [1] attributes {
  a0 = !tile.mx<128x128xf8E4M3FN, block 32, scale f8E8M0FNU>,
  a1 = !tile.mx<128x128xf8E5M2, block 32, scale f8E8M0FNU>,
  a2 = !tile.mx<128x128xf6E2M3FN, block 32, scale f8E8M0FNU>,
  a3 = !tile.mx<128x128xf6E3M2FN, block 32, scale f8E8M0FNU>,
  a4 = !tile.mx<128x128xf4E2M1FN, block 32, scale f8E8M0FNU>,
  a5 = !tile.mx<128x128xf4E2M1FN, block 16, scale f8E4M3FN>,
  a6 = !tile.mx<64x256xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale>
} {
  tile.return
}

// CHECK-LABEL: tile.kernel @mx_of_aliases(
// CHECK-SAME: a = !tile.mx<128x128xf8E4M3FN, block 32, scale f8E8M0FNU>
// CHECK-SAME: b = !tile.mx<64x256xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale>
// CHECK-SAME: c = !tile.mx<32x64xf8E5M2, block 32, scale f8E8M0FNU>
// CHECK-SAME: d = !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN>
tile.kernel @mx_of_aliases(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !x,
  b = !w,
  c = !tile.mx<[#K, #K * 2] x f8E5M2, block 32 along 1, scale f8E8M0FNU>,
  d = !p
} {
  tile.return
}

// CHECK-LABEL: tile.kernel @mx_of_integers_and_batches(
// CHECK-SAME: a0 = !tile.mx<128x64xi4, block 128 along 0, scale bf16>
// CHECK-SAME: a1 = !tile.mx<8x64xi8, block 64, scale f32>
// CHECK-SAME: a2 = !tile.mx<8x128xi8, block 32, scale f16>
// CHECK-SAME: a3 = !tile.mx<2x64x128xf6E2M3FN, block 32, scale f8E8M0FNU>
// CHECK-SAME: a4 = !tile.mx<2x128x64xf4E2M1FN, block 16 along 1, scale f8E4M3FN>
tile.kernel @mx_of_integers_and_batches(%n: index) programs(%i) in (%n) by [1] attributes {
  a0 = !q,
  a1 = !tile.mx<8x64xi8, block 64, scale f32>,
  a2 = !tile.mx<8x128xi8, block 32, scale f16>,
  a3 = !tile.mx<2x64x128xf6E2M3FN, block 32, scale f8E8M0FNU>,
  a4 = !tile.mx<2x128x64xf4E2M1FN, block 16 along 1, scale f8E4M3FN>
} {
  tile.return
}
