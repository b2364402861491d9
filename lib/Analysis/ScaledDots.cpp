#include "lib/Analysis/ScaledDots.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<ElementKind> tile::elementKind(Type element) {
  using Kind = std::optional<ElementKind>;
  return TypeSwitch<Type, Kind>(element)
      .Case<Float16Type>([](auto) { return ElementKind::F16; })
      .Case<BFloat16Type>([](auto) { return ElementKind::BF16; })
      .Case<Float8E4M3FNType>([](auto) { return ElementKind::F8E4M3; })
      .Case<Float8E5M2Type>([](auto) { return ElementKind::F8E5M2; })
      .Case<Float6E2M3FNType>([](auto) { return ElementKind::F6E2M3; })
      .Case<Float6E3M2FNType>([](auto) { return ElementKind::F6E3M2; })
      .Case<Float4E2M1FNType>([](auto) { return ElementKind::F4E2M1; })
      .Case<IntegerType>([](IntegerType type) { return type.getWidth() == 8 ? Kind(ElementKind::I8) : std::nullopt; })
      .Default([](Type) { return std::nullopt; });
}

static std::optional<ScaleKind> scaleKind(Value scales) {
  Type type = cast<TileType>(scales.getType()).getElementType();
  if (isa<Float8E8M0FNUType>(type))
    return ScaleKind::UE8M0;
  if (isa<Float8E4M3FNType>(type))
    return ScaleKind::UE4M3;
  return std::nullopt;
}

const BlockScaledMma *tile::blockScaledMma(DotOp dot, const Target &target) {
  std::optional<ElementKind> lhs = elementKind(dot.lhsElement()), rhs = elementKind(dot.rhsElement());
  Value scales = dot.getLhsScale() ? dot.getLhsScale() : dot.getRhsScale();
  unsigned block = dot.getLhsScale() ? *dot.getLhsBlock() : *dot.getRhsBlock();
  std::optional<ScaleKind> scale = scaleKind(scales);
  if (!lhs || !rhs || !scale)
    return nullptr;
  bool both = dot.getLhsScale() && dot.getRhsScale();
  if (both && (scaleKind(dot.getRhsScale()) != scale || *dot.getRhsBlock() != block))
    return nullptr;
  // A unit scale is exact only where it is a power of two of the other side's block.
  if (!both && *scale != ScaleKind::UE8M0)
    return nullptr;
  return target.findBlockScaledMma(*lhs, *rhs, *scale, block, dot.getPacked());
}

std::string tile::describeFactor(Type element, Value scales) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << element;
  if (scales)
    os << " scaled by " << cast<TileType>(scales.getType()).getElementType();
  return text;
}
