// Registration: what the dialect consists of, and how attributes get short names in printed IR.
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

#include "dialect/TileDialect.cpp.inc"

namespace {
/// Layouts and swizzles are long and repeat; an alias at the top of the file keeps types readable.
struct TileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<LayoutAttr>(attr)) {
      os << "layout";
      return AliasResult::FinalAlias;
    }
    if (isa<SwizzleAttr>(attr)) {
      os << "swizzle";
      return AliasResult::FinalAlias;
    }
    return AliasResult::NoAlias;
  }
};
} // namespace

void TileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialect/Kernel.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Create.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Elementwise.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Reduce.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Dot.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Memory.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Microscaling.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Shared.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialect/Channel.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
  addInterfaces<TileAsmInterface>();
}

// Folded values become arith constants, also where they are tiles.
Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
