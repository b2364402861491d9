/// Device memory for checking kernels: what a kernel may touch lies between guard bytes that it must leave alone, and
/// can be poisoned, so that an element that no launch wrote is seen. Examples, numeric cases and benchmarks use it.
#ifndef TILEC_LIB_RUNTIME_GUARDEDMEMORY_H
#define TILEC_LIB_RUNTIME_GUARDEDMEMORY_H

#include "lib/Runtime/Device.h"

#include <algorithm>

namespace tilec {

/// `size` bytes of device memory between two guards, freed with the object.
class GuardedMemory {
public:
  /// Of each guard; keeps the alignment of allocations.
  static constexpr size_t guardBytes = 256;
  static constexpr uint8_t guardValue = 0xA5;
  /// Every float type that has a NaN reads it, the others their lowest number; integers read -1.
  static constexpr uint8_t poisonValue = 0xFF;

  GuardedMemory() = default;
  GuardedMemory(GuardedMemory &&other) noexcept { swap(other); }
  GuardedMemory &operator=(GuardedMemory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~GuardedMemory() {
    if (base)
      (void)device->free(base);
  }

  /// Poisoned memory that starts `offset` bytes behind a multiple of 256.
  static Result<GuardedMemory> allocate(Device &device, size_t size, size_t offset = 0) {
    GuardedMemory memory;
    memory.device = &device;
    memory.bytes = size;
    memory.front = guardBytes + offset;
    Result<void *> base = device.allocate(memory.front + size + guardBytes);
    if (!base)
      return base.status();
    memory.base = static_cast<uint8_t *>(*base);
    if (Status filled = device.fill(memory.base, guardValue, memory.front + size + guardBytes); !filled)
      return filled;
    if (Status filled = memory.poison(); !filled)
      return filled;
    return Result<GuardedMemory>(std::move(memory));
  }

  /// Memory that holds a copy of `host`; elements below eight bits are packed.
  template <typename T>
  static Result<GuardedMemory> from(Device &device, const std::vector<T> &host, size_t offset = 0) {
    if constexpr (isPackedElement<T>)
      return from(device, packElements(host), offset);
    Result<GuardedMemory> memory = allocate(device, host.size() * sizeof(T), offset);
    if (memory && !host.empty())
      if (Status copied = device.copyIn(memory->data(), host.data(), memory->bytes); !copied)
        return copied;
    return memory;
  }

  Status poison() { return bytes ? device->fill(data(), poisonValue, bytes) : Status::success(); }

  /// The contents, after all work on the default stream. Of elements below eight bits as many as the bytes hold.
  template <typename T> Result<std::vector<T>> toHost() const {
    if constexpr (isPackedElement<T>) {
      Result<std::vector<uint8_t>> packed = toHost<uint8_t>();
      if (!packed)
        return packed.status();
      return unpackElements<T>(*packed, bytes * 8 / static_cast<size_t>(elementBits(ElementTypeOf<T>::value)));
    }
    std::vector<T> host(bytes / sizeof(T));
    if (!host.empty())
      if (Status copied = device->copyOut(host.data(), data(), host.size() * sizeof(T)); !copied)
        return copied;
    return host;
  }

  /// An error that counts the guard bytes that changed, and says where the first one is.
  Status checkGuards() const {
    std::vector<uint8_t> before(front), behind(guardBytes);
    if (Status copied = device->copyOut(before.data(), base, front); !copied)
      return copied;
    if (Status copied = device->copyOut(behind.data(), data() + bytes, guardBytes); !copied)
      return copied;
    auto intact = [](uint8_t byte) { return byte == guardValue; };
    size_t changed = static_cast<size_t>(front - std::count_if(before.begin(), before.end(), intact) + guardBytes -
                                         std::count_if(behind.begin(), behind.end(), intact));
    if (changed == 0)
      return {};
    auto first = std::find_if_not(behind.begin(), behind.end(), intact);
    std::string where = first != behind.end() ? std::to_string(first - behind.begin()) + " bytes behind the end"
                                              : std::string("in front of the start");
    return {StatusCode::InvalidArgument, std::to_string(changed) + " guard bytes were overwritten, the first " + where};
  }

  uint8_t *data() const { return base + front; }
  size_t size() const { return bytes; }

  /// The front of the memory as a row-major view.
  template <typename T, typename... Sizes> View<T, static_cast<int>(sizeof...(Sizes))> view(Sizes... sizes) const {
    return View<T, static_cast<int>(sizeof...(Sizes))>::contiguous(reinterpret_cast<T *>(data()), sizes...);
  }

private:
  void swap(GuardedMemory &other) {
    std::swap(device, other.device);
    std::swap(base, other.base);
    std::swap(front, other.front);
    std::swap(bytes, other.bytes);
  }

  Device *device = nullptr;
  uint8_t *base = nullptr;
  size_t front = 0;
  size_t bytes = 0;
};

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_GUARDEDMEMORY_H
