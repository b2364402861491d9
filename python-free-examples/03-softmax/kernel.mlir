// Y[r, :] = softmax(X[r, :]), row by row, in two forms.
//
// @softmax_row holds whole rows in registers: one read, one write, for rows of at most #BN elements.
// @softmax_online walks rows of any length in tiles of #BC columns, once for the running maximum and sum and once to
// write. Both subtract the row's maximum first, so that no exponential overflows.
#BM   = 1 : index              // rows per program of @softmax_row
#BN   = 4096 : index           // longest row of @softmax_row
#BC   = 4096 : index           // columns per step of @softmax_online
!T    = f32
!v    = !tile.view<?x?x!T>
!row  = !tile.tile<[#BM, #BN] x !T>
!x    = !tile.tile<[#BM, #BN] x f32>
!s    = !tile.tile<[#BM] x f32>
!part = !tile.tile<[1, #BC] x !T>
!p    = !tile.tile<[1, #BC] x f32>
!one  = !tile.tile<[1] x f32>

tile.kernel @softmax_row(%X: !v, %Y: !v)
    programs(%r) in {
      %rows = tile.dim %X, 0 : !v
      tile.extents %rows
    } by [#BM]
    tune {#BM in [1, 2, 4]} {
  %c0 = arith.constant 0 : index
  // Columns beyond the row's end load as -inf (1e300 is beyond every float type here), where exp gives 0: they do not
  // count in the sum.
  %pad = arith.constant -1.0e+300 : !T
  %raw = tile.load %X[%r, %c0] pad %pad : !T : !v -> !row
  %x = tile.cast %raw : !row -> !x
  %max = tile.reduce %x along 1 : !x -> !s combine(%a: f32, %b: f32) {
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %maxes = tile.broadcast %max along [1] : !s -> !x
  %d = arith.subf %x, %maxes : !x
  %e = math.exp %d fastmath<afn> : !x
  %sum = tile.reduce %e along 1 : !x -> !s combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  // One division per row instead of one per element.
  %ones = arith.constant dense<1.0> : !s
  %scale = arith.divf %ones, %sum : !s
  %scales = tile.broadcast %scale along [1] : !s -> !x
  %y = arith.mulf %e, %scales : !x
  %out = tile.cast %y : !x -> !row
  tile.store %out, %Y[%r, %c0] : !row, !v
  tile.return
}

tile.kernel @softmax_online(%X: !v, %Y: !v)
    programs(%r) in {
      %rows = tile.dim %X, 0 : !v
      tile.extents %rows
    } by [1]
    tune {#BC in [1024, 2048, 4096]} {
  %c0 = arith.constant 0 : index
  %bc = arith.constant #BC
  %N = tile.dim %X, 1 : !v
  // The lowest finite number: a maximum that starts at -inf would give (-inf) - (-inf) = NaN in rows that begin with
  // -inf. Columns beyond the end load as -inf and so count 0.
  %pad = arith.constant -1.0e+300 : !T
  %lowest = arith.constant dense<-3.40282347e+38> : !one
  %zero = arith.constant dense<0.0> : !one

  // Pass 1: the running maximum m, and the sum s of exp(x - m). When m grows, what s holds is rescaled.
  %m, %s = scf.for %k = %c0 to %N step %bc iter_args(%mOld = %lowest, %sOld = %zero) -> (!one, !one) {
    %raw = tile.load %X[%r, %k] pad %pad : !T : !v -> !part
    %x = tile.cast %raw : !part -> !p
    %max = tile.reduce %x along 1 : !p -> !one combine(%a: f32, %b: f32) {
      %c = arith.maximumf %a, %b : f32
      tile.yield %c : f32
    }
    %mNew = arith.maximumf %mOld, %max : !one
    %maxes = tile.broadcast %mNew along [1] : !one -> !p
    %d = arith.subf %x, %maxes : !p
    %e = math.exp %d fastmath<afn> : !p
    %sum = tile.reduce %e along 1 : !p -> !one combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %shrink = arith.subf %mOld, %mNew : !one
    %factor = math.exp %shrink fastmath<afn> : !one
    %kept = arith.mulf %sOld, %factor : !one
    %sNew = arith.addf %kept, %sum : !one
    scf.yield %mNew, %sNew : !one, !one
  }

  // Pass 2 reads the row again, mostly from the L2 cache, and writes it.
  %ones = arith.constant dense<1.0> : !one
  %scale = arith.divf %ones, %s : !one
  %scales = tile.broadcast %scale along [1] : !one -> !p
  %maxes = tile.broadcast %m along [1] : !one -> !p
  scf.for %k = %c0 to %N step %bc {
    %raw = tile.load %X[%r, %k] : !v -> !part
    %x = tile.cast %raw : !part -> !p
    %d = arith.subf %x, %maxes : !p
    %e = math.exp %d fastmath<afn> : !p
    %y = arith.mulf %e, %scales : !p
    %out = tile.cast %y : !p -> !part
    tile.store %out, %Y[%r, %k] : !part, !v
  }
  tile.return
}
