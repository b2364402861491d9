/// A kernel's table is a list of offers: configurations hold images hold variants, the better ones first or ranked.
/// Choosing walks down the three levels and keeps, if asked, a line for each offer that was passed over.
#include "lib/Runtime/LaunchChoice.h"

using namespace tilec;

/// CUDA's limit of a grid's first dimension.
static constexpr int64_t maxBlocks = INT32_MAX;

static Status failure(const KernelTable &kernel, StatusCode code, const std::string &reason) {
  return {code, std::string("kernel '") + kernel.name + "': " + reason};
}

std::string tilec::cudaVersionText(int driverVersion) {
  return std::to_string(driverVersion / 1000) + "." + std::to_string(driverVersion % 1000 / 10);
}

//===-- Images ----------------------------------------------------------------------------------------------------===//

namespace {
/// An image of a configuration and how good it is; 0: none.
struct ImageChoice {
  const ImageInfo *image = nullptr;
  bool cubin = false;
  int score = 0;
};

/// What was found on the way, for messages.
struct ImageSearch {
  ImageChoice best;
  /// The image that would serve with the least new driver, and that driver.
  const ImageInfo *tooNew = nullptr;
  bool tooNewIsCubin = false;
  int neededDriver = 0;
};
} // namespace

/// How well PTX for an image's target suits the device: 0 if it cannot run there. Exactly the device's SM beats any
/// older one; of the same SM the target with more features beats the one with fewer.
static int ptxScore(const ImageInfo &image, int sm) {
  int features = image.feature == 'a' ? 2 : image.feature == 'f' ? 1 : 0;
  if (image.sm == sm)
    return 10000 + features;
  bool runs = image.sm < sm && (image.feature == 0 || (image.feature == 'f' && image.sm / 10 == sm / 10));
  return runs ? image.sm * 4 + features : 0;
}

static ImageSearch searchImages(const ConfigurationInfo &configuration, const DeviceProperties &device) {
  ImageSearch search;
  auto offer = [&](const ImageInfo &image, bool cubin, int score, int minDriver) {
    if (score == 0)
      return;
    if (device.driverVersion != 0 && minDriver > device.driverVersion) {
      if (!search.tooNew || minDriver < search.neededDriver) {
        search.tooNew = &image;
        search.tooNewIsCubin = cubin;
        search.neededDriver = minDriver;
      }
    } else if (score > search.best.score) {
      search.best = {&image, cubin, score};
    }
  };
  for (const ImageInfo &image : configuration.images) {
    int score = ptxScore(image, device.sm);
    if (image.cubin && device.runsCubins && image.sm == device.sm)
      offer(image, true, 10000 + score, image.cubinMinDriver);
    if (image.ptx)
      offer(image, false, score, image.minDriver);
  }
  return search;
}

static std::string noImageText(const ConfigurationInfo &configuration, const ImageSearch &search,
                               const DeviceProperties &device) {
  if (search.tooNew) {
    std::string code = search.tooNewIsCubin
                           ? std::string("the cubin for ") + search.tooNew->arch
                           : std::string("PTX ISA ") + std::to_string(search.tooNew->ptxVersion / 10) + "." +
                                 std::to_string(search.tooNew->ptxVersion % 10) + " for " + search.tooNew->arch;
    return code + " needs a driver for CUDA " + cudaVersionText(search.neededDriver) + " or later (" +
           std::to_string(search.neededDriver) + "); the driver is for CUDA " + cudaVersionText(device.driverVersion) +
           " (" + std::to_string(device.driverVersion) + ")";
  }
  std::string text = "has images for ";
  for (size_t i = 0; i < configuration.images.count; ++i) {
    const ImageInfo &image = configuration.images[i];
    text += std::string(i ? ", " : "") + image.arch + (image.ptx ? "" : " (cubin only)");
  }
  return text + "; the device is sm_" + std::to_string(device.sm);
}

//===-- Variants --------------------------------------------------------------------------------------------------===//

/// Whether the variant may run with these views; if not, the first reason.
static bool admits(const VariantInfo &variant, const KernelTable &kernel, Arguments arguments,
                   const DeviceProperties &device, std::string *reason) {
  auto refuse = [&](size_t argument, const std::string &why) {
    *reason = argument < kernel.arguments.count
                  ? std::string("argument '") + kernel.arguments[argument].name + "': " + why
                  : why;
    return false;
  };
  if (device.maxSharedBytes && variant.sharedBytes > device.maxSharedBytes)
    return refuse(kernel.arguments.count, "needs " + std::to_string(variant.sharedBytes) +
                                              " bytes of shared memory, the device has " +
                                              std::to_string(device.maxSharedBytes));
  for (size_t i = 0; i < arguments.count; ++i) {
    if (!arguments.items[i].isView) {
      // An index is passed as i64; its arithmetic has the variant's width.
      if (arguments.items[i].type != ElementType::I64)
        continue;
      Index value = arguments.items[i].index();
      if (value.value > variant.maxIndex || value.value < -variant.maxIndex)
        return refuse(i, "is " + std::to_string(value.value) + ", expected at most " +
                             std::to_string(variant.maxIndex) + " in magnitude");
      continue;
    }
    const AnyView &view = arguments.items[i].view;
    int64_t bits = elementBits(view.type);
    int64_t align = variant.alignmentOf(i) ? variant.alignmentOf(i) : bits >= 8 ? bits / 8 : 1;
    auto alignText = [&] { return ", expected a multiple of " + std::to_string(align) + " bytes"; };
    if (uint64_t past = reinterpret_cast<uintptr_t>(view.data) % static_cast<uint64_t>(align))
      return refuse(i, "the pointer is " + std::to_string(past) + " bytes past one" + alignText());
    for (int dim = 0; dim < view.rank; ++dim) {
      int64_t stride = view.strides[dim];
      if (kernel.arguments[i].mustKeepAlignment(dim) && !strideKeeps(stride, align, bits))
        return refuse(i, "stride " + std::to_string(dim) + " is " + std::to_string(stride) + " elements of " +
                             elementTypeName(view.type) + alignText());
      for (auto [what, value] : {std::pair("extent ", view.extents[dim]), std::pair("stride ", stride)})
        if (value > variant.maxIndex)
          return refuse(i, what + std::to_string(dim) + " is " + std::to_string(value) +
                               ", expected <= " + std::to_string(variant.maxIndex));
    }
  }
  return true;
}

static Status chooseVariant(LaunchPlan &plan, Arguments arguments, const DeviceProperties &device, bool explain) {
  std::string reasons;
  std::string reason;
  for (const VariantInfo &variant : plan.image->variants) {
    if (admits(variant, *plan.kernel, arguments, device, &reason)) {
      plan.variant = &variant;
      return {};
    }
    std::string line = std::string("variant '") + variant.symbol + "': " + reason;
    reasons += (reasons.empty() ? "" : "; ") + line;
    if (explain)
      plan.passedOver.push_back(line);
  }
  return failure(*plan.kernel, StatusCode::Unsupported, "no variant takes these arguments: " + reasons);
}

//===-- Grid ------------------------------------------------------------------------------------------------------===//

static Status computeGrid(LaunchPlan &plan, const SpaceValues &values) {
  const ConfigurationInfo &configuration = *plan.configuration;
  Index blocks = 1;
  bool empty = false;
  for (size_t dim = 0; dim < configuration.steps.count; ++dim) {
    Index extent = values.extents[dim];
    auto wrong = [&](const std::string &what) {
      return failure(*plan.kernel, StatusCode::InvalidArgument,
                     "dimension " + std::to_string(dim) + " of the program space, " + configuration.extents[dim] +
                         ", " + what);
    };
    if (!extent.valid)
      return wrong("overflows 64 bits or divides by zero");
    if (extent.value < 0)
      return wrong("is " + std::to_string(extent.value) + ", expected >= 0");
    empty |= extent.value == 0;
    blocks = blocks * index::ceildiv(extent, configuration.steps[dim]);
  }
  if (empty)
    blocks = 0;
  if (!(blocks <= Index(maxBlocks)))
    return failure(*plan.kernel, StatusCode::InvalidArgument,
                   "the program space has " + (blocks.valid ? std::to_string(blocks.value) : "more than 2^63") +
                       " programs, expected <= " + std::to_string(maxBlocks));
  plan.blocks = blocks.value;
  return {};
}

static Status checkWorkspaceSize(const KernelTable &kernel, Index bytes) {
  if (bytes >= Index(0))
    return {};
  return failure(kernel, StatusCode::InvalidArgument,
                 bytes.valid ? "the workspace size is " + std::to_string(bytes.value) + ", expected >= 0"
                             : "the workspace size overflows 64 bits");
}

//===-- Configurations --------------------------------------------------------------------------------------------===//

Result<LaunchPlan> tilec::chooseLaunch(const KernelTable &kernel, Arguments arguments, const DeviceProperties &device,
                                       bool explain) {
  LaunchPlan plan;
  plan.kernel = &kernel;
  SpaceValues values;
  std::string reasons;
  StatusCode code = StatusCode::Unsupported;
  for (const ConfigurationInfo &configuration : kernel.configurations) {
    values = {};
    configuration.valuesFor(arguments.items, values);
    std::string reason;
    if (values.applies) {
      ImageSearch search = searchImages(configuration, device);
      if (search.best.image) {
        plan.configuration = &configuration;
        plan.image = search.best.image;
        plan.usesCubin = search.best.cubin;
        if (explain && search.tooNew)
          plan.passedOver.push_back(noImageText(configuration, search, device));
        break;
      }
      reason = noImageText(configuration, search, device);
      if (search.tooNew)
        code = StatusCode::DriverTooOld;
    } else {
      reason = std::string("needs ") + configuration.predicate;
    }
    if (kernel.configurations.count > 1)
      reason = std::string("configuration '") + configuration.name + "': " + reason;
    reasons += (reasons.empty() ? "" : "; ") + reason;
    if (explain)
      plan.passedOver.push_back(reason);
  }
  if (!plan.configuration)
    return failure(kernel, code, reasons);

  if (Status status = chooseVariant(plan, arguments, device, explain); !status)
    return status;
  if (Status status = computeGrid(plan, values); !status)
    return status;
  if (Status status = checkWorkspaceSize(kernel, values.workspaceBytes); !status)
    return status;
  plan.workspaceBytes = values.workspaceBytes.value;
  return plan;
}

Result<size_t> tilec::workspaceBytes(const KernelTable &kernel, Arguments arguments) {
  if (Status status = checkArguments(kernel, arguments); !status)
    return status;
  int64_t most = 0;
  for (const ConfigurationInfo &configuration : kernel.configurations) {
    SpaceValues values;
    configuration.valuesFor(arguments.items, values);
    if (!values.applies)
      continue;
    if (Status status = checkWorkspaceSize(kernel, values.workspaceBytes); !status)
      return status;
    most = values.workspaceBytes.value > most ? values.workspaceBytes.value : most;
  }
  return static_cast<size_t>(most);
}

std::string LaunchPlan::toString() const {
  std::string text = std::string("kernel ") + kernel->name + "\n  configuration " + configuration->name + "\n  image " +
                     image->arch + (usesCubin ? " (cubin)" : " (PTX)") + "\n  variant " + variant->symbol +
                     "\n  grid " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of " +
                     std::to_string(variant->threads) + " threads, " + std::to_string(variant->sharedBytes) +
                     " bytes of shared memory\n  workspace " + std::to_string(workspaceBytes) + " bytes\n";
  for (const std::string &line : passedOver)
    text += "  passed over: " + line + "\n";
  return text;
}
