// The list of arith and math ops that may work on tiles. Not on it: extended multiplications (they crash the
// canonicaliser on custom shaped types), casts and bitcast (tile.cast changes types), and what has no lowering.
#include "dialect/ElementwiseList.h"
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

bool tile::isElementwise(Operation *op) {
  return isa<arith::ConstantOp, arith::SelectOp,
             // integers
             arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
             arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::MaxSIOp, arith::MaxUIOp,
             arith::MinSIOp, arith::MinUIOp, arith::CmpIOp,
             // floats
             arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp,
             // functions
             math::AbsFOp, math::AbsIOp, math::AtanOp, math::Atan2Op, math::CbrtOp, math::CeilOp, math::CopySignOp,
             math::CosOp, math::SinOp, math::TanOp, math::TanhOp, math::SinhOp, math::CoshOp, math::AsinOp,
             math::AcosOp, math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op, math::ExpM1Op, math::FloorOp,
             math::FmaOp, math::LogOp, math::Log2Op, math::Log10Op, math::Log1pOp, math::PowFOp, math::RoundOp,
             math::RoundEvenOp, math::TruncOp, math::RsqrtOp, math::SqrtOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp>(op);
}

bool tile::isScalarCast(Operation *op) {
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op);
}

bool tile::isAllowedInKernel(Operation *op) {
  return isa_and_nonnull<TileDialect>(op->getDialect()) || isElementwise(op) || isScalarCast(op) ||
         isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(op);
}
