// RUN: tile-opt %s -split-input-file -verify-diagnostics

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @channel_slot_two_buffers(%read: index) programs(%i) in (%read) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // expected-error-re@+1 {{'tile.channel_slot' op expects the 1 buffers of a slot of '!tile.channel<3 x (!tile.shared<32x64xbf16, {{.*}}>)>', but got 2}}
  %h:2 = tile.channel_slot %ring[%read] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>, !tile.shared<32x64xbf16, #s>
  tile.return
}
