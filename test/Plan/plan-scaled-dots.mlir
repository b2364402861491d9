// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan))' --split-input-file | FileCheck %s
// Products with scales: warps of 64x64 where an instruction takes the scales, and of 64x32 where operands are widened, which
// needs registers beside the sums.

module attributes {tile.target = "sm_80"} {
// CHECK: tile.kernel @widened{{.*}} warps = 8 : i64, warps_m = 2 : i64, warps_n = 4 : i64}
tile.kernel @widened(%A: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %B: !tile.view<?x?xf8E4M3FN>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [128, 128] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<128x64xf8E4M3FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<128x2xf8E8M0FNU>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x128xf8E4M3FN>
  %d = tile.dot %a scaled %s by 32, %b, %zero : !tile.tile<128x64xf8E4M3FN> scaled !tile.tile<128x2xf8E8M0FNU>, !tile.tile<64x128xf8E4M3FN>, !tile.tile<128x128xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<128x128xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

module attributes {tile.target = "sm_120a"} {
// CHECK: tile.kernel @negative_native{{.*}} warps = 4 : i64, warps_m = 2 : i64, warps_n = 2 : i64}
tile.kernel @negative_native(%A: !tile.view<?x?xf8E4M3FN>, %S: !tile.view<?x?xf8E8M0FNU>, %B: !tile.view<?x?xf8E4M3FN>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [128, 128] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<128x64xf8E4M3FN>
  %s = tile.load %S[%m, %c0] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<128x2xf8E8M0FNU>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x128xf8E4M3FN>
  %d = tile.dot %a scaled %s by 32, %b, %zero : !tile.tile<128x64xf8E4M3FN> scaled !tile.tile<128x2xf8E8M0FNU>, !tile.tile<64x128xf8E4M3FN>, !tile.tile<128x128xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<128x128xf32>, !tile.view<?x?xf32>
  tile.return
}
}
