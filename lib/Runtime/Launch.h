/// Launches kernels by their tables: checks the arguments, chooses configuration, image and variant, computes the
/// grid, and reports why. Generated headers call these functions; tools may call them with tables and arguments of
/// their own.
#ifndef TILEC_LIB_RUNTIME_LAUNCH_H
#define TILEC_LIB_RUNTIME_LAUNCH_H

#include "lib/Runtime/KernelTable.h"

namespace tilec {

/// Scratch memory handed in by the caller: zeroed once per stream (kernels leave their counters zero), aligned to 256
/// bytes, and not used by two launches at a time.
struct Workspace {
  void *data = nullptr;
  size_t bytes = 0;
};

/// Where and how to launch.
struct LaunchSite {
  /// Null: the device of the current context, see Device::current.
  Device *device = nullptr;
  Stream stream;
  /// Null: the device's own block for the stream.
  const Workspace *workspace = nullptr;

  LaunchSite(Stream stream) : stream(stream) {}
  LaunchSite(Stream stream, const Workspace &workspace) : stream(stream), workspace(&workspace) {}
  LaunchSite(Device &device) : device(&device) {}
  LaunchSite(Device &device, Stream stream) : device(&device), stream(stream) {}
  LaunchSite(Device &device, Stream stream, const Workspace &workspace)
      : device(&device), stream(stream), workspace(&workspace) {}
};

/// What a call launches, and why not something faster.
struct LaunchPlan {
  const KernelTable *kernel = nullptr;
  const ConfigurationInfo *configuration = nullptr;
  const ImageInfo *image = nullptr;
  /// The image's cubin rather than its PTX.
  bool usesCubin = false;
  const VariantInfo *variant = nullptr;
  /// Programs, one block each; 0: nothing is launched.
  int64_t blocks = 0;
  int64_t workspaceBytes = 0;
  /// One line for each configuration, image or variant that stood before and does not serve this call.
  std::vector<std::string> passedOver;

  /// Several lines for people.
  std::string toString() const;
};

/// The arguments of a call; the array must outlive it.
struct Arguments {
  const Argument *items = nullptr;
  size_t count = 0;

  Arguments() = default;
  Arguments(const Argument *items, size_t count) : items(items), count(count) {}
};

/// Checks every argument against its declaration; the message names the first that is wrong, what was expected and
/// what was found.
Status checkArguments(const KernelTable &kernel, Arguments arguments);

/// Checks and chooses, without launching; fills `passedOver`. Null: the current device.
Result<LaunchPlan> explainLaunch(const KernelTable &kernel, Arguments arguments, Device *device = nullptr);

/// Bytes that a workspace needs for these arguments: the most that any applicable configuration asks for.
Result<size_t> workspaceBytes(const KernelTable &kernel, Arguments arguments);

/// Checks, chooses and launches. Asynchronous, as all launches are; an empty program space succeeds without one.
Status launchKernel(const KernelTable &kernel, Arguments arguments, const LaunchSite &site);

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_LAUNCH_H
