// Matrix products of tiles.
#ifndef DIALECT_DOT_TD
#define DIALECT_DOT_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "a matrix product added to an accumulator";
  let description = [{
    `result[m, n] = acc[m, n] + Σ_k lhs[m, k] · rhs[k, n]`, lhs [M, K], rhs [K, N], acc [M, N].

    | lhs, rhs | acc | products |
    |---|---|---|
    | f16 or bf16, both the same | f32 | exact |
    | f8E4M3FN, f8E5M2, any pair | f32 | exact |
    | f32, `precision tf32` | f32 | of operands rounded to tf32 |
    | f32, `precision ieee` (default) | f32 | fused multiply-adds in f32 |
    | f64 | f64 | fused multiply-adds in f64 |
    | i8, signed | i32 | exact, wraps beyond 32 bits |

    Sums are in the accumulator's type; their order along K is the hardware's. `tile.transpose` on an operand that
    comes from memory costs nothing.

    ```mlir
    %d = tile.dot %a, %b, %c : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16>, !tile.tile<64x64xf32>
    %e = tile.dot %x, %y, %c precision tf32 : !tile.tile<64x32xf32>, !tile.tile<32x64xf32>, !tile.tile<64x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$lhs, Tile_AnyTile:$rhs, Tile_AnyTile:$acc,
                       DefaultValuedAttr<Tile_PrecisionAttr, "Precision::IEEE">:$precision);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`precision` $precision^)? attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

#endif
