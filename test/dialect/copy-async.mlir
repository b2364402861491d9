// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-LABEL: tile.kernel @copy_async_with_and_without_condition
tile.kernel @copy_async_with_and_without_condition(%A: !tile.view<?x?xbf16>, %more: i1) programs(%m, %k) over %A by [32, 64] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // CHECK: tile.copy_async %A[%m, %k] to %{{.*}} if %more : !tile.view<?x?xbf16>, !tile.shared<32x64xbf16, #[[S]]>
  tile.copy_async %A[%m, %k] to %s if %more : !tile.view<?x?xbf16>, !tile.shared<32x64xbf16, #s>
  // CHECK: tile.copy_async %A[%m, %k] to %{{.*}} : !tile.view<?x?xbf16>, !tile.shared<32x64xbf16, #[[S]]>
  tile.copy_async %A[%m, %k] to %s : !tile.view<?x?xbf16>, !tile.shared<32x64xbf16, #s>
  tile.return
}
