#include "lib/Codegen/Sidecar.h"

#include "lib/Codegen/InterfaceCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tile;
using llvm::StringRef;

/// Version of the schema; raised when a reader of the former one would be wrong.
static constexpr int schemaVersion = 1;

namespace {
class SidecarPrinter {
public:
  explicit SidecarPrinter(llvm::raw_ostream &os) : json(os, /*IndentSize=*/2) {}

  void print(const std::vector<KernelInterface> &kernels, const SidecarOptions &options);

private:
  void printKernel(const KernelInterface &kernel);
  void printArgument(const KernelArgument &argument);
  void printConfiguration(const KernelConfiguration &configuration, const std::vector<KernelArgument> &arguments);
  void printEntryParameters(const KernelConfiguration &configuration, const std::vector<KernelArgument> &arguments);
  void printImage(const KernelImage &image);
  void printVariant(const KernelVariant &variant);
  void printCode(const std::vector<KernelInterface> &kernels);

  /// JSON strings must be UTF-8; other bytes become U+FFFD.
  void text(StringRef key, StringRef value) { json.attribute(key, llvm::json::fixUTF8(value)); }
  void optionalText(StringRef key, StringRef value) {
    if (!value.empty())
      text(key, value);
  }
  void sizes(StringRef key, const std::vector<std::optional<int64_t>> &values) {
    json.attributeArray(key, [&] {
      for (std::optional<int64_t> value : values)
        if (value)
          json.value(*value);
        else
          json.value("?");
    });
  }

  llvm::json::OStream json;
};
} // namespace

static std::string hashText(StringRef bytes) { return llvm::utohexstr(codeHash(bytes), /*LowerCase=*/true, 16); }

static StringRef bytesOf(const std::vector<uint8_t> &bytes) {
  return StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

void SidecarPrinter::printArgument(const KernelArgument &argument) {
  bool isView = argument.kind == KernelArgument::Kind::View;
  json.object([&] {
    text("name", argument.name);
    text("kind", isView ? "view" : "scalar");
    text("type", argument.elementType);
    if (isView) {
      sizes("extents", argument.extents);
      sizes("strides", argument.strides);
      if (argument.alignBytes)
        json.attribute("align", argument.alignBytes);
      json.attribute("readOnly", argument.readOnly);
    }
    json.attribute("dead", argument.dead);
    optionalText("doc", argument.doc);
  });
}

void SidecarPrinter::printEntryParameters(const KernelConfiguration &configuration,
                                          const std::vector<KernelArgument> &arguments) {
  auto parameter = [&](StringRef type, StringRef of, StringRef is, std::optional<int64_t> dim = {}) {
    json.object([&] {
      text("type", type);
      optionalText("of", of);
      text("is", is);
      if (dim)
        json.attribute("dim", *dim);
    });
  };
  auto dynamicSizes = [&](const KernelArgument &argument, StringRef is,
                          const std::vector<std::optional<int64_t>> &values) {
    for (size_t dim = 0; dim < values.size(); ++dim)
      if (!values[dim])
        parameter("i64", argument.name, is, static_cast<int64_t>(dim));
  };
  for (const KernelArgument &argument : arguments) {
    if (argument.dead)
      continue;
    if (argument.kind == KernelArgument::Kind::Scalar) {
      parameter(argument.elementType == "index" ? "i64" : StringRef(argument.elementType), argument.name, "scalar");
      continue;
    }
    parameter("u64", argument.name, "pointer");
    dynamicSizes(argument, "extent", argument.extents);
    dynamicSizes(argument, "stride", argument.strides);
  }
  if (configuration.workspaceBytes != "0")
    parameter("u64", "", "workspace");
}

void SidecarPrinter::printVariant(const KernelVariant &variant) {
  json.object([&] {
    text("symbol", variant.symbol);
    json.attribute("align", variant.alignBytes);
    if (!variant.alignments.empty())
      json.attributeArray("alignments", [&] {
        for (int64_t bytes : variant.alignments)
          json.value(bytes);
      });
    if (variant.maxIndex != std::numeric_limits<int64_t>::max())
      json.attribute("maxIndex", variant.maxIndex);
    json.attribute("threads", variant.threads);
    json.attribute("sharedBytes", variant.sharedBytes);
    if (variant.registers)
      json.attribute("registers", *variant.registers);
    if (variant.spillBytes)
      json.attribute("spillBytes", *variant.spillBytes);
  });
}

void SidecarPrinter::printImage(const KernelImage &image) {
  json.object([&] {
    text("arch", image.arch);
    json.attribute("ptxVersion", image.ptxVersion);
    if (image.minDriver)
      json.attribute("minDriver", image.minDriver);
    if (image.cubinMinDriver)
      json.attribute("cubinMinDriver", image.cubinMinDriver);
    if (!image.ptx.empty())
      text("ptx", hashText(image.ptx));
    if (!image.cubin.empty())
      text("cubin", hashText(bytesOf(image.cubin)));
    json.attributeArray("variants", [&] {
      for (const KernelVariant &variant : image.variants)
        printVariant(variant);
    });
  });
}

void SidecarPrinter::printConfiguration(const KernelConfiguration &configuration,
                                        const std::vector<KernelArgument> &arguments) {
  json.object([&] {
    text("name", configurationLabel(configuration));
    json.attributeObject("parameters", [&] {
      for (const KernelParameter &parameter : configuration.parameters)
        text(llvm::json::fixUTF8(parameter.name), parameter.value);
    });
    optionalText("predicate", configuration.predicate);
    json.attributeObject("space", [&] {
      json.attributeArray("extents", [&] {
        for (const std::string &extent : configuration.space.extents)
          json.value(extent);
      });
      json.attributeArray("steps", [&] {
        for (int64_t step : configuration.space.steps)
          json.value(step);
      });
    });
    text("workspaceBytes", configuration.workspaceBytes);
    json.attributeArray("entryParameters", [&] { printEntryParameters(configuration, arguments); });
    json.attributeArray("images", [&] {
      for (const KernelImage &image : configuration.images)
        printImage(image);
    });
  });
}

void SidecarPrinter::printKernel(const KernelInterface &kernel) {
  json.object([&] {
    text("name", kernel.name);
    optionalText("doc", kernel.doc);
    json.attributeArray("arguments", [&] {
      for (const KernelArgument &argument : kernel.arguments)
        printArgument(argument);
    });
    json.attributeArray("configurations", [&] {
      for (const KernelConfiguration &configuration : kernel.configurations)
        printConfiguration(configuration, kernel.arguments);
    });
  });
}

void SidecarPrinter::printCode(const std::vector<KernelInterface> &kernels) {
  llvm::StringSet<> printed;
  auto entry = [&](StringRef kind, StringRef bytes, const std::string &value) {
    if (printed.insert(hashText(bytes)).second)
      json.attributeObject(hashText(bytes), [&] { text(kind, value); });
  };
  for (const KernelInterface &kernel : kernels)
    for (const KernelConfiguration &configuration : kernel.configurations)
      for (const KernelImage &image : configuration.images) {
        if (!image.ptx.empty())
          entry("ptx", image.ptx, image.ptx);
        if (!image.cubin.empty())
          entry("cubin", bytesOf(image.cubin), llvm::encodeBase64(image.cubin));
      }
}

void SidecarPrinter::print(const std::vector<KernelInterface> &kernels, const SidecarOptions &options) {
  json.object([&] {
    json.attribute("tilec", schemaVersion);
    optionalText("source", options.source);
    json.attributeArray("kernels", [&] {
      for (const KernelInterface &kernel : kernels)
        printKernel(kernel);
    });
    if (options.embedCode)
      json.attributeObject("code", [&] { printCode(kernels); });
  });
}

llvm::Expected<std::string> mlir::tile::emitSidecar(const std::vector<KernelInterface> &kernels,
                                                    const SidecarOptions &options) {
  for (const KernelInterface &kernel : kernels)
    if (llvm::Error error = checkInterface(kernel))
      return error;
  std::string text;
  llvm::raw_string_ostream os(text);
  SidecarPrinter(os).print(kernels, options);
  return text + "\n";
}
