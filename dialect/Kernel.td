// The program: kernels, their program space, and what they know about their arguments.
#ifndef DIALECT_KERNEL_TD
#define DIALECT_KERNEL_TD

include "dialect/TileTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_KernelOp : Tile_Op<"kernel", [IsolatedFromAbove, Symbol, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a GPU kernel and the space of its programs";
  let description = [{
    The body runs once per program. Arguments are views and scalars. The program space says which programs exist, in
    terms of the arguments: `over %C by [BM, BN]` are the tiles of a view, `in (…)` lists one extent per coordinate,
    each an index argument, and `in { … }` computes the extents in a region, `space`, of `tile.dim` and pure integer
    arithmetic that ends in `tile.extents`. `by` gives the `steps`, one per coordinate. The coordinates (`%m`, `%n`)
    are element offsets: multiples of the step below the extent.

    `sym_name`, a C identifier, names the PTX entry and the launcher. `arg_names` and `coordinate_names` keep the
    names of the arguments and coordinates in the source, C identifiers too, for the header and for printing.

    `tune` lists values worth trying for parameters; it keeps the name and the present value of each. `schedule` and
    `plan` are dictionaries: what the author demands, and what the plan chose (lib/Plan lists the keys).

    A body holds ops of this dialect, `scf`, and those of `arith` and `math` that are on the list of
    dialect/ElementwiseList.h; tiles exist only inside kernels.

    ```mlir
    tile.kernel @copy(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [32, 64] {
      %t = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
      tile.store %t, %B[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$arg_names, StrArrayAttr:$coordinate_names,
                       DenseI64ArrayAttr:$steps, OptionalAttr<ArrayAttr>:$tune, OptionalAttr<DictionaryAttr>:$schedule,
                       OptionalAttr<DictionaryAttr>:$plan);
  let regions = (region AnyRegion:$body, SizedRegion<1>:$space);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The arguments of the body: first the kernel's own, then one coordinate per dimension of the program space.
    unsigned getNumKernelArguments() { return getArgNames().size(); }
    ArrayRef<BlockArgument> getKernelArguments() { return getBody().getArguments().take_front(getArgNames().size()); }
    ArrayRef<BlockArgument> getCoordinates() { return getBody().getArguments().drop_front(getArgNames().size()); }
    StringRef argumentName(unsigned index) { return cast<StringAttr>(getArgNames()[index]).getValue(); }
    /// An integer of the plan, or of what its absence means.
    int64_t planned(StringRef key, int64_t otherwise);
    /// Sets an integer of the plan.
    void setPlanned(StringRef key, int64_t value);
    /// Checks every op of the body and its types; the body's ops must have been verified by themselves.
    LogicalResult verifyBody();
    /// Refuses ops of arith that would change the type of a tile, or choose by one; looks at types only.
    LogicalResult verifyTypeChanges();
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "ends a kernel's body";
  let description = [{
    Ends the program.

    ```mlir
    tile.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_ExtentsOp : Tile_Op<"extents", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "ends a program space's region with its extents";
  let description = [{
    `extents` are index values, one per coordinate of the kernel.

    ```mlir
    tile.extents %rows, %columns
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents);
  let assemblyFormat = "$extents attr-dict";
}

def Tile_DimOp : Tile_Op<"dim", [Pure]> {
  let summary = "an extent of a view";
  let description = [{
    `extent` is extent number `axis` of `view`, counted from 0. Folds where the type says it.

    ```mlir
    %K = tile.dim %A, 1 : !tile.view<?x?xbf16>
    ```
  }];
  let arguments = (ins Tile_AnyView:$view, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs Index:$extent);
  let assemblyFormat = "$view `,` $axis attr-dict `:` type($view)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_AssumeOp : Tile_Op<"assume", [Pure]> {
  let summary = "a promise about an index value";
  let description = [{
    `result` is `value`. The program is undefined where the value is not a multiple of `divisible`, or lies outside
    the closed `range`. Used for vector widths and for 32-bit index arithmetic.

    ```mlir
    %n = tile.assume %m divisible 8 range [0, 65536]
    ```
  }];
  let arguments = (ins Index:$value, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$divisible,
                       OptionalAttr<DenseI64ArrayAttr>:$range);
  let results = (outs Index:$result);
  let assemblyFormat = "$value (`divisible` $divisible^)? (`range` $range^)? attr-dict";
  let hasVerifier = 1;
}

#endif
