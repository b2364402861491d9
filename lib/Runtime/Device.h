/// A device as host programs and launchers see it: memory, code, launches, time. The GPU is one implementation; a
/// simulated device is another, which registers itself, so that the runtime does not depend on it.
#ifndef TILEC_LIB_RUNTIME_DEVICE_H
#define TILEC_LIB_RUNTIME_DEVICE_H

#include "lib/Runtime/PackedElements.h"
#include "lib/Runtime/Status.h"
#include "lib/Runtime/View.h"

#include <cstdint>
#include <vector>

namespace tilec {

/// A queue of a device: a CUstream or a cudaStream_t, which are the same handle; null is the default queue.
struct Stream {
  void *handle = nullptr;

  Stream() = default;
  Stream(void *handle) : handle(handle) {}
};

/// A point in a queue, for timing. Made by Device::createEvent.
struct Event {
  void *handle = nullptr;
};

/// What launchers and reports ask about a device.
struct DeviceProperties {
  std::string name;
  /// Compute capability as major * 10 + minor: 80, 90, 120.
  int sm = 0;
  int multiprocessors = 0;
  /// As cuDriverGetVersion counts: 12080 for CUDA 12.8. 0: any PTX is accepted.
  int driverVersion = 0;
  /// Shared memory that one block may have, in bytes, after opting in; 0: not known.
  int64_t maxSharedBytes = 0;
  /// Whether it runs ELF images. A device that does not gets PTX even where a cubin is at hand.
  bool runsCubins = true;
};

/// Code to load: PTX text in pieces (compilers limit the length of a literal), or an ELF image.
struct CodeImage {
  /// Equal for equal bytes, so that a device loads an image once however many kernels it holds.
  uint64_t identity = 0;
  /// PTX: zero-terminated pieces whose concatenation is the text.
  const char *const *pieces = nullptr;
  size_t pieceCount = 0;
  /// ELF image, where there are no pieces.
  const unsigned char *binary = nullptr;
  /// Bytes of the whole, without a terminating zero.
  size_t size = 0;

  bool empty() const { return size == 0; }
  bool isPtx() const { return pieceCount != 0; }
  /// The whole in one string.
  std::string join() const {
    if (!isPtx())
      return std::string(reinterpret_cast<const char *>(binary), size);
    std::string text;
    text.reserve(size);
    for (size_t i = 0; i < pieceCount; ++i)
      text += pieces[i];
    return text;
  }
  /// An image for code that was read at run time. The caller keeps `text` and `*text` alive until it is loaded.
  static CodeImage ofPtx(const char *const *text);
};

/// A kernel function that a device has loaded. Owned by the device.
struct Function {
  void *handle = nullptr;
};

/// Sizes of a grid, a block or a cluster. Kernels of ours use the first alone.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;

  constexpr Dim3() = default;
  constexpr Dim3(uint32_t x, uint32_t y = 1, uint32_t z = 1) : x(x), y(y), z(z) {}
  constexpr uint64_t count() const { return static_cast<uint64_t>(x) * y * z; }
};

/// One launch.
struct LaunchRequest {
  Function function;
  /// Blocks of the grid; a multiple of the cluster in each dimension.
  Dim3 blocks = 0;
  /// Threads of a block.
  Dim3 threads = 0;
  /// Dynamic shared memory of a block in bytes.
  uint32_t sharedBytes = 0;
  /// Blocks of a cluster; 1: none.
  Dim3 cluster;
  /// May start before the preceding kernel of the stream ends (programmatic dependent launch).
  bool programmatic = false;
  Stream stream;
  /// One pointer to each parameter's bytes, and their sizes.
  void *const *parameters = nullptr;
  const uint32_t *parameterSizes = nullptr;
  size_t parameterCount = 0;
};

/// A device. Devices live to the end of the program; pointers to them never dangle. Every method may be called from
/// any thread. Sizes are in bytes.
class Device {
public:
  /// The GPU with this number; retains its primary context, so that memory is shared with the CUDA runtime's.
  static Result<Device *> gpu(int ordinal = 0);
  /// The GPU of the calling thread's current context. Where there is none, the context of `stream` (if it is not
  /// null), else the primary context of GPU 0, is made current. The simulated device as for any(), if `stream` is null.
  static Result<Device *> current(Stream stream = {});
  /// A GPU if there is one, else the simulated device if one is linked in (which says so once on standard error), else
  /// the status of the GPU. The environment variable TILEC_SIMULATE chooses the simulated device also where there is a
  /// GPU: its value is a target ("sm_90a").
  static Result<Device *> any();

  /// Makes the simulated device of a target on first use; null: of the target that TILEC_SIMULATE names, else of one of
  /// the factory's choice.
  using Factory = Result<Device *> (*)(const char *target);
  /// Called by the simulator's library; the last registration counts. Null withdraws it.
  static void registerSimulator(Factory factory);
  /// The simulated device of a target such as "sm_90a", one for each, or the status that says that none is linked in.
  static Result<Device *> simulated(const char *target = nullptr);

  virtual ~Device() = default;

  virtual const DeviceProperties &properties() const = 0;

  /// Device memory, aligned to at least 256 bytes. Zero bytes give null.
  virtual Result<void *> allocate(size_t bytes) = 0;
  virtual Status free(void *memory) = 0;
  /// From and to host memory; in the order of the stream, and done when they return.
  virtual Status copyIn(void *device, const void *host, size_t bytes, Stream stream = {}) = 0;
  virtual Status copyOut(void *host, const void *device, size_t bytes, Stream stream = {}) = 0;
  /// Sets every byte; in the order of the stream.
  virtual Status fill(void *device, uint8_t value, size_t bytes, Stream stream = {}) = 0;

  /// The entry `symbol` of an image, ready for blocks with that much dynamic shared memory. Both are cached.
  virtual Result<Function> load(const CodeImage &image, const char *symbol, uint32_t sharedBytes) = 0;
  virtual Status launch(const LaunchRequest &request) = 0;
  /// Waits for the stream, and reports errors of kernels that ran on it.
  virtual Status synchronize(Stream stream = {}) = 0;
  /// Whether launches on the stream are recorded into a graph rather than run.
  virtual Result<bool> isCapturing(Stream stream) = 0;

  virtual Result<Event> createEvent() = 0;
  virtual Status destroyEvent(Event event) = 0;
  virtual Status record(Event event, Stream stream = {}) = 0;
  /// Waits for `end`; milliseconds between two recorded events.
  virtual Result<float> elapsed(Event begin, Event end) = 0;

  /// Zeroed scratch memory, one block per stream, kept by the device and grown when asked for more. An error while the
  /// stream is captured, since a graph must not hold memory that a later call may replace.
  virtual Result<void *> workspace(Stream stream, size_t bytes) = 0;
};

/// Device memory for `size` elements of T, freed with the object. Packed elements (below 8 bits) take
/// ceil(size * bits / 8) bytes.
template <typename T> class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (memory)
      (void)device->free(memory);
  }

  static Result<Buffer> allocate(Device &device, size_t size) {
    Buffer buffer;
    buffer.device = &device;
    buffer.count = size;
    Result<void *> memory = device.allocate(bytesFor(size));
    if (!memory)
      return memory.status();
    buffer.memory = static_cast<T *>(*memory);
    return Result<Buffer>(std::move(buffer));
  }

  /// Memory that holds a copy of `host`; elements below eight bits are packed.
  static Result<Buffer> from(Device &device, const std::vector<T> &host) {
    Result<Buffer> buffer = allocate(device, host.size());
    if (!buffer)
      return buffer;
    Status copied;
    if constexpr (isPackedElement<T>)
      copied = device.copyIn(buffer->memory, packElements(host).data(), bytesFor(host.size()));
    else
      copied = device.copyIn(buffer->memory, host.data(), bytesFor(host.size()));
    if (!copied)
      return copied;
    return buffer;
  }

  /// The elements, after all work on the stream; one per item where memory holds them packed.
  Result<std::vector<T>> toHost(Stream stream = {}) const {
    using Stored = std::conditional_t<isPackedElement<T>, uint8_t, T>;
    std::vector<Stored> host(isPackedElement<T> ? bytesFor(count) : count);
    if (count != 0)
      if (Status copied = device->copyOut(host.data(), memory, bytesFor(count), stream); !copied)
        return copied;
    if constexpr (isPackedElement<T>)
      return unpackElements<T>(host, count);
    else
      return host;
  }

  /// The whole buffer, or its front, as a row-major view.
  template <typename... Sizes> View<T, static_cast<int>(sizeof...(Sizes))> view(Sizes... sizes) const {
    return View<T, static_cast<int>(sizeof...(Sizes))>::contiguous(memory, sizes...);
  }

  T *data() const { return memory; }
  size_t size() const { return count; }

private:
  static size_t bytesFor(size_t size) { return packedBytes(ElementTypeOf<T>::value, size); }
  void swap(Buffer &other) {
    std::swap(device, other.device);
    std::swap(memory, other.memory);
    std::swap(count, other.count);
  }

  Device *device = nullptr;
  T *memory = nullptr;
  size_t count = 0;
};

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_DEVICE_H
