#include "lib/Codegen/InterfaceCheck.h"

#include "lib/Codegen/IndexExpression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/xxhash.h"

using namespace mlir::tile;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

/// Views have at most this rank on the host (tilec::maxRank).
static constexpr size_t maxHostRank = 8;

/// Threads of a block (CUDA programming guide, compute capabilities).
static constexpr int maxThreads = 1024;

static constexpr HostType hostTypes[] = {
    {"i1", "I1", "bool", 8, 1},
    {"i4", "I4", "::tilec::i4", 4, 0},
    {"i8", "I8", "::std::int8_t", 8, 1},
    {"i16", "I16", "::std::int16_t", 16, 2},
    {"i32", "I32", "::std::int32_t", 32, 4},
    {"i64", "I64", "::std::int64_t", 64, 8},
    {"index", "Index", "::std::int64_t", 64, 8},
    {"f16", "F16", "::tilec::f16", 16, 2},
    {"bf16", "BF16", "::tilec::bf16", 16, 2},
    {"tf32", "TF32", "::tilec::tf32", 32, 0},
    {"f32", "F32", "float", 32, 4},
    {"f64", "F64", "double", 64, 8},
    {"f8E4M3FN", "F8E4M3FN", "::tilec::f8e4m3", 8, 1},
    {"f8E5M2", "F8E5M2", "::tilec::f8e5m2", 8, 1},
    {"f8E8M0FNU", "F8E8M0FNU", "::tilec::f8e8m0", 8, 1},
    {"f6E2M3FN", "F6E2M3FN", "::tilec::f6e2m3", 6, 0},
    {"f6E3M2FN", "F6E3M2FN", "::tilec::f6e3m2", 6, 0},
    {"f4E2M1FN", "F4E2M1FN", "::tilec::f4e2m1", 4, 0},
};

const HostType *mlir::tile::findHostType(StringRef spelling) {
  const HostType *found = llvm::find_if(hostTypes, [&](const HostType &type) { return type.spelling == spelling; });
  return found == std::end(hostTypes) ? nullptr : found;
}

std::optional<ArchName> mlir::tile::parseArch(StringRef arch) {
  ArchName name;
  if (!arch.consume_front("sm_"))
    return std::nullopt;
  if (arch.ends_with("a") || arch.ends_with("f")) {
    name.feature = arch.back();
    arch = arch.drop_back();
  }
  if (arch.getAsInteger(10, name.sm) || name.sm <= 0)
    return std::nullopt;
  return name;
}

std::string mlir::tile::configurationLabel(const KernelConfiguration &configuration) {
  if (!configuration.name.empty())
    return configuration.name;
  if (configuration.parameters.empty())
    return "default";
  return llvm::join(
      llvm::map_range(configuration.parameters, [](const KernelParameter &p) { return p.name + "=" + p.value; }), ",");
}

uint64_t mlir::tile::codeHash(StringRef bytes) {
  uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef(bytes.bytes_begin(), bytes.size()));
  return hash ? hash : 1;
}

static Error checkArgument(const KernelArgument &argument, llvm::StringSet<> &names) {
  auto wrong = [&](const Twine &reason) {
    return llvm::createStringError("argument '" + argument.name + "': " + reason);
  };
  if (!names.insert(argument.name).second)
    return wrong("the name occurs twice");
  if (argument.dead)
    return Error::success();
  const HostType *type = findHostType(argument.elementType);
  if (!type)
    return wrong("type '" + Twine(argument.elementType) + "' has no counterpart on the host");
  if (argument.kind == KernelArgument::Kind::Scalar)
    return type->scalarBytes ? Error::success() : wrong("a scalar cannot have type " + argument.elementType);
  if (argument.extents.size() != argument.strides.size())
    return wrong("has " + Twine(argument.extents.size()) + " extents and " + Twine(argument.strides.size()) +
                 " strides");
  if (argument.rank() > maxHostRank)
    return wrong("has rank " + Twine(argument.rank()) + ", expected <= " + Twine(maxHostRank));
  if (argument.alignBytes < 0)
    return wrong("has alignment " + Twine(argument.alignBytes) + ", expected >= 0");
  for (const auto &sizes : {argument.extents, argument.strides})
    for (std::optional<int64_t> size : sizes)
      if (size && *size < 0)
        return wrong("has a static size " + Twine(*size) + ", expected >= 0");
  if (type->bits < 8 && !llvm::is_contained(argument.strides, std::optional<int64_t>(1)))
    return wrong("has packed elements of " + Twine(type->bits) + " bits, expected a stride declared as 1");
  return Error::success();
}

static Error checkImage(const KernelImage &image, const std::vector<KernelArgument> &arguments) {
  auto wrong = [&](const Twine &reason) { return llvm::createStringError("image " + image.arch + ": " + reason); };
  if (!parseArch(image.arch))
    return llvm::createStringError("target '" + image.arch + "', expected a name such as sm_80 or sm_90a");
  if (image.ptx.empty() && image.cubin.empty())
    return wrong("has neither PTX nor a cubin");
  if (image.ptx.find('\0') != std::string::npos)
    return wrong("the PTX holds a zero byte");
  if (image.variants.empty())
    return wrong("has no variants");
  for (const KernelVariant &variant : image.variants) {
    if (variant.symbol.empty())
      return wrong("a variant has no symbol");
    if (variant.threads <= 0 || variant.threads > maxThreads)
      return wrong("variant '" + Twine(variant.symbol) + "' has " + Twine(variant.threads) +
                   " threads, expected 1 to " + Twine(maxThreads));
    size_t alive = llvm::count_if(arguments, [](const KernelArgument &argument) { return !argument.dead; });
    if (!variant.alignments.empty() && variant.alignments.size() != alive)
      return wrong("variant '" + Twine(variant.symbol) + "' has " + Twine(variant.alignments.size()) +
                   " alignments, expected one for each of " + Twine(alive) + " arguments");
    if (variant.alignBytes < 0 || variant.sharedBytes < 0 || variant.sharedBytes > INT32_MAX)
      return wrong("variant '" + Twine(variant.symbol) + "' has alignment " + Twine(variant.alignBytes) + " and " +
                   Twine(variant.sharedBytes) + " bytes of shared memory, expected >= 0");
  }
  return Error::success();
}

static Error checkExpressions(const KernelConfiguration &configuration, const std::vector<KernelArgument> &arguments) {
  auto check = [&](StringRef text, ExpressionKind kind) {
    return translateExpression(text, arguments, kind).takeError();
  };
  if (!configuration.predicate.empty())
    if (Error error = check(configuration.predicate, ExpressionKind::Predicate))
      return error;
  if (Error error = check(configuration.workspaceBytes, ExpressionKind::Index))
    return error;
  for (const std::string &extent : configuration.space.extents)
    if (Error error = check(extent, ExpressionKind::Index))
      return error;
  return Error::success();
}

static Error checkConfiguration(const KernelConfiguration &configuration,
                                const std::vector<KernelArgument> &arguments) {
  const ProgramSpace &space = configuration.space;
  if (space.extents.size() != space.steps.size() || space.extents.size() > maxHostRank)
    return llvm::createStringError("the program space has " + Twine(space.extents.size()) + " extents and " +
                                   Twine(space.steps.size()) + " steps, expected as many of both and at most " +
                                   Twine(maxHostRank));
  for (int64_t step : space.steps)
    if (step <= 0)
      return llvm::createStringError("the program space has step " + Twine(step) + ", expected > 0");
  if (Error error = checkExpressions(configuration, arguments))
    return error;
  if (configuration.images.empty())
    return llvm::createStringError("has no images");
  for (const KernelImage &image : configuration.images)
    if (Error error = checkImage(image, arguments))
      return error;
  return Error::success();
}

Error mlir::tile::checkInterface(const KernelInterface &kernel) {
  auto inKernel = [&](const Twine &where, Error error) {
    return llvm::createStringError("kernel '" + kernel.name + "'" + where + ": " + llvm::toString(std::move(error)));
  };
  llvm::StringSet<> names;
  for (const KernelArgument &argument : kernel.arguments)
    if (Error error = checkArgument(argument, names))
      return inKernel("", std::move(error));
  if (kernel.configurations.empty())
    return llvm::createStringError("kernel '" + kernel.name + "' has no configurations");
  for (const KernelConfiguration &configuration : kernel.configurations)
    if (Error error = checkConfiguration(configuration, kernel.arguments))
      return inKernel(", configuration '" + configurationLabel(configuration) + "'", std::move(error));
  return Error::success();
}
