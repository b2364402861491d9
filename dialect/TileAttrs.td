// Attributes: how a tile lies in threads, how a shared buffer lies in memory, how a dot rounds.
#ifndef DIALECT_TILEATTRS_TD
#define DIALECT_TILEATTRS_TD

include "dialect/TileBase.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "which (register, lane, warp) holds which coordinate of a tile";
  let description = [{
    A distributed layout as lib/Layout/Layout.h defines it. Every register, lane and warp bit has a basis vector, one
    coordinate per dimension; the coordinate of an element is the XOR of the basis vectors of the set bits. An odd
    factor of an extent is a digit, named by dimension, factor and place (`register` or `warp`); it counts outermost.

    ```mlir
    #rows = #tile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
    #wide = #tile.layout<registers = [], lanes = [[1], [2], [4], [0], [0]], warps = [], digits = [0 by 13 in register]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$registers, ArrayRefParameter<"int32_t">:$lanes,
                        ArrayRefParameter<"int32_t">:$warps, ArrayRefParameter<"int32_t">:$digits, "unsigned":$rank);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "const Layout &":$layout)>];
  let extraClassDeclaration = [{
    /// The layout as a value, for a tile of these extents; nullopt (with a reason) where it does not fit them.
    std::optional<Layout> layoutFor(ArrayRef<int64_t> extents, std::string *why = nullptr) const;
  }];
}

def Tile_SwizzleAttr : Tile_Attr<"Swizzle", "swizzle"> {
  let summary = "how a shared buffer's coordinates map to addresses";
  let description = [{
    The fastest dimension (`order`'s first) is cut into slabs of up to 128 bytes, slabs outermost; inside a slab rows
    follow each other, and `swizzle` XORs address bits 4…6 with bits 7…9 as the 32-, 64- or 128-byte swizzle of the
    tensor copy engine does (then slabs have that many bytes; 16 has slabs and no XOR, 0 whole rows). `pad` bytes follow every row instead, without slabs.
    lib/Layout/SharedLayout.h has the formula.

    ```mlir
    #s = #tile.swizzle<order = [1, 0], swizzle = 128>
    #p = #tile.swizzle<order = [0, 1], pad = 16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$order, "unsigned":$swizzle, "unsigned":$pad);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "const SharedLayout &":$layout)>];
}

def Tile_Precision : I32EnumAttr<"Precision", "how a dot of f32 tiles rounds its operands", [
  I32EnumAttrCase<"IEEE", 0, "ieee">,
  I32EnumAttrCase<"TF32", 1, "tf32">
]> {
  let cppNamespace = "::mlir::tile";
  let genSpecializedAttr = 0;
}
def Tile_PrecisionAttr : EnumAttr<Tile_Dialect, Tile_Precision, "precision"> {
  let summary = "`ieee`: products of the f32 operands themselves; `tf32`: operands rounded to 10 mantissa bits";
  let assemblyFormat = "$value";
}

def Tile_ScaleLayout : I32EnumAttr<"ScaleLayout", "memory layout of block scales", [
  I32EnumAttrCase<"RowMajor", 0, "row_major">,
  I32EnumAttrCase<"MNMajor", 1, "mn_major">,
  I32EnumAttrCase<"Interleaved128x4", 2, "interleaved_128x4">
]> {
  let cppNamespace = "::mlir::tile";
  let genSpecializedAttr = 0;
}

#endif
