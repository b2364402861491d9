// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#layout = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#wide = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [0]], warps = [], digits = [0 by 13 in register]>
// CHECK-DAG: #[[L:.*]] = #tile.layout<registers = {{\[\[}}0, 1], [8, 0]], lanes = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
// CHECK-DAG: #[[W:.*]] = #tile.layout<registers = [], lanes = {{\[\[}}1], [2], [4], [8], [0]], warps = [], digits = [0 by 13 in register]>

#BM = 128 : index
#BK = 64 : index
!a = !tile.tile<128x64xbf16>
!b = !tile.tile<[#BM, #BK floordiv 32] x f8E8M0FNU>
!c = !tile.tile<16x8xf32, #layout>

// CHECK-LABEL: tile.kernel @tile_of_every_element(
// CHECK-SAME: a00 = !tile.tile<8xi1>
// CHECK-SAME: a01 = !tile.tile<8xi8>
// CHECK-SAME: a02 = !tile.tile<8xi16>
// CHECK-SAME: a03 = !tile.tile<8xi32>
// CHECK-SAME: a04 = !tile.tile<8xi64>
// CHECK-SAME: a05 = !tile.tile<8xf16>
// CHECK-SAME: a06 = !tile.tile<8xbf16>
// CHECK-SAME: a07 = !tile.tile<8xf32>
// CHECK-SAME: a08 = !tile.tile<8xf64>
// CHECK-SAME: a09 = !tile.tile<8xf8E4M3FN>
// CHECK-SAME: a10 = !tile.tile<8xf8E5M2>
// CHECK-SAME: a11 = !tile.tile<8xf8E8M0FNU>
// CHECK-SAME: a12 = !tile.tile<8xf6E2M3FN>
// CHECK-SAME: a13 = !tile.tile<8xf6E3M2FN>
// CHECK-SAME: a14 = !tile.tile<8xf4E2M1FN>
tile.kernel @tile_of_every_element(%n: index) programs(%i) in (%n) by [1] attributes {
  a00 = !tile.tile<8xi1>,
  a01 = !tile.tile<8xi8>,
  a02 = !tile.tile<8xi16>,
  a03 = !tile.tile<8xi32>,
  a04 = !tile.tile<8xi64>,
  a05 = !tile.tile<8xf16>,
  a06 = !tile.tile<8xbf16>,
  a07 = !tile.tile<8xf32>,
  a08 = !tile.tile<8xf64>,
  a09 = !tile.tile<8xf8E4M3FN>,
  a10 = !tile.tile<8xf8E5M2>,
  a11 = !tile.tile<8xf8E8M0FNU>,
  a12 = !tile.tile<8xf6E2M3FN>,
  a13 = !tile.tile<8xf6E3M2FN>,
  a14 = !tile.tile<8xf4E2M1FN>
} {
  tile.return
}

// CHECK-LABEL: tile.kernel @tile_of_every_rank(
// CHECK-SAME: a = !tile.tile<1xf32>
// CHECK-SAME: b = !tile.tile<2x4xf32>
// CHECK-SAME: c = !tile.tile<1x8x16xf32>
// CHECK-SAME: d = !tile.tile<2x2x2x2xf32>
// CHECK-SAME: e = !tile.tile<1x1x1x1x1xf32>
tile.kernel @tile_of_every_rank(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !tile.tile<1xf32>,
  b = !tile.tile<2x4xf32>,
  c = !tile.tile<1x8x16xf32>,
  d = !tile.tile<2x2x2x2xf32>,
  e = !tile.tile<1x1x1x1x1xf32>
} {
  tile.return
}

// CHECK-LABEL: tile.kernel @tile_extents_need_not_be_powers_of_two(
// CHECK-SAME: a = !tile.tile<96x160xf16>
// CHECK-SAME: b = !tile.tile<176x208xf16>
// CHECK-SAME: c = !tile.tile<1048576xi1>
tile.kernel @tile_extents_need_not_be_powers_of_two(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !tile.tile<96x160xf16>,
  b = !tile.tile<176x208xf16>,
  c = !tile.tile<1048576xi1>
} {
  tile.return
}

// CHECK-LABEL: tile.kernel @tile_in_a_layout(
// CHECK-SAME: a = !tile.tile<16x8xf32, #[[L]]>
// CHECK-SAME: b = !tile.tile<208xf16, #[[W]]>
tile.kernel @tile_in_a_layout(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !tile.tile<16x8xf32, #layout>,
  b = !tile.tile<208xf16, #wide>
} {
  tile.return
}

// CHECK-LABEL: tile.kernel @tile_of_aliases(
// CHECK-SAME: a = !tile.tile<128x64xbf16>
// CHECK-SAME: b = !tile.tile<128x2xf8E8M0FNU>
tile.kernel @tile_of_aliases(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !a,
  b = !b
} {
  tile.return
}
