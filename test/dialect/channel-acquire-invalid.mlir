// RUN: tile-opt %s -split-input-file -verify-diagnostics

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @channel_acquire_too_few_buffers(%write: index) programs(%i) in (%write) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // expected-error-re@+1 {{'tile.channel_acquire' op expects the 1 buffers of a slot of '!tile.channel<3 x (!tile.shared<32x64xbf16, {{.*}}>)>', but got 0}}
  tile.channel_acquire %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @channel_acquire_another_buffer(%write: index) programs(%i) in (%write) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // expected-error-re@+1 {{'tile.channel_acquire' op expects buffer 0 to be '!tile.shared<32x64xbf16, {{.*}}>', but got '!tile.shared<32x64xf16, {{.*}}>'}}
  %w = tile.channel_acquire %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xf16, #s>
  tile.return
}
