// Reductions along an axis, with a combine region.
#ifndef DIALECT_REDUCE_TD
#define DIALECT_REDUCE_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ReduceOp : Tile_Op<"reduce", [RecursiveMemoryEffects, SameVariadicOperandSize,
                                       SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "combines the elements along one axis into one";
  let description = [{
    Combines all elements along `axis` with the region `combine`, which must be associative and commutative: the order
    is the compiler's, and the same for every run of one compiled kernel. Several operands of one shape are reduced
    together: the region takes one element of each on the left, one of each on the right, and yields one of each. The
    result lacks the axis; a rank-1 operand gives a scalar. `scratch` is the byte offset in shared memory where warps
    exchange partial results, set when shared memory is allocated.

    ```mlir
    %sum = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis,
                       OptionalAttr<I64Attr>:$scratch);
  let results = (outs Variadic<AnyTypeOf<[Tile_AnyTile, Tile_Scalar]>>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $operands `along` $axis attr-dict `:` type($operands) `->` type($results) `combine` ``
    custom<CombineRegion>($combine)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["ReduceOp"]>]> {
  let summary = "ends a combine region with its values";
  let description = [{
    `values` are one per operand of the reduction, of its element type.

    ```mlir
    tile.yield %c : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ (void)$_builder; (void)$_state; }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
