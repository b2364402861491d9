// Y = softmax(X) by rows of at most 1024 elements.
!v = !tile.view<?x?xf32>
!x = !tile.tile<4x1024xf32>
!s = !tile.tile<4xf32>

tile.kernel @softmax(%X: !v, %Y: !v) programs(%r) in {
      %rows = tile.dim %X, 0 : !v
      tile.extents %rows
    } by [4] {
  %c0 = arith.constant 0 : index
  %low = arith.constant 0xFF800000 : f32
  %x = tile.load %X[%r, %c0] pad %low : f32 : !v -> !x
  %max = tile.reduce %x along 1 : !x -> !s combine(%a: f32, %b: f32) {
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  %mb = tile.broadcast %max along [1] : !s -> !x
  %d = arith.subf %x, %mb : !x
  %e = math.exp %d : !x
  %sum = tile.reduce %e along 1 : !x -> !s combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %sb = tile.broadcast %sum along [1] : !s -> !x
  %o = arith.divf %e, %sb : !x
  tile.store %o, %Y[%r, %c0] : !x, !v
  tile.return
}
