// RUN: tile-opt %s --tile-lower-relayouts | FileCheck %s

#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#same = #tile.layout<registers = [[16, 0], [0, 1], [0, 2], [0, 4]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#near = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warps = [[8, 0]]>
#far = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [8, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>

// Elements that change their warp go through shared memory.
// CHECK-LABEL: tile.kernel @between_warps
// CHECK: %[[X:[a-z0-9_]+]] = tile.load
// CHECK-NEXT: %[[S:[a-z0-9_]+]] = tile.shared_alloc : !tile.shared<32x32xf32, #[[SWIZZLE:[a-z0-9_]+]]>
// CHECK-NEXT: tile.shared_store %[[X]], %[[S]] : !tile.tile<32x32xf32, #{{[a-z0-9_]+}}>, !tile.shared<32x32xf32, #[[SWIZZLE]]>
// CHECK-NEXT: %[[Y:[a-z0-9_]+]] = tile.shared_load %[[S]] : !tile.shared<32x32xf32, #[[SWIZZLE]]> -> !tile.tile<32x32xf32, #[[FAR:[a-z0-9_]+]]>
// CHECK-NEXT: tile.store %[[Y]]
tile.kernel @between_warps(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 32] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32, #rows>
  %y = tile.relayout %x : !tile.tile<32x32xf32, #rows> -> !tile.tile<32x32xf32, #far>
  tile.store %y, %A[%m, %n] : !tile.tile<32x32xf32, #far>, !tile.view<?x?xf32>
  tile.return
}

// Bytes and conditions have buffers too.
// CHECK-LABEL: tile.kernel @conditions
// CHECK: tile.shared_alloc : !tile.shared<32x32xi1, #{{[a-z0-9_]+}}>
tile.kernel @conditions(%A: !tile.view<?x?xi1>) programs(%m, %n) over %A by [32, 32] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xi1> -> !tile.tile<32x32xi1, #rows>
  %y = tile.relayout %x : !tile.tile<32x32xi1, #rows> -> !tile.tile<32x32xi1, #far>
  tile.store %y, %A[%m, %n] : !tile.tile<32x32xi1, #far>, !tile.view<?x?xi1>
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_other_registers
// CHECK-NOT: tile.shared
// CHECK: tile.relayout
// CHECK-NOT: tile.shared
tile.kernel @negative_other_registers(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 32] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32, #rows>
  %y = tile.relayout %x : !tile.tile<32x32xf32, #rows> -> !tile.tile<32x32xf32, #same>
  tile.store %y, %A[%m, %n] : !tile.tile<32x32xf32, #same>, !tile.view<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_shuffles
// CHECK-NOT: tile.shared
// CHECK: tile.relayout
// CHECK-NOT: tile.shared
tile.kernel @negative_shuffles(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 32] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32, #rows>
  %y = tile.relayout %x : !tile.tile<32x32xf32, #rows> -> !tile.tile<32x32xf32, #near>
  tile.store %y, %A[%m, %n] : !tile.tile<32x32xf32, #near>, !tile.view<?x?xf32>
  tile.return
}

// Elements narrower than a byte go as bytes, since only copies fill packed buffers.
// CHECK-LABEL: tile.kernel @packed
// CHECK: %[[X:[a-z0-9_]+]] = tile.load
// CHECK-NEXT: %[[S:[a-z0-9_]+]] = tile.shared_alloc : !tile.shared<32x32xi8, #{{[a-z0-9_]+}}>
// CHECK-NEXT: %[[B:[a-z0-9_]+]] = tile.bitcast %[[X]] : !tile.tile<32x32xf4E2M1FN, #{{[a-z0-9_]+}}> -> !tile.tile<32x32xi8, #{{[a-z0-9_]+}}>
// CHECK-NEXT: tile.shared_store %[[B]], %[[S]]
// CHECK-NEXT: %[[L:[a-z0-9_]+]] = tile.shared_load %[[S]]
// CHECK-NEXT: %[[Y:[a-z0-9_]+]] = tile.bitcast %[[L]] : !tile.tile<32x32xi8, #{{[a-z0-9_]+}}> -> !tile.tile<32x32xf4E2M1FN, #{{[a-z0-9_]+}}>
// CHECK-NEXT: tile.store %[[Y]]
tile.kernel @packed(%A: !tile.view<?x?xf4E2M1FN>) programs(%m, %n) over %A by [32, 32] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xf4E2M1FN> -> !tile.tile<32x32xf4E2M1FN, #rows>
  %y = tile.relayout %x : !tile.tile<32x32xf4E2M1FN, #rows> -> !tile.tile<32x32xf4E2M1FN, #far>
  tile.store %y, %A[%m, %n] : !tile.tile<32x32xf4E2M1FN, #far>, !tile.view<?x?xf4E2M1FN>
  tile.return
}
