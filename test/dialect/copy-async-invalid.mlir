// RUN: tile-opt %s -split-input-file -verify-diagnostics

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @copy_async_another_element(%A: !tile.view<?x?xf16>) programs(%m, %k) over %A by [32, 64] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // expected-error-re@+1 {{'tile.copy_async' op expects view and buffer to have one rank and element type, but got '!tile.view<?x?xf16>' and '!tile.shared<32x64xbf16, {{.*}}>'}}
  tile.copy_async %A[%m, %k] to %s : !tile.view<?x?xf16>, !tile.shared<32x64xbf16, #s>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @copy_async_too_few_offsets(%A: !tile.view<?x?xbf16>) programs(%m, %k) over %A by [32, 64] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // expected-error@+1 {{'tile.copy_async' op expects one offset per axis of the view, got 1 for rank 2}}
  tile.copy_async %A[%m] to %s : !tile.view<?x?xbf16>, !tile.shared<32x64xbf16, #s>
  tile.return
}
