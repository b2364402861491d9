// Microscaled tiles: elements and their block scales as one value, from and to memory, made from other numbers and back.
// A pass turns every one of them into its parts, so that layouts, staging and lowering see ordinary tiles.
#ifndef DIALECT_MICROSCALING_TD
#define DIALECT_MICROSCALING_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Tile_MxViewOp : Tile_Op<"mx_view", [Pure]> {
  let summary = "elements and scales in memory as one view";
  let description = [{
    Joins a view of `elements` and a view of their `scales`, and for NVFP4 with a tensor scale an f32, `tensor`. The
    extents of `result` are those of `elements`; under `transposed` the last two are swapped, so that a matrix stored
    N x K becomes K x N with its blocks along K.

    The scales have one scale per block. `row_major` and `mn_major`: a view of the axes that are not blocked, then the
    blocks; its contiguous axis is the last, or the one before. `interleaved_128x4`: a view
    `?x?x32x4x4`, strides `[?, 512, 16, 4, 1]`, of
    [row / 128, block / 4, row mod 32, row / 32 mod 4, block mod 4], as matrix instructions and the vendor's libraries
    take scales; its first two extents are those of whole tiles of 128 rows and 4 blocks. What lies in the padding of
    such a buffer is never used.

    A last block that the elements do not fill has a scale too. Where `row_major` or `mn_major` scales have another number
    of rows or blocks than the elements need, or interleaved ones fewer, static extents are an error and the program is
    undefined for others. Both views are arguments of the kernel: once it is planned no choice between views may be left.

    ```mlir
    %X = tile.mx_view %E, %S : !tile.view<?x?xf8E4M3FN>, !tile.view<?x?xf8E8M0FNU> -> !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
    %W = tile.mx_view %B transposed, %T tensor %t : !tile.view<?x?xf4E2M1FN>, !tile.view<?x?xf8E4M3FN> -> !tile.mx_view<?x?xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale, scales row_major>
    ```
  }];
  let arguments = (ins Tile_AnyView:$elements, UnitAttr:$transposed, Tile_AnyView:$scales, Optional<F32>:$tensor);
  let results = (outs Tile_AnyMxView:$result);
  let assemblyFormat = [{
    $elements (`transposed` $transposed^)? `,` $scales (`tensor` $tensor^)? attr-dict `:`
    type($elements) `,` type($scales) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_MxLoadOp : Tile_Op<"mx_load"> {
  let summary = "a microscaled tile of a view";
  let description = [{
    `result` holds the elements of `view` that begin at `offsets`, and the scales of their blocks. Elements outside the
    view are zero, and so are scales of blocks that are outside (code 0, which is 2⁻¹²⁷ for f8E8M0FNU): whatever lies in
    the padding of an interleaved buffer is not read into a value. `offsets` count elements, one per axis, and are not
    negative; along the block axis they are multiples of the block, along the contiguous axis of packed elements of as
    many as fill whole bytes. Where scales are interleaved they are multiples of the tile's rows, at most 128, and of its
    blocks, at most 4; a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 rows, or a multiple of 1024, and 1, 2, 4, 8 or 16
    blocks, or a multiple of 32. A constant that is no such multiple is an error of the lowering; an offset that is not
    proved to be one has a remark, and `tile.assume … divisible` proves it.

    ```mlir
    %x = tile.mx_load %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
    ```
  }];
  let arguments = (ins Arg<Tile_AnyMxView, "", [MemRead]>:$view, Variadic<Index>:$offsets);
  let results = (outs Tile_AnyMx:$result);
  let assemblyFormat = "$view `[` $offsets `]` attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MxStoreOp : Tile_Op<"mx_store"> {
  let summary = "a microscaled tile into a view";
  let description = [{
    Writes the elements of `value` to `view` from `offsets` on, and the scales of their blocks where the view's scale
    layout has them. Elements outside the view are dropped, and so are scales of blocks outside; in an interleaved buffer
    scales that fall into the padding are written as code 0, so that programs over whole tiles of 128 rows and 4 blocks
    leave no byte of it unwritten. `offsets` as in `tile.mx_load`. The tensor scale is not stored: it is the view's.

    ```mlir
    tile.mx_store %x, %X[%m, %k] : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
    ```
  }];
  let arguments = (ins Tile_AnyMx:$value, Arg<Tile_AnyMxView, "", [MemWrite]>:$view, Variadic<Index>:$offsets);
  let assemblyFormat = "$value `,` $view `[` $offsets `]` attr-dict `:` type($value) `,` type($view)";
  let hasVerifier = 1;
}

def Tile_LoadScalesOp : Tile_Op<"load_scales"> {
  let summary = "the scales of a view alone";
  let description = [{
    `result` holds the scales of the blocks of `view` that begin at element `offsets`, which are those of
    `tile.mx_load`: rows, then blocks. With `tile.store_scales` this turns one scale layout into another.

    ```mlir
    %s = tile.load_scales %X[%m, %k] : !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major> -> !tile.tile<64x4xf8E8M0FNU>
    ```
  }];
  let arguments = (ins Arg<Tile_AnyMxView, "", [MemRead]>:$view, Variadic<Index>:$offsets);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$view `[` $offsets `]` attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_StoreScalesOp : Tile_Op<"store_scales"> {
  let summary = "the scales of a view alone, written";
  let description = [{
    Writes `value`, rows by blocks, as the scales of the blocks of `view` that begin at element `offsets`; padding as in
    `tile.mx_store`.

    ```mlir
    tile.store_scales %s, %X[%m, %k] : !tile.tile<64x4xf8E8M0FNU>, !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$value, Arg<Tile_AnyMxView, "", [MemWrite]>:$view, Variadic<Index>:$offsets);
  let assemblyFormat = "$value `,` $view `[` $offsets `]` attr-dict `:` type($value) `,` type($view)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def Tile_MxPackOp : Tile_Op<"mx_pack", [Pure]> {
  let summary = "elements and scales as one value";
  let description = [{
    `elements` has the extents and element type of `result`; `scales` those that the type says: rows, then blocks.
    `tensor` is the f32 of a type with a tensor scale.

    ```mlir
    %x = tile.mx_pack %e, %s : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$elements, Tile_AnyTile:$scales, Optional<F32>:$tensor);
  let results = (outs Tile_AnyMx:$result);
  let assemblyFormat = [{
    $elements `,` $scales (`tensor` $tensor^)? attr-dict `:` type($elements) `,` type($scales) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_MxUnpackOp : Tile_Op<"mx_unpack", [Pure]> {
  let summary = "the elements and the scales of a microscaled tile";
  let description = [{
    `elements` and `scales` of `value`, unchanged, and its `tensor` scale where the type has one.

    ```mlir
    %e, %s = tile.mx_unpack %x : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU>
    ```
  }];
  let arguments = (ins Tile_AnyMx:$value);
  let results = (outs Tile_AnyTile:$elements, Tile_AnyTile:$scales, Optional<F32>:$tensor);
  let assemblyFormat = [{
    $value attr-dict `:` type($value) `->` type($elements) `,` type($scales) (`,` type($tensor)^)?
  }];
  let hasVerifier = 1;
}

def Tile_QuantizeOp : Tile_Op<"quantize", [Pure]> {
  let summary = "the nearest microscaled tile";
  let description = [{
    `result` has for each block of `source` (f32, f16 or bf16) a scale, chosen from the largest magnitude in it, amax, and
    each element of `source` over that scale, rounded to nearest even, saturating. dialect/README.md has the formulas.

    - f8E8M0FNU: 2^(floor(log2 amax) - e), where 2^e is the largest power of two of the element type (OCP Microscaling
      Formats v1.0, 6.3). Elements up to twice the largest saturate; under `round_up` the scale is the least power of
      two with which none does.
    - f8E4M3FN: amax / 6 rounded to nearest even, or up; with `tensor`, a positive number, amax / 6 / tensor.
    - f16, bf16, f32: amax / 7 for i4, amax / 127 for i8.

    A block with a NaN or an infinity has a NaN as its scale and zeros as elements, so that all its values are NaN.
    A block of zeros has the least scale. `round_up` goes with f8E8M0FNU and f8E4M3FN.

    ```mlir
    %q = tile.quantize %x : !tile.tile<64x128xf32> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
    %r = tile.quantize %x round_up tensor %t : !tile.tile<64x128xf32> -> !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, UnitAttr:$roundUp, Optional<F32>:$tensor);
  let results = (outs Tile_AnyMx:$result);
  let assemblyFormat = [{
    $source (`round_up` $roundUp^)? (`tensor` $tensor^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_DequantizeOp : Tile_Op<"dequantize", [Pure]> {
  let summary = "the numbers that a microscaled tile stands for";
  let description = [{
    `result[i…]` is the element of `source` times its block's scale, computed in f32 (where it is exact within the range),
    times the tensor scale if there is one, and rounded to the result's type: f32, bf16 or f16. The sign of an f8E4M3FN
    scale is ignored, as in `tile.dot`.

    ```mlir
    %y = tile.dequantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.tile<64x128xbf16>
    ```
  }];
  let arguments = (ins Tile_AnyMx:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_RequantizeOp : Tile_Op<"requantize", [Pure]> {
  let summary = "a microscaled tile with other blocks";
  let description = [{
    `result` is `tile.quantize` of `tile.dequantize` of `source` to f32: the way to blocks along another axis, or to
    another family. It rounds a second time. `round_up` and `tensor` are those of the quantisation.

    ```mlir
    %t = tile.requantize %q : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
    ```
  }];
  let arguments = (ins Tile_AnyMx:$source, UnitAttr:$roundUp, Optional<F32>:$tensor);
  let results = (outs Tile_AnyMx:$result);
  let assemblyFormat = [{
    $source (`round_up` $roundUp^)? (`tensor` $tensor^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Parts: what the ops above become
//===----------------------------------------------------------------------===//

def Tile_BitcastOp : Tile_Op<"bitcast", [Pure]> {
  let summary = "the same bits under another element type";
  let description = [{
    Each element of `result` has the bits of that of `source`; both types have one width. Types narrower than a byte go to
    and from i8: their code in the low bits, zeros above it; on the way back the bits above are dropped.

    ```mlir
    %b = tile.bitcast %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xi32>
    %c = tile.bitcast %code : !tile.tile<32x64xi8> -> !tile.tile<32x64xf4E2M1FN>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PackPairsOp : Tile_Op<"pack_pairs", [Pure]> {
  let summary = "two elements of four bits in each byte";
  let description = [{
    `result` has half as many elements along `axis`, of type i8: element `i` holds the codes `2i`, in the low bits, and
    `2i + 1` of `source`, which has elements of four bits. Where tiles have layouts, each thread holds both halves of its
    bytes: the result's layout is the source's without the register bit that counts neighbours along `axis`.

    ```mlir
    %p = tile.pack_pairs %x along 1 : !tile.tile<64x128xf4E2M1FN> -> !tile.tile<64x64xi8>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `along` $axis attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_PackedViewOp : Tile_Op<"packed_view", [Pure]> {
  let summary = "the bytes of a view of packed elements";
  let description = [{
    `result` is the memory of `view`, whose elements have four bits, as i8: its contiguous axis has half the extent, and
    its other strides are half of those of `view`, as elements are counted in bytes.

    ```mlir
    %B = tile.packed_view %X : !tile.view<?x?xf4E2M1FN> -> !tile.view<?x?xi8>
    ```
  }];
  let arguments = (ins Tile_AnyView:$view);
  let results = (outs Tile_AnyView:$result);
  let assemblyFormat = "$view attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of the result for a view of elements of four bits.
    static ViewType packedType(ViewType view);
  }];
}

#endif
