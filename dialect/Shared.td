// Lower level: tiles with a layout, shared memory, asynchronous copies and barriers.
#ifndef DIALECT_SHARED_TD
#define DIALECT_SHARED_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_RelayoutOp : Tile_Op<"relayout", [Pure]> {
  let summary = "the same tile in another layout";
  let description = [{
    `result` holds the elements of `source`. The only bridge between layouts, and between open and laid-out tiles.
    Lowered by the cheapest way that lib/Layout finds: nothing, register moves or shuffles. Where it needs shared
    memory, a pass turns it into `tile.shared_store` and `tile.shared_load` first.

    ```mlir
    %y = tile.relayout %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xf32, #rows>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "a part of a tile that each thread holds already";
  let description = [{
    `result` holds the elements of `source` that begin at `offsets`, one per dimension. Both have layouts, and each
    register of the result is a register of the source in the same thread, so that nothing moves: the lanes and warps
    of both layouts are the same, and the offsets are among those that the source's registers make.

    ```mlir
    %h = tile.slice %x at [0, 16] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xbf16, #one>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, DenseI64ArrayAttr:$offsets);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `at` $offsets attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The source's register for each register of the result; nothing where a thread lacks one.
    std::optional<SmallVector<unsigned>> registers();
  }];
}

def Tile_SharedAllocOp : Tile_Op<"shared_alloc", [MemoryEffects<[MemAlloc<Tile_SharedMemory>]>]> {
  let summary = "a buffer in shared memory";
  let description = [{
    The life of `buffer` is that of its uses; `offset`, the byte where it begins, is set when shared memory is
    allocated.

    ```mlir
    %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Tile_AnyShared:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

def Tile_SharedReshapeOp : Tile_Op<"shared_reshape", [Pure]> {
  let summary = "the same buffer under another shape";
  let description = [{
    Element `k` of `buffer` in row-major order is element `k` of the result. Both are stored row-major, without swizzle
    and padding, so no byte moves. This is how a `tile.reshape` goes that no layout can follow in registers.

    ```mlir
    %f = tile.shared_reshape %s : !tile.shared<8x96xf32, #rows> -> !tile.shared<768xf32, #line>
    ```
  }];
  let arguments = (ins Tile_AnyShared:$buffer);
  let results = (outs Tile_AnyShared:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SharedLoadOp : Tile_Op<"shared_load", [MemoryEffects<[MemRead<Tile_SharedMemory>]>]> {
  let summary = "a tile from shared memory";
  let description = [{
    Reads the tile from the elements of `buffer` that begin at `offsets`, one per dimension (all zero where they are left
    out), in the result's layout, with ldmatrix where the two layouts allow it. The buffer may be larger than the tile:
    dead positions of a layout then have a place in it. Along a dimension with an offset the layout must not have an odd
    digit, and the offset must be a multiple of its padded extent; what cannot be addressed is refused when it is lowered.

    ```mlir
    %t = tile.shared_load %s : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x64xbf16, #rows>
    %u = tile.shared_load %s at [0, 32] : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x32xbf16, #half>
    ```
  }];
  let arguments = (ins Tile_AnyShared:$buffer, OptionalAttr<DenseI64ArrayAttr>:$offsets);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$buffer (`at` $offsets^)? attr-dict `:` type($buffer) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$buffer), [{
    build($_builder, $_state, result, buffer, ::mlir::DenseI64ArrayAttr());
  }]>];
  let extraClassDeclaration = [{
    /// Where the tile begins in the buffer, one entry per dimension.
    SmallVector<int64_t> begin();
  }];
  let hasVerifier = 1;
}

def Tile_SharedStoreOp : Tile_Op<"shared_store", [MemoryEffects<[MemWrite<Tile_SharedMemory>]>]> {
  let summary = "a tile into shared memory";
  let description = [{
    Writes `value` to the first elements of `buffer`. The buffer may be larger, see `tile.shared_load`.

    ```mlir
    tile.shared_store %t, %s : !tile.tile<32x64xbf16, #rows>, !tile.shared<32x64xbf16, #s>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$value, Tile_AnyShared:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}

def Tile_CopyAsyncOp : Tile_Op<"copy_async", [MemoryEffects<[MemRead, MemWrite<Tile_SharedMemory>]>,
                                              AttrSizedOperandSegments]> {
  let summary = "starts a copy of a tile of a view into shared memory";
  let description = [{
    As `tile.load` of `view` at `offsets` with zero as pad, into `buffer`; complete when the channel's slot is waited
    for. With `if`, nothing is copied or written where the condition is false. Falls back to ordinary loads and
    stores, with a remark, where the view's alignment rules out cp.async.

    ```mlir
    tile.copy_async %A[%m, %k] to %s if %more : !tile.view<?x?xbf16>, !tile.shared<32x64xbf16, #s>
    ```
  }];
  let arguments = (ins Tile_AnyView:$view, Variadic<Index>:$offsets, Tile_AnyShared:$buffer, Optional<I1>:$condition);
  let assemblyFormat = [{
    $view `[` $offsets `]` `to` $buffer (`if` $condition^)? attr-dict `:` type($view) `,` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the view promises the four bytes of alignment that the smallest asynchronous piece needs; otherwise the
    /// copy is ordinary loads and stores, through registers.
    bool isAsynchronous();
  }];
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "all threads of the block meet";
  let description = [{
    Every shared-memory access before it happens before every one after it. Inserted from a dataflow analysis of
    shared-memory accesses, never by habit.

    ```mlir
    tile.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif
