// The text has no comment lines around each inline instruction.
// RUN: tilec %s -o - | FileCheck %s --implicit-check-not="inline asm"

// CHECK: ld.global
// CHECK: st.global
tile.kernel @copy(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [1024] {
  %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<1024xf32>
  tile.store %t, %B[%m] : !tile.tile<1024xf32>, !tile.view<?xf32>
  tile.return
}
