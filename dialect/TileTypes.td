// Types. Tiles and microscaled tiles are values; views and shared buffers are memory; channels hand slots over.
#ifndef DIALECT_TILETYPES_TD
#define DIALECT_TILETYPES_TD

include "dialect/TileBase.td"
include "dialect/TileAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_TileType : Tile_Type<"Tile", "tile", [ValueSemantics, ShapedTypeInterface]> {
  let summary = "a tile: a block of elements held by the threads of a block, with value semantics";
  let description = [{
    Extents are 1, 2, 4 or a multiple of 8; at most 2²⁰ elements; rank 1 to 5. They may be written as a list of index
    expressions over attribute aliases. The optional layout says which thread holds which element; without one the
    tile is open, and a pass assigns it.

    ```mlir
    !a = !tile.tile<128x64xbf16>
    !b = !tile.tile<[#BM, #BK floordiv 32] x f8E8M0FNU>
    !c = !tile.tile<16x8xf32, #layout>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "Type":$elementType, "LayoutAttr":$layout);
  let builders = [TypeBuilderWithInferredContext<(ins "ArrayRef<int64_t>":$shape, "Type":$elementType), [{
                    return $_get(elementType.getContext(), shape, elementType, LayoutAttr());
                  }]>,
                  TypeBuilderWithInferredContext<(ins "ArrayRef<int64_t>":$shape, "Type":$elementType,
                                                      "LayoutAttr":$layout), [{
                    return $_get(elementType.getContext(), shape, elementType, layout);
                  }]>];
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    TileType cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const;
    /// The same tile with another layout; a null attribute opens it.
    TileType withLayout(LayoutAttr layout) const { return get(getShape(), getElementType(), layout); }
    TileType withElement(Type element) const { return get(getShape(), element, getLayout()); }
    /// The layout as a value; must have one.
    Layout distribution() const;
  }];
}

def Tile_ViewType : Tile_Type<"View", "view", [ShapedTypeInterface]> {
  let summary = "global memory with a shape, strides and an alignment";
  let description = [{
    A load outside the view yields the pad value, a store outside is dropped. `?` is an extent or stride known at
    run time. Without `strides` the innermost stride is 1 and the others are dynamic (any row pitch). The last axis
    whose stride is 1 in the type is the contiguous one. `align N` promises that the base, and every step along the
    other axes, are multiples of N bytes. Views may hold more than 2³¹ elements.

    Elements narrower than a byte are packed without gaps along the contiguous axis, which they must have, the first in
    the lowest bits. Its extent, all other strides, and offsets along it are multiples of the elements that fill whole
    bytes: 2 of 4 bits, 4 of 6 bits.

    ```mlir
    !v = !tile.view<?x?xbf16>
    !w = !tile.view<?x128xf32, strides [?, 1], align 16>
    !packed = !tile.view<?x?xf4E2M1FN>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "Type":$elementType,
                        ArrayRefParameter<"int64_t">:$strides, "unsigned":$alignment);
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    ViewType cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const;
    /// Bytes that the base and all steps but the contiguous axis's are a multiple of; at least the element's size.
    unsigned alignmentInBytes() const;
    /// The last axis whose stride is 1 in the type, if there is one.
    std::optional<unsigned> contiguousAxis() const;
    /// The same view with a stronger promise.
    ViewType withAlignment(unsigned bytes) const;
    /// True where strides are those that a type without `strides` has.
    bool hasDefaultStrides() const;
  }];
}

def Tile_SharedType : Tile_Type<"Shared", "shared", [ShapedTypeInterface]> {
  let summary = "a buffer in shared memory";
  let description = [{
    Extents as those of the tile it stages. The layout says where each coordinate lies, see `#tile.swizzle`. Elements
    narrower than a byte lie as bytes would, except that each unit of 16 bytes holds its 16 elements packed at its front:
    that is what `tile.copy_async` makes of a packed view and what the unpacking matrix loads take.

    ```mlir
    !s = !tile.shared<128x64xbf16, #tile.swizzle<order = [1, 0], swizzle = 128>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "Type":$elementType, "SwizzleAttr":$swizzle);
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    SharedType cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const;
    /// Where each coordinate lies.
    SharedLayout memory() const;
    int64_t sizeInBytes() const { return memory().sizeBytes(); }
  }];
}

def Tile_ChannelType : Tile_Type<"Channel", "channel"> {
  let summary = "a ring of slots that a producer fills and a consumer reads";
  let description = [{
    Each of the `stages` slots holds one buffer of every listed type. A producer acquires a slot, fills it with any
    mix of asynchronous copies and stores, and commits it; a consumer waits for it, reads it and releases it.

    ```mlir
    !ring = !tile.channel<3 x (!tile.shared<128x32xbf16, #s>, !tile.shared<64x32xbf16, #s>)>
    ```
  }];
  let parameters = (ins "unsigned":$stages, ArrayRefParameter<"Type">:$buffers);
  let extraClassDeclaration = [{
    /// Byte offset of each buffer in a slot, and the slot's size as the last entry.
    SmallVector<int64_t> slotOffsets() const;
    int64_t sizeInBytes() const { return slotOffsets().back() * getStages(); }
    /// The largest alignment, in bytes, that a buffer of a slot needs.
    int64_t alignment() const;
  }];
}

def Tile_MxType : Tile_Type<"Mx", "mx"> {
  let summary = "a microscaled tile: elements and their block scales as one value";
  let description = [{
    Blocks of `block` consecutive elements along one axis (the dot's K; the last axis unless `along` says otherwise)
    share a scale. The families of the OCP Microscaling Formats specification v1.0, NVFP4, and integers quantised in
    groups:

    | name | element | block | scale |
    |---|---|---|---|
    | MXFP8 | f8E4M3FN, f8E5M2 | 32 | f8E8M0FNU |
    | MXFP6 | f6E2M3FN, f6E3M2FN | 32 | f8E8M0FNU |
    | MXFP4 | f4E2M1FN | 32 | f8E8M0FNU |
    | NVFP4 | f4E2M1FN | 16 | f8E4M3FN, optionally one f32 for the tensor |
    | integers | i4, i8 (signed) | 32, 64, 128 | f16, bf16, f32 |

    The scales as a tile of their own have the extents of the elements without the block axis, and then the number of
    blocks: [M, K / block] for [M, K], and [N, K / block] for [K, N] `along 0`. These must be extents of a tile. Rank 2
    or 3, the first axis of rank 3 being a batch.

    ```mlir
    !x = !tile.mx<128x128xf8E4M3FN, block 32, scale f8E8M0FNU>
    !w = !tile.mx<64x256xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale>
    !q = !tile.mx<128x64xi4, block 128 along 0, scale bf16>
    !p = !tile.mx<[#BM, #BK] x !E, block #B, scale !S>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "Type":$elementType, "unsigned":$block,
                        "unsigned":$axis, "Type":$scaleType, "bool":$tensorScale);
  let extraClassDeclaration = [{
    /// Extents of the scales: the tile's without the block axis, then the number of blocks.
    SmallVector<int64_t> scaleShape() const;
    /// The elements and the scales as tiles of their own.
    TileType elementTile() const;
    TileType scaleTile() const;
  }];
}

def Tile_MxViewType : Tile_Type<"MxView", "mx_view"> {
  let summary = "global memory of microscaled elements and their scales";
  let description = [{
    As `!tile.view` and `!tile.mx` together; `tile.mx_view` makes one from plain views. `scales` names the memory layout
    of the scales: `row_major` (one row of scales per row of elements), `mn_major` (scales of one block column
    together), or `interleaved_128x4` (tiles of 128 rows by 4 scales, as the vendor's libraries take them). A row is a
    line of elements along the block axis.

    ```mlir
    !x = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "Type":$elementType, "unsigned":$block,
                        "unsigned":$axis, "Type":$scaleType, "bool":$tensorScale, "ScaleLayout":$scales);
}

// Shared memory as an effect resource of its own, so that loads from views move across accesses to it.
def Tile_SharedMemory : Resource<"::mlir::tile::SharedMemory">;

// No C++ class is named here, so that ops print whole types, as sources write them.
def Tile_AnyTile : Type<CPred<"::llvm::isa<::mlir::tile::TileType>($_self)">, "tile">;
def Tile_AnyMx : Type<CPred<"::llvm::isa<::mlir::tile::MxType>($_self)">, "microscaled tile">;
def Tile_AnyMxView : Type<CPred<"::llvm::isa<::mlir::tile::MxViewType>($_self)">, "view of microscaled elements">;
def Tile_AnyView : Type<CPred<"::llvm::isa<::mlir::tile::ViewType>($_self)">, "view">;
def Tile_AnyShared : Type<CPred<"::llvm::isa<::mlir::tile::SharedType>($_self)">, "shared buffer">;
def Tile_AnyChannel : Type<CPred<"::llvm::isa<::mlir::tile::ChannelType>($_self)">, "channel">;
def Tile_Scalar : Type<CPred<"::llvm::isa<::mlir::IndexType, ::mlir::IntegerType, ::mlir::FloatType>($_self)">,
                       "scalar">;

#endif
