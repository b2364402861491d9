// Tiles from and to global memory.
#ifndef DIALECT_MEMORY_TD
#define DIALECT_MEMORY_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments]> {
  let summary = "a tile of a view";
  let description = [{
    `result[i…] = view[offset + i…]`. Elements outside the view are `pad`, zero where it is left out, and are not
    read. `offsets` count elements, one per axis of the view, and are not negative. Tile and view have one element
    type and one rank. Elements narrower than a byte have no other pad than zero, and a tile has a multiple of those
    that fill whole bytes along the contiguous axis, see `!tile.view`.

    ```mlir
    %t = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
    %p = tile.load %A[%m, %n] pad %low : f32 : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
    ```
  }];
  let arguments = (ins Arg<Tile_AnyView, "", [MemRead]>:$view, Variadic<Index>:$offsets, Optional<Tile_Scalar>:$pad);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`pad` $pad^ `:` type($pad))? attr-dict `:` type($view) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "Type":$result, "Value":$view, "ValueRange":$offsets), [{
    build($_builder, $_state, result, view, offsets, Value());
  }]>];
  let extraClassDeclaration = [{
    /// Whether elements outside the view are known to be zero bits, as where the pad is left out; -0.0 has others.
    bool isZeroPad();
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "a tile into a view";
  let description = [{
    `view[offset + i…] = value[i…]`. Elements outside the view are dropped. `offsets` count elements, one per axis of
    the view, and are not negative. Tile and view have one element type and one rank.

    ```mlir
    tile.store %t, %B[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$value, Arg<Tile_AnyView, "", [MemWrite]>:$view, Variadic<Index>:$offsets);
  let assemblyFormat = "$value `,` $view `[` $offsets `]` attr-dict `:` type($value) `,` type($view)";
  let hasVerifier = 1;
}

#endif
