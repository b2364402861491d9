/// The schema once more, from the reader's side: each fromJSON is the counterpart of a print function in Sidecar.cpp.
/// Code is referred to by its hash, so it is looked up in a second pass.
#include "lib/Codegen/SidecarReader.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace mlir::tile;
using llvm::StringRef;
using llvm::json::ObjectMapper;
using llvm::json::Path;
using Json = llvm::json::Value;

// The functions are found by their arguments' namespace.
namespace mlir::tile {
namespace {
/// A static value, or "?".
struct Size {
  std::optional<int64_t> value;
};

bool fromJSON(const Json &json, Size &size, Path path) {
  if (std::optional<StringRef> text = json.getAsString(); text && *text == "?")
    return true;
  size.value = json.getAsInteger();
  if (!size.value)
    path.report("expected an integer or \"?\"");
  return size.value.has_value();
}

/// The whole file.
struct Sidecar {
  int64_t version = 0;
  std::vector<KernelInterface> kernels;
  /// By hash: "ptx" or "cubin", and the text.
  std::map<std::string, std::map<std::string, std::string>> code;
};
} // namespace

static bool readSizes(ObjectMapper &map, llvm::StringLiteral key, std::vector<std::optional<int64_t>> &sizes) {
  std::vector<Size> list;
  if (!map.mapOptional(key, list))
    return false;
  for (const Size &size : list)
    sizes.push_back(size.value);
  return true;
}

static bool fromJSON(const Json &json, KernelArgument &argument, Path path) {
  ObjectMapper map(json, path);
  std::string kind;
  if (!map || !map.map("name", argument.name) || !map.map("kind", kind) || !map.map("type", argument.elementType) ||
      !readSizes(map, "extents", argument.extents) || !readSizes(map, "strides", argument.strides) ||
      !map.mapOptional("align", argument.alignBytes) || !map.mapOptional("readOnly", argument.readOnly) ||
      !map.mapOptional("dead", argument.dead) || !map.mapOptional("doc", argument.doc))
    return false;
  if (kind != "view" && kind != "scalar") {
    path.field("kind").report("expected \"view\" or \"scalar\"");
    return false;
  }
  argument.kind = kind == "view" ? KernelArgument::Kind::View : KernelArgument::Kind::Scalar;
  return true;
}

static bool fromJSON(const Json &json, KernelVariant &variant, Path path) {
  ObjectMapper map(json, path);
  int64_t threads = 0;
  std::optional<int64_t> registers, spillBytes;
  if (!map || !map.map("symbol", variant.symbol) || !map.map("align", variant.alignBytes) ||
      !map.mapOptional("alignments", variant.alignments) || !map.mapOptional("maxIndex", variant.maxIndex) ||
      !map.map("threads", threads) ||
      !map.map("sharedBytes", variant.sharedBytes) || !map.mapOptional("registers", registers) ||
      !map.mapOptional("spillBytes", spillBytes))
    return false;
  variant.threads = int32_t(threads);
  if (registers)
    variant.registers = int32_t(*registers);
  if (spillBytes)
    variant.spillBytes = int32_t(*spillBytes);
  return true;
}

static bool fromJSON(const Json &json, KernelImage &image, Path path) {
  ObjectMapper map(json, path);
  int64_t version = 0, driver = 0, cubinDriver = 0;
  std::string cubin;
  if (!map || !map.map("arch", image.arch) || !map.map("ptxVersion", version) ||
      !map.mapOptional("minDriver", driver) || !map.mapOptional("cubinMinDriver", cubinDriver) ||
      !map.mapOptional("ptx", image.ptx) || !map.mapOptional("cubin", cubin) || !map.map("variants", image.variants))
    return false;
  image.ptxVersion = int32_t(version);
  image.minDriver = int32_t(driver);
  image.cubinMinDriver = int32_t(cubinDriver);
  // The hash, until the code is known.
  image.cubin.assign(cubin.begin(), cubin.end());
  return true;
}

static bool fromJSON(const Json &json, ProgramSpace &space, Path path) {
  ObjectMapper map(json, path);
  return map && map.map("extents", space.extents) && map.map("steps", space.steps);
}

static bool fromJSON(const Json &json, KernelConfiguration &configuration, Path path) {
  ObjectMapper map(json, path);
  std::map<std::string, std::string> parameters;
  if (!map || !map.map("name", configuration.name) || !map.map("parameters", parameters) ||
      !map.mapOptional("predicate", configuration.predicate) || !map.map("space", configuration.space) ||
      !map.map("workspaceBytes", configuration.workspaceBytes) || !map.map("images", configuration.images))
    return false;
  for (const auto &[name, value] : parameters)
    configuration.parameters.push_back({name, value});
  return true;
}

static bool fromJSON(const Json &json, KernelInterface &kernel, Path path) {
  ObjectMapper map(json, path);
  return map && map.map("name", kernel.name) && map.mapOptional("doc", kernel.doc) &&
         map.map("arguments", kernel.arguments) && map.map("configurations", kernel.configurations);
}
static bool fromJSON(const Json &json, Sidecar &sidecar, Path path) {
  ObjectMapper map(json, path);
  return map && map.map("tilec", sidecar.version) && map.map("kernels", sidecar.kernels) &&
         map.mapOptional("code", sidecar.code);
}
} // namespace mlir::tile

/// The code that stands under the hash, or nothing.
static std::string takeCode(const Sidecar &sidecar, const std::string &hash, const char *kind) {
  auto entry = sidecar.code.find(hash);
  if (entry == sidecar.code.end())
    return {};
  auto text = entry->second.find(kind);
  return text == entry->second.end() ? std::string() : text->second;
}

llvm::Expected<std::vector<KernelInterface>> mlir::tile::readSidecar(StringRef text) {
  llvm::Expected<Json> json = llvm::json::parse(text);
  if (!json)
    return json.takeError();
  Sidecar sidecar;
  Path::Root root("sidecar");
  if (!fromJSON(*json, sidecar, root))
    return root.getError();
  if (sidecar.version != 1)
    return llvm::createStringError("sidecar of version " + llvm::Twine(sidecar.version) + ", expected version 1");
  for (KernelInterface &kernel : sidecar.kernels)
    for (KernelConfiguration &configuration : kernel.configurations)
      for (KernelImage &image : configuration.images) {
        image.ptx = takeCode(sidecar, image.ptx, "ptx");
        std::vector<char> bytes;
        std::string encoded = takeCode(sidecar, std::string(image.cubin.begin(), image.cubin.end()), "cubin");
        if (llvm::Error error = llvm::decodeBase64(encoded, bytes))
          return error;
        image.cubin.assign(bytes.begin(), bytes.end());
      }
  return sidecar.kernels;
}
