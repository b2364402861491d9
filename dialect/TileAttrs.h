/// Attributes of the tile dialect, documented in dialect/TileAttrs.td.
#ifndef DIALECT_TILEATTRS_H
#define DIALECT_TILEATTRS_H

#include "lib/Layout/Layout.h"
#include "lib/Layout/SharedLayout.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "dialect/TileDialect.h.inc"
#include "dialect/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/TileAttrs.h.inc"

#endif
