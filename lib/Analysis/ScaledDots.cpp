#include "lib/Analysis/ScaledDots.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<ElementKind> tile::elementKind(Type element, Precision precision) {
  using Kind = std::optional<ElementKind>;
  return TypeSwitch<Type, Kind>(element)
      .Case<Float64Type>([](auto) { return ElementKind::F64; })
      .Case<Float32Type>([&](auto) { return precision == Precision::TF32 ? ElementKind::TF32 : ElementKind::F32; })
      .Case<Float16Type>([](auto) { return ElementKind::F16; })
      .Case<BFloat16Type>([](auto) { return ElementKind::BF16; })
      .Case<Float8E4M3FNType>([](auto) { return ElementKind::F8E4M3; })
      .Case<Float8E5M2Type>([](auto) { return ElementKind::F8E5M2; })
      .Case<Float6E2M3FNType>([](auto) { return ElementKind::F6E2M3; })
      .Case<Float6E3M2FNType>([](auto) { return ElementKind::F6E3M2; })
      .Case<Float4E2M1FNType>([](auto) { return ElementKind::F4E2M1; })
      .Case<IntegerType>([](IntegerType type) {
        return type.getWidth() == 8 ? Kind(ElementKind::I8) : type.getWidth() == 32 ? Kind(ElementKind::I32) : Kind();
      })
      .Default([](Type) { return std::nullopt; });
}

std::optional<ScaleKind> tile::scaleKind(Type scale) {
  if (isa<Float8E8M0FNUType>(scale))
    return ScaleKind::UE8M0;
  if (isa<Float8E4M3FNType>(scale))
    return ScaleKind::UE4M3;
  return std::nullopt;
}

namespace {
/// What an instruction must take to do a product.
struct ScaledFormats {
  ElementKind lhs, rhs;
  ScaleKind scale;
  unsigned block;
};
} // namespace

/// Nothing where the sides have scales of several kinds, or formats that no instruction knows.
static std::optional<ScaledFormats> formatsOf(DotOp dot) {
  auto kindOf = [](Value scales) { return scaleKind(cast<TileType>(scales.getType()).getElementType()); };
  std::optional<ElementKind> lhs = elementKind(dot.lhsElement()), rhs = elementKind(dot.rhsElement());
  std::optional<ScaleKind> scale = kindOf(dot.getLhsScale() ? dot.getLhsScale() : dot.getRhsScale());
  unsigned block = dot.getLhsScale() ? *dot.getLhsBlock() : *dot.getRhsBlock();
  if (!lhs || !rhs || !scale)
    return std::nullopt;
  bool both = dot.getLhsScale() && dot.getRhsScale();
  if (both && (kindOf(dot.getRhsScale()) != scale || *dot.getRhsBlock() != block))
    return std::nullopt;
  // The unit scales that a side without scales is given exist as E8M0 only.
  if (!both && *scale != ScaleKind::UE8M0)
    return std::nullopt;
  return ScaledFormats{*lhs, *rhs, *scale, block};
}

const BlockScaledMma *tile::blockScaledMma(DotOp dot, const Target &target) {
  std::optional<ScaledFormats> formats = formatsOf(dot);
  return formats
             ? target.findBlockScaledMma(formats->lhs, formats->rhs, formats->scale, formats->block, dot.getPacked())
             : nullptr;
}

const BlockScaledMma *tile::blockScaledMmaOfFormats(DotOp dot, const Target &target) {
  std::optional<ScaledFormats> formats = formatsOf(dot);
  return formats ? target.findBlockScaledMma(formats->lhs, formats->rhs, formats->scale, formats->block) : nullptr;
}

std::string tile::describeFactor(Type element, Value scales) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << element;
  if (scales)
    os << " scaled by " << cast<TileType>(scales.getType()).getElementType();
  return text;
}
