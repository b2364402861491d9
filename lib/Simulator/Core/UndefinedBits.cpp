/// The undefined bits of a region, page by page. A page is one word: wholly defined, wholly undefined, or the address
/// of a mask with a bit for each bit of memory. A mask, once made, stays until the region ends, so readers on other
/// threads never see it vanish; pages that were written whole before anybody wrote them partly never get one.
#include "lib/Simulator/Core/Memory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

using namespace tilec::sim;

static constexpr uintptr_t definedPage = 0, undefinedPage = 1;

/// calloc rather than a vector: the state of a large allocation is only paged in where it is used.
struct UndefinedBits::Pages {
  uint64_t bytes = 0, count = 0;
  std::atomic<uintptr_t> *states = nullptr;

  Pages(uint64_t bytes, bool undefined) : bytes(bytes), count((bytes + pageBytes - 1) / pageBytes) {
    states = static_cast<std::atomic<uintptr_t> *>(std::calloc(std::max<uint64_t>(count, 1), sizeof *states));
    if (undefined)
      for (uint64_t i = 0; i < count; ++i)
        states[i].store(undefinedPage, std::memory_order_relaxed);
  }
  ~Pages() {
    for (uint64_t i = 0; i < count; ++i) {
      uintptr_t state = states[i].load(std::memory_order_relaxed);
      if (state > undefinedPage)
        std::free(reinterpret_cast<void *>(state));
    }
    std::free(static_cast<void *>(states));
  }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;

  uintptr_t state(uint64_t page) const { return states[page].load(std::memory_order_acquire); }

  /// The page's mask, made if there is none.
  uint8_t *mask(uint64_t page) {
    uintptr_t state = this->state(page);
    if (state > undefinedPage)
      return reinterpret_cast<uint8_t *>(state);
    // A small region, such as a thread's local memory, has a small mask.
    uint64_t size = std::min(pageBytes, bytes - page * pageBytes);
    auto *made = static_cast<uint8_t *>(std::malloc(size));
    for (;;) {
      std::memset(made, state == undefinedPage ? 0xff : 0, size);
      if (states[page].compare_exchange_strong(state, reinterpret_cast<uintptr_t>(made), std::memory_order_acq_rel))
        return made;
      if (state > undefinedPage) {
        std::free(made);
        return reinterpret_cast<uint8_t *>(state);
      }
    }
  }

  /// Sets a range within one page to all defined or all undefined.
  void fill(uint64_t page, uint64_t begin, uint64_t size, uintptr_t wanted) {
    uintptr_t state = this->state(page);
    if (state == wanted)
      return;
    if (state <= undefinedPage) {
      bool whole = begin == 0 && size == std::min(pageBytes, bytes - page * pageBytes);
      if (whole && states[page].compare_exchange_strong(state, wanted, std::memory_order_acq_rel))
        return;
    }
    std::memset(mask(page) + begin, wanted == undefinedPage ? 0xff : 0, size);
  }
};

/// Calls `body(page, begin within the page, size, done)` for the parts of a range; stops when it returns false.
template <typename Body> static bool forPages(uint64_t offset, uint64_t bytes, Body body) {
  uint64_t done = 0;
  while (done < bytes) {
    uint64_t page = (offset + done) / UndefinedBits::pageBytes, begin = (offset + done) % UndefinedBits::pageBytes;
    uint64_t size = std::min(bytes - done, UndefinedBits::pageBytes - begin);
    if (!body(page, begin, size, done))
      return false;
    done += size;
  }
  return true;
}

/// Whether any byte is not zero; eight bytes at a time.
static bool anySet(const uint8_t *bytes, uint64_t size) {
  uint64_t any = 0;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    any |= word;
  }
  for (; size; --size)
    any |= *bytes++;
  return any != 0;
}

UndefinedBits::UndefinedBits(uint64_t bytes, bool undefined) : pages(std::make_unique<Pages>(bytes, undefined)) {}
UndefinedBits::~UndefinedBits() = default;

bool UndefinedBits::allDefined(uint64_t offset, uint64_t bytes) const {
  return forPages(offset, bytes, [&](uint64_t page, uint64_t begin, uint64_t size, uint64_t) {
    uintptr_t state = pages->state(page);
    if (state <= undefinedPage)
      return state == definedPage;
    return !anySet(reinterpret_cast<const uint8_t *>(state) + begin, size);
  });
}

void UndefinedBits::read(uint64_t offset, void *bits, uint64_t bytes) const {
  forPages(offset, bytes, [&](uint64_t page, uint64_t begin, uint64_t size, uint64_t done) {
    uintptr_t state = pages->state(page);
    uint8_t *to = static_cast<uint8_t *>(bits) + done;
    if (state <= undefinedPage)
      std::memset(to, state == undefinedPage ? 0xff : 0, size);
    else
      std::memcpy(to, reinterpret_cast<const uint8_t *>(state) + begin, size);
    return true;
  });
}

void UndefinedBits::write(uint64_t offset, const void *bits, uint64_t bytes) {
  forPages(offset, bytes, [&](uint64_t page, uint64_t begin, uint64_t size, uint64_t done) {
    const uint8_t *from = static_cast<const uint8_t *>(bits) + done;
    if (!anySet(from, size))
      pages->fill(page, begin, size, definedPage);
    else
      std::memcpy(pages->mask(page) + begin, from, size);
    return true;
  });
}

void UndefinedBits::setDefined(uint64_t offset, uint64_t bytes) {
  forPages(offset, bytes, [&](uint64_t page, uint64_t begin, uint64_t size, uint64_t) {
    pages->fill(page, begin, size, definedPage);
    return true;
  });
}

void UndefinedBits::setUndefined(uint64_t offset, uint64_t bytes) {
  forPages(offset, bytes, [&](uint64_t page, uint64_t begin, uint64_t size, uint64_t) {
    pages->fill(page, begin, size, undefinedPage);
    return true;
  });
}

int64_t UndefinedBits::firstUndefined(uint64_t offset, uint64_t bytes) const {
  int64_t first = -1;
  forPages(offset, bytes, [&](uint64_t page, uint64_t begin, uint64_t size, uint64_t done) {
    uintptr_t state = pages->state(page);
    if (state == definedPage)
      return true;
    if (state == undefinedPage) {
      first = static_cast<int64_t>(offset + done);
      return false;
    }
    const uint8_t *mask = reinterpret_cast<const uint8_t *>(state) + begin;
    if (!anySet(mask, size))
      return true;
    first = static_cast<int64_t>(
        offset + done +
        static_cast<uint64_t>(std::find_if(mask, mask + size, [](uint8_t bits) { return bits != 0; }) - mask));
    return false;
  });
  return first;
}
