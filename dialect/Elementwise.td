// Elementwise ops that arith and math refuse on tiles: a choice by a tile of conditions, and every change of type.
#ifndef DIALECT_ELEMENTWISE_TD
#define DIALECT_ELEMENTWISE_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_SelectOp : Tile_Op<"select", [Pure, AllTypesMatch<["trueValue", "falseValue", "result"]>]> {
  let summary = "a choice between two tiles, element by element";
  let description = [{
    `result[i…] = condition[i…] ? trueValue[i…] : falseValue[i…]`. The condition is a tile of i1 of the same shape, or
    one i1 for all.

    ```mlir
    %s = tile.select %keep, %x, %zero : !tile.tile<32x64xi1>, !tile.tile<32x64xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[I1, Tile_AnyTile]>:$condition, Tile_AnyTile:$trueValue, Tile_AnyTile:$falseValue);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "the same numbers in another element type";
  let description = [{
    `result[i…]` is `source[i…]`, converted once: float to narrower float rounds to nearest, ties to even, in one
    step; float to integer rounds toward zero; widening is exact. Between integers a cast extends (by the sign, or
    with zeros under `unsigned`) or truncates. `unsigned` also says how an integer is read or written on the way from
    or to a float.

    Overflow: without `saturate`, a float beyond the target's range becomes infinity, or NaN in a type that has no
    infinity (f8E4M3FN); with it, the largest finite number of that sign. Float to f6 or f4 and to integer types
    always saturates. NaN stays NaN; in f6 and f4, which have none, it becomes the largest finite number, and in an
    integer 0. `saturate` between integers clamps instead of truncating. Nothing rounds to f8E8M0FNU.

    Element types of 8 bits and fewer have no arithmetic: cast to a wider type, compute, cast back.

    ```mlir
    %h = tile.cast %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xbf16>
    %q = tile.cast %x saturate : !tile.tile<32x64xf32> -> !tile.tile<32x64xf8E4M3FN>
    %u = tile.cast %x unsigned : !tile.tile<32x64xf32> -> !tile.tile<32x64xi8>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, UnitAttr:$saturate, UnitAttr:$isUnsigned);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source (`saturate` $saturate^)? (`unsigned` $isUnsigned^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
