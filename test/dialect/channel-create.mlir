// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
#p = #tile.swizzle<order = [0, 1], pad = 16>
// CHECK-DAG: #[[P:.*]] = #tile.swizzle<order = [0, 1], pad = 16>
// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-LABEL: tile.kernel @channel_create_of_one_two_and_no_buffers
tile.kernel @channel_create_of_one_two_and_no_buffers(%n: index) programs(%i) in (%n) by [1] {
  // CHECK: tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #[[S]]>)>
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // CHECK: tile.channel_create {offset = 1024 : i64} : !tile.channel<2 x (!tile.shared<32x64xbf16, #[[S]]>, !tile.shared<64x8xf32, #[[P]]>)>
  %pair = tile.channel_create {offset = 1024 : i64} : !tile.channel<2 x (!tile.shared<32x64xbf16, #s>, !tile.shared<64x8xf32, #p>)>
  // CHECK: tile.channel_create : !tile.channel<1 x ()>
  %handOff = tile.channel_create : !tile.channel<1 x ()>
  tile.return
}
