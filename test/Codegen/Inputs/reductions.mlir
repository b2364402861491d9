// Reductions of a [BM, BN] tile along either axis, with one and with two operands.
#BM = 8 : index
#BN = 96 : index
!T = f32
!x = !tile.tile<[#BM, #BN] x !T>
!xi = !tile.tile<[#BM, #BN] x i32>
!v = !tile.view<?x?x!T>

tile.kernel @rows(%X: !v, %Y: !tile.view<?x!T>) programs(%m) over %Y by [#BM] {
  %c0 = arith.constant 0 : index
  %x = tile.load %X[%m, %c0] : !v -> !x
  %s = tile.reduce %x along 1 : !x -> !tile.tile<[#BM] x !T> combine(%a: !T, %b: !T) {
    %c = arith.maximumf %a, %b : !T
    tile.yield %c : !T
  }
  tile.store %s, %Y[%m] : !tile.tile<[#BM] x !T>, !tile.view<?x!T>
  tile.return
}

tile.kernel @columns(%X: !v, %Y: !tile.view<?x!T>) programs(%n) over %Y by [#BN] {
  %c0 = arith.constant 0 : index
  %x = tile.load %X[%c0, %n] : !v -> !x
  %s = tile.reduce %x along 0 : !x -> !tile.tile<[#BN] x !T> combine(%a: !T, %b: !T) {
    %c = arith.addf %a, %b : !T
    tile.yield %c : !T
  }
  tile.store %s, %Y[%n] : !tile.tile<[#BN] x !T>, !tile.view<?x!T>
  tile.return
}

tile.kernel @normalised(%X: !v, %Y: !v) programs(%m, %n) over %Y by [#BM, #BN] {
  %x = tile.load %X[%m, %n] : !v -> !x
  %s = tile.reduce %x along 1 : !x -> !tile.tile<[#BM] x !T> combine(%a: !T, %b: !T) {
    %c = arith.addf %a, %b : !T
    tile.yield %c : !T
  }
  %sums = tile.broadcast %s along [1] : !tile.tile<[#BM] x !T> -> !x
  %t = tile.reduce %x along 0 : !x -> !tile.tile<[#BN] x !T> combine(%a: !T, %b: !T) {
    %c = arith.addf %a, %b : !T
    tile.yield %c : !T
  }
  %totals = tile.broadcast %t along [0] : !tile.tile<[#BN] x !T> -> !x
  %y = arith.divf %x, %sums : !x
  %z = arith.divf %y, %totals : !x
  tile.store %z, %Y[%m, %n] : !x, !v
  tile.return
}

tile.kernel @largest_and_where(%X: !v, %Y: !tile.view<?x!T>, %I: !tile.view<?xi32>) programs(%m) over %Y by [#BM] {
  %c0 = arith.constant 0 : index
  %x = tile.load %X[%m, %c0] : !v -> !x
  %where = tile.iota 1 : !xi
  %s, %i = tile.reduce %x, %where along 1 : !x, !xi -> !tile.tile<[#BM] x !T>, !tile.tile<[#BM] x i32>
      combine(%a: !T, %ai: i32, %b: !T, %bi: i32) {
    %greater = arith.cmpf ogt, %a, %b : !T
    %equal = arith.cmpf oeq, %a, %b : !T
    %before = arith.cmpi slt, %ai, %bi : i32
    %first = arith.andi %equal, %before : i1
    %left = arith.ori %greater, %first : i1
    %c = arith.select %left, %a, %b : !T
    %ci = arith.select %left, %ai, %bi : i32
    tile.yield %c, %ci : !T, i32
  }
  tile.store %s, %Y[%m] : !tile.tile<[#BM] x !T>, !tile.view<?x!T>
  tile.store %i, %I[%m] : !tile.tile<[#BM] x i32>, !tile.view<?xi32>
  tile.return
}
