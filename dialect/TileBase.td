// The dialect itself and the constraints that all op families share.
#ifndef DIALECT_TILEBASE_TD
#define DIALECT_TILEBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/EnumAttr.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::mlir::tile";
  let summary = "GPU kernels on tiles: values, global views, shared staging, channels";
  let description = [{
    One dialect, two levels. At the upper level values are tiles (`!tile.tile`) and views of global memory
    (`!tile.view`), and nothing is said about threads. At the lower level the same tiles carry a layout, and shared
    buffers, asynchronous copies, channels and barriers are ops too. Passes go from the first to the second; kernels
    may mix both. See dialect/README.md for the rationale.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif
