// RUN: tile-opt %s -split-input-file -verify-diagnostics

#rows = #tile.swizzle<order = [1, 0], swizzle = 0>
#line = #tile.swizzle<order = [0], swizzle = 0>
tile.kernel @shared_reshape_loses_elements(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<8x96xf32, #rows>
  // expected-error-re@+1 {{'tile.shared_reshape' op expects buffers of one element type and number of elements, but got '!tile.shared<8x96xf32, {{.*}}>' and '!tile.shared<512xf32, {{.*}}>'}}
  %f = tile.shared_reshape %s : !tile.shared<8x96xf32, #rows> -> !tile.shared<512xf32, #line>
  tile.return
}

// -----

#rows = #tile.swizzle<order = [1, 0], swizzle = 128>
#line = #tile.swizzle<order = [0], swizzle = 0>
tile.kernel @shared_reshape_of_a_swizzle(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<8x96xf32, #rows>
  // expected-error-re@+1 {{'tile.shared_reshape' op expects buffers in row-major order without swizzle and padding, found '!tile.shared<8x96xf32, {{.*}}>'}}
  %f = tile.shared_reshape %s : !tile.shared<8x96xf32, #rows> -> !tile.shared<768xf32, #line>
  tile.return
}

// -----

#columns = #tile.swizzle<order = [0, 1], swizzle = 0>
#line = #tile.swizzle<order = [0], swizzle = 0>
tile.kernel @shared_reshape_of_columns(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<8x96xf32, #columns>
  // expected-error-re@+1 {{'tile.shared_reshape' op expects buffers in row-major order without swizzle and padding, found '!tile.shared<8x96xf32, {{.*}}>'}}
  %f = tile.shared_reshape %s : !tile.shared<8x96xf32, #columns> -> !tile.shared<768xf32, #line>
  tile.return
}
