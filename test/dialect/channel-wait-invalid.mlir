// RUN: tile-opt %s -split-input-file -verify-diagnostics

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @channel_wait_for_more_than_the_ring_holds(%read: index) programs(%i) in (%read) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // expected-error@+1 {{'tile.channel_wait' op expects pending to be below the channel's 3 stages, found 3}}
  %r = tile.channel_wait %ring[%read] pending 3 : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @channel_wait_negative(%read: index) programs(%i) in (%read) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // expected-error@+1 {{'tile.channel_wait' op attribute 'pending' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %r = tile.channel_wait %ring[%read] pending -1 : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
  tile.return
}

// -----

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
tile.kernel @channel_wait_two_buffers(%read: index) programs(%i) in (%read) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // expected-error-re@+1 {{'tile.channel_wait' op expects the 1 buffers of a slot of '!tile.channel<3 x (!tile.shared<32x64xbf16, {{.*}}>)>', but got 2}}
  %r:2 = tile.channel_wait %ring[%read] pending 0 : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>, !tile.shared<32x64xbf16, #s>
  tile.return
}
