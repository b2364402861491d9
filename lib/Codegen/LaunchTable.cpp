/// The counterpart of LaunchHeader.cpp: the same facts, field by field, as values instead of text.
#include "lib/Codegen/LaunchTable.h"

#include "lib/Codegen/InterfaceCheck.h"

using namespace mlir::tile;
using llvm::StringRef;

/// The element type of that spelling; findHostType has accepted it.
static tilec::ElementType elementType(StringRef spelling) {
  for (int i = 0; i <= int(tilec::lastElementType); ++i)
    if (spelling == tilec::elementTypeName(tilec::ElementType(i)))
      return tilec::ElementType(i);
  return tilec::ElementType::I8;
}

void LaunchTable::Space::evaluate(const tilec::Argument *arguments, tilec::SpaceValues &values) const {
  if (predicate)
    values.applies = predicate(arguments).value != 0;
  for (size_t dim = 0; dim < extents.size(); ++dim)
    values.extents[dim] = extents[dim](arguments);
  values.workspaceBytes = workspaceBytes(arguments);
}

void LaunchTable::addArguments() {
  for (const KernelArgument &argument : kernel.arguments) {
    if (argument.dead)
      continue;
    tilec::ArgumentInfo info = {};
    info.name = argument.name.c_str();
    info.isView = argument.kind == KernelArgument::Kind::View;
    info.type = elementType(argument.elementType);
    if (info.isView) {
      info.rank = int(argument.rank());
      info.alignBytes = argument.alignBytes;
      for (size_t dim = 0; dim < argument.rank(); ++dim) {
        info.extents[dim] = argument.extents[dim].value_or(tilec::dynamicSize);
        info.strides[dim] = argument.strides[dim].value_or(tilec::dynamicSize);
      }
    }
    arguments.push_back(info);
  }
}

tilec::ImageInfo LaunchTable::describeImage(const KernelImage &image, Configuration &to) {
  std::vector<tilec::VariantInfo> &variants = to.variants.emplace_back();
  for (const KernelVariant &variant : image.variants)
    variants.push_back({variant.symbol.c_str(), variant.alignBytes, variant.maxIndex, uint32_t(variant.threads),
                        uint32_t(variant.sharedBytes), variant.registers.value_or(-1),
                        variant.spillBytes.value_or(-1),
                        {variant.alignments.data(), variant.alignments.size()}});
  ArchName arch = *parseArch(image.arch);
  tilec::ImageInfo info = {};
  info.arch = image.arch.c_str();
  info.sm = arch.sm;
  info.feature = arch.feature;
  info.ptxVersion = image.ptxVersion;
  info.minDriver = image.minDriver;
  info.cubinMinDriver = image.cubinMinDriver;
  info.variants = {variants.data(), variants.size()};
  if (!image.ptx.empty()) {
    const char *&text = to.pieces.emplace_back(image.ptx.c_str());
    tilec::CodeImage &code = to.code.emplace_back();
    code.identity = codeHash(image.ptx);
    code.pieces = &text;
    code.pieceCount = 1;
    code.size = image.ptx.size();
    info.ptx = &code;
  }
  if (!image.cubin.empty()) {
    tilec::CodeImage &code = to.code.emplace_back();
    code.identity = codeHash(StringRef(reinterpret_cast<const char *>(image.cubin.data()), image.cubin.size()));
    code.binary = image.cubin.data();
    code.size = image.cubin.size();
    info.cubin = &code;
  }
  return info;
}

llvm::Error LaunchTable::addConfiguration(const KernelConfiguration &from) {
  Configuration &to = configurations.emplace_back();
  llvm::Error error = llvm::Error::success();
  auto compiled = [&](StringRef text, ExpressionKind kind) -> IndexFunction {
    llvm::Expected<IndexFunction> function = compileExpression(text, kernel.arguments, kind);
    if (function)
      return *function;
    error = llvm::joinErrors(std::move(error), function.takeError());
    return {};
  };
  to.label = configurationLabel(from);
  if (!from.predicate.empty())
    to.space.predicate = compiled(from.predicate, ExpressionKind::Predicate);
  for (const std::string &extent : from.space.extents) {
    to.extents.push_back(extent.c_str());
    to.space.extents.push_back(compiled(extent, ExpressionKind::Index));
  }
  to.space.workspaceBytes = compiled(from.workspaceBytes, ExpressionKind::Index);
  if (error)
    return error;
  for (const KernelImage &image : from.images)
    to.images.push_back(describeImage(image, to));
  tilec::ConfigurationInfo info = {};
  info.name = to.label.c_str();
  info.predicate = from.predicate.c_str();
  info.extents = {to.extents.data(), to.extents.size()};
  info.steps = {from.space.steps.data(), from.space.steps.size()};
  info.hasWorkspace = from.workspaceBytes != "0";
  info.images = {to.images.data(), to.images.size()};
  info.evaluator = &to.space;
  infos.push_back(info);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<LaunchTable>> LaunchTable::make(KernelInterface kernel) {
  if (llvm::Error error = checkInterface(kernel))
    return error;
  std::unique_ptr<LaunchTable> result(new LaunchTable(std::move(kernel)));
  result->addArguments();
  for (const KernelConfiguration &configuration : result->kernel.configurations)
    if (llvm::Error error = result->addConfiguration(configuration))
      return error;
  result->made = {result->kernel.name.c_str(),
                  {result->arguments.data(), result->arguments.size()},
                  {result->infos.data(), result->infos.size()}};
  return result;
}
