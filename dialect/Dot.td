// Matrix products of tiles.
#ifndef DIALECT_DOT_TD
#define DIALECT_DOT_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_DotOp : Tile_Op<"dot", [Pure, AttrSizedOperandSegments, AllTypesMatch<["acc", "result"]>]> {
  let summary = "a matrix product added to an accumulator";
  let description = [{
    `result[m, n] = acc[m, n] + Σ_k lhs[m, k] · rhs[k, n]`, lhs [M, K], rhs [K, N], acc [M, N]; or a batch of them,
    [G, M, K], [G, K, N] and [G, M, N].

    | lhs, rhs | acc | products |
    |---|---|---|
    | f16 or bf16, both the same | f32 | exact |
    | f8E4M3FN, f8E5M2, any pair | f32 | exact |
    | microscaled floats, any pair; or one with f16, bf16, f8E4M3FN, f8E5M2 | f32 | exact, scales too |
    | microscaled i4 or i8, with f16 or bf16 | f32 | exact; the scale applies to a block's sum, in f32 |
    | f32, `precision tf32` | f32 | of operands rounded to tf32 |
    | f32, `precision ieee` (default) | f32 | fused multiply-adds in f32 |
    | f64 | f64 | fused multiply-adds in f64 |
    | i8, signed | i32 | exact, wraps beyond 32 bits |

    Sums are in the accumulator's type; their order along K is the hardware's. `tile.transpose` on an operand that
    comes from memory costs nothing. Microscaled operands have their blocks along K; dialect/README.md states the numerics.

    At the lower level a microscaled operand is a tile with its scales beside it: `lhsScale` [M, K / `lhsBlock`] and
    `rhsScale` [N, K / `rhsBlock`], element and scale types as in `!tile.mx`. Under `packed` both operands are i8, each
    byte two codes of f4E2M1FN along K, the first in the low bits.

    ```mlir
    %d = tile.dot %a, %b, %c : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16>, !tile.tile<64x64xf32>
    %e = tile.dot %x, %y, %c precision tf32 : !tile.tile<64x32xf32>, !tile.tile<32x64xf32>, !tile.tile<64x64xf32>
    %f = tile.dot %p, %q, %c : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU>, !tile.tile<64x64xf32>
    %g = tile.dot %u scaled %su by 32, %v scaled %sv by 32, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf4E2M1FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<64x64xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_AnyTile, Tile_AnyMx]>:$lhs, AnyTypeOf<[Tile_AnyTile, Tile_AnyMx]>:$rhs,
                       Tile_AnyTile:$acc, Optional<Tile_AnyTile>:$lhsScale, Optional<Tile_AnyTile>:$rhsScale,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$lhsBlock,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$rhsBlock,
                       UnitAttr:$packed, DefaultValuedAttr<Tile_PrecisionAttr, "Precision::IEEE">:$precision);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $lhs (`scaled` $lhsScale^ `by` $lhsBlock)? `,` $rhs (`scaled` $rhsScale^ `by` $rhsBlock)? `,` $acc
    (`precision` $precision^)? (`packed` $packed^)? attr-dict `:`
    type($lhs) (`scaled` type($lhsScale)^)? `,` type($rhs) (`scaled` type($rhsScale)^)? `,` type($acc)
  }];
  let builders = [OpBuilder<(ins "Type":$result, "Value":$lhs, "Value":$rhs, "Value":$acc,
                                 "PrecisionAttr":$precision), [{
    build($_builder, $_state, result, lhs, rhs, acc, Value(), Value(), IntegerAttr(), IntegerAttr(), UnitAttr(),
          precision);
  }]>];
  let extraClassDeclaration = [{
    /// Whether the operand of that number is multiplied, or scales what is: every one but acc. A value may be several.
    static bool isFactor(unsigned operandNumber) { return operandNumber != 2; }
    /// Whether the operand of that number has scales.
    static bool isScale(unsigned operandNumber) { return operandNumber > 2; }
    /// Whether an operand has scales beside it.
    bool isScaled() { return getLhsScale() || getRhsScale(); }
    /// The element type that an operand's bits stand for: f4E2M1FN under `packed`. Operands are tiles.
    Type lhsElement();
    Type rhsElement();
    /// K in elements: twice that of the tiles under `packed`. Operands are tiles.
    int64_t extentK();
  }];
  let hasVerifier = 1;
}

#endif
