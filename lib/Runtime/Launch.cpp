#include "lib/Runtime/Launch.h"

#include "lib/Runtime/LaunchChoice.h"

using namespace tilec;

/// What cuMemAlloc guarantees, and kernels rely on for workspaces.
static constexpr uint64_t workspaceAlignment = 256;

namespace {
/// The bytes of an entry's parameters, eight for each, and pointers to them in the driver's form.
struct EntryParameters {
  std::vector<uint64_t> slots;
  std::vector<uint32_t> sizes;

  void add(uint64_t bits, uint32_t size) {
    slots.push_back(bits);
    sizes.push_back(size);
  }
  std::vector<void *> pointers() {
    std::vector<void *> result;
    result.reserve(slots.size());
    for (uint64_t &slot : slots)
      result.push_back(&slot);
    return result;
  }
};
} // namespace

/// The order is the ABI of lib/Codegen/KernelInterface.h: for a view its pointer, the dynamic extents, the dynamic
/// strides; for a scalar its bytes.
static EntryParameters collectParameters(const KernelTable &kernel, Arguments arguments) {
  EntryParameters parameters;
  parameters.slots.reserve(arguments.count * 5 + 1);
  parameters.sizes.reserve(arguments.count * 5 + 1);
  for (size_t i = 0; i < arguments.count; ++i) {
    const ArgumentInfo &info = kernel.arguments[i];
    const Argument &argument = arguments.items[i];
    if (!info.isView) {
      parameters.add(argument.scalarBits, static_cast<uint32_t>(elementBits(info.type) / 8));
      continue;
    }
    parameters.add(reinterpret_cast<uintptr_t>(argument.view.data), 8);
    for (int dim = 0; dim < info.rank; ++dim)
      if (info.extents[dim] == dynamicSize)
        parameters.add(static_cast<uint64_t>(argument.view.extents[dim]), 8);
    for (int dim = 0; dim < info.rank; ++dim)
      if (info.strides[dim] == dynamicSize)
        parameters.add(static_cast<uint64_t>(argument.view.strides[dim]), 8);
  }
  return parameters;
}

static Status inKernel(const LaunchPlan &plan, const Status &status) {
  return {status.code(), std::string("kernel '") + plan.kernel->name + "' (" + plan.image->arch +
                             (plan.usesCubin ? " cubin): " : " PTX): ") + status.message()};
}

/// The caller's workspace if it is good, else the device's own.
static Result<void *> findWorkspace(const LaunchPlan &plan, Device &device, const LaunchSite &site) {
  auto needed = static_cast<size_t>(plan.workspaceBytes);
  if (!site.workspace)
    return needed ? device.workspace(site.stream, needed) : Result<void *>(static_cast<void *>(nullptr));
  auto wrong = [&](const std::string &reason) {
    return Status::invalidArgument(std::string("kernel '") + plan.kernel->name + "': workspace: " + reason);
  };
  if (site.workspace->bytes < needed)
    return wrong("has " + std::to_string(site.workspace->bytes) + " bytes, expected at least " +
                 std::to_string(needed));
  if (needed && !site.workspace->data)
    return wrong("the pointer is null, expected device memory of " + std::to_string(needed) + " bytes");
  if (needed && reinterpret_cast<uintptr_t>(site.workspace->data) % workspaceAlignment != 0)
    return wrong("the pointer is not a multiple of " + std::to_string(workspaceAlignment) + " bytes");
  return site.workspace->data;
}

static Status launchPlan(const LaunchPlan &plan, Arguments arguments, Device &device, const LaunchSite &site) {
  EntryParameters parameters = collectParameters(*plan.kernel, arguments);
  if (plan.configuration->hasWorkspace) {
    Result<void *> workspace = findWorkspace(plan, device, site);
    if (!workspace)
      return workspace.status();
    parameters.add(reinterpret_cast<uintptr_t>(*workspace), 8);
  }
  const CodeImage &code = plan.usesCubin ? *plan.image->cubin : *plan.image->ptx;
  Result<Function> function = device.load(code, plan.variant->symbol, plan.variant->sharedBytes);
  if (!function)
    return inKernel(plan, function.status());

  std::vector<void *> pointers = parameters.pointers();
  LaunchRequest request;
  request.function = *function;
  request.blocks = static_cast<uint32_t>(plan.blocks);
  request.threads = plan.variant->threads;
  request.sharedBytes = plan.variant->sharedBytes;
  request.stream = site.stream;
  request.parameters = pointers.data();
  request.parameterSizes = parameters.sizes.data();
  request.parameterCount = pointers.size();
  if (Status status = device.launch(request); !status)
    return inKernel(plan, status);
  return {};
}

static Result<Device *> deviceFor(Device *device, Stream stream) {
  return device ? Result<Device *>(device) : Device::current(stream);
}

Result<LaunchPlan> tilec::explainLaunch(const KernelTable &kernel, Arguments arguments, Device *device) {
  if (Status status = checkArguments(kernel, arguments); !status)
    return status;
  Result<Device *> found = deviceFor(device, {});
  if (!found)
    return found.status();
  return chooseLaunch(kernel, arguments, (*found)->properties(), /*explain=*/true);
}

Status tilec::launchKernel(const KernelTable &kernel, Arguments arguments, const LaunchSite &site) {
  if (Status status = checkArguments(kernel, arguments); !status)
    return status;
  Result<Device *> device = deviceFor(site.device, site.stream);
  if (!device)
    return device.status();
  Result<LaunchPlan> plan = chooseLaunch(kernel, arguments, (*device)->properties(), /*explain=*/false);
  if (!plan)
    return plan.status();
  if (plan->blocks == 0)
    return {};
  return launchPlan(*plan, arguments, **device, site);
}
