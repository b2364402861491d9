// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-LABEL: tile.kernel @channel_acquire_gives_the_buffers
tile.kernel @channel_acquire_gives_the_buffers(%write: index) programs(%i) in (%write) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // CHECK: tile.channel_acquire %{{.*}}[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #[[S]]>)> -> !tile.shared<32x64xbf16, #[[S]]>
  %w = tile.channel_acquire %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
  // CHECK: tile.channel_commit %{{.*}}[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #[[S]]>)>
  tile.channel_commit %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  %handOff = tile.channel_create : !tile.channel<1 x ()>
  // CHECK: tile.channel_acquire %{{.*}}[%write] : !tile.channel<1 x ()>
  tile.channel_acquire %handOff[%write] : !tile.channel<1 x ()>
  tile.return
}
