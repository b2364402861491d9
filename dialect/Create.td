// Making tiles and giving them another shape. Every shape op is a relabelling: no element moves between threads.
#ifndef DIALECT_CREATE_TD
#define DIALECT_CREATE_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_SplatOp : Tile_Op<"splat", [Pure, TypesMatchWith<"value has the element type of the result", "result", "value",
    "::llvm::cast<::mlir::tile::TileType>($_self).getElementType()">]> {
  let summary = "a tile whose elements are all one scalar";
  let description = [{
    `result[i…] = value`. A constant is written `arith.constant dense<…>` instead.

    ```mlir
    %t = tile.splat %s : !tile.tile<32x64xf32>
    ```
  }];
  let arguments = (ins Tile_Scalar:$value);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "each element is its own coordinate along one axis";
  let description = [{
    `result[i0, i1, …]` is the coordinate along `axis`, an i32 or i64.

    ```mlir
    %column = tile.iota 1 : !tile.tile<32x64xi32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Element `k` of `source` in row-major order is element `k` of `result`. The number of elements must agree.

    ```mlir
    %r = tile.reshape %s : !tile.tile<32x64xf32> -> !tile.tile<4x8x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "the same elements with their axes permuted";
  let description = [{
    `result[i_p(0), i_p(1), …] = source[i…]`: axis `d` of the result is axis `permutation[d]` of the source. Without
    `permutation` the last two axes are swapped. Costs nothing where a dot or a copy absorbs it. A microscaled tile has no
    transpose: its scales belong to blocks along K.

    ```mlir
    %t = tile.transpose %x : !tile.tile<32x64xf32> -> !tile.tile<64x32xf32>
    %u = tile.transpose %y permutation [2, 0, 1] : !tile.tile<2x4x8xf32> -> !tile.tile<8x2x4xf32>
    ```
  }];
  // A microscaled tile passes the constraint, so that the verifier can say why it is refused.
  let arguments = (ins AnyTypeOf<[Tile_AnyTile, Tile_AnyMx]>:$source, OptionalAttr<DenseI64ArrayAttr>:$permutation);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source (`permutation` $permutation^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The permutation, also where it is left out.
    SmallVector<int64_t> axes();
  }];
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "a tile repeated along axes";
  let description = [{
    Repeats the source along the named axes of the result. The source either lacks those axes or has extent 1 there.

    ```mlir
    %b = tile.broadcast %row along [0] : !tile.tile<64xf32> -> !tile.tile<32x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, DenseI64ArrayAttr:$axes);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `along` $axes attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ExpandOp : Tile_Op<"expand", [Pure]> {
  let summary = "new axes of extent 1";
  let description = [{
    The result has the source's axes, and axes of extent 1 at the named positions of the result.

    ```mlir
    %e = tile.expand %row at [0] : !tile.tile<64xf32> -> !tile.tile<1x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, DenseI64ArrayAttr:$axes);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `at` $axes attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif
