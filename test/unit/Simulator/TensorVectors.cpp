#include "test/unit/Simulator/TensorVectors.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tilec::sim::test {
namespace {

struct Header {
  char magic[8], name[56];
  uint32_t m, n, k, a, b, c, sparse, wgmma, useC, count, fragmentBytes, pad[5];
};
static_assert(sizeof(Header) == 128, "as written");

uint64_t element(const uint8_t *from, unsigned bytes, size_t index) {
  uint64_t value = 0;
  std::memcpy(&value, from + index * bytes, bytes);
  return value;
}

} // namespace

unsigned bytesOf(VectorFormat format) {
  const unsigned bytes[] = {2, 2, 4, 1, 1, 4, 8, 1, 4, 1};
  return bytes[unsigned(format)];
}

std::vector<VectorClass> readVectors(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<uint8_t> all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<VectorClass> classes;
  for (size_t at = 0; at + sizeof(Header) <= all.size();) {
    Header header;
    std::memcpy(&header, all.data() + at, sizeof header);
    at += sizeof header;
    size_t size = size_t(header.count) * header.fragmentBytes;
    if (std::memcmp(header.magic, "MMAVEC1", 8) != 0 || at + size > all.size()) {
      std::fprintf(stderr, "%s: not a file of tensor vectors, or cut short\n", path.c_str());
      return {};
    }
    VectorClass made{header.name, header.m, header.n, header.k, VectorFormat(header.a), VectorFormat(header.b),
                     VectorFormat(header.c), header.sparse != 0, header.wgmma != 0, header.useC != 0, {}, {}};
    made.bytes.assign(all.begin() + long(at), all.begin() + long(at + size));
    at += size;
    classes.push_back(std::move(made));
    VectorClass &now = classes.back();
    size_t aBytes = size_t(now.m) * now.rowLength() * bytesOf(now.a), bBytes = size_t(now.n) * now.k * bytesOf(now.b),
           cBytes = size_t(now.m) * now.n * bytesOf(now.c);
    for (uint32_t i = 0; i < header.count; ++i) {
      const uint8_t *base = now.bytes.data() + size_t(i) * header.fragmentBytes;
      uint32_t distribution;
      std::memcpy(&distribution, base, 4);
      base += 4;
      now.fragments.push_back({distribution, base, base + aBytes, base + aBytes + bBytes, base + aBytes + bBytes + cBytes});
    }
  }
  if (classes.empty())
    std::fprintf(stderr, "%s: no vectors\n", path.c_str());
  return classes;
}

UnpackedFragment unpackFragment(const VectorClass &of, const VectorFragment &fragment) {
  UnpackedFragment out;
  uint32_t length = of.rowLength();
  out.a.resize(size_t(of.m) * length);
  unpack(OperandFormat(of.a), fragment.a, out.a.size(), out.a.data());
  std::vector<Unpacked> columns(size_t(of.n) * of.k);
  unpack(OperandFormat(of.b), fragment.b, columns.size(), columns.data());
  out.b.resize(size_t(of.n) * length);
  for (uint32_t p = 0; p < length; ++p)
    for (uint32_t j = 0; j < of.n; ++j)
      out.b[size_t(p) * of.n + j] = columns[size_t(j) * of.k + (of.sparse ? 4 * (p / 2) + p % 2 : p)];
  for (size_t i = 0; i < size_t(of.m) * of.n; ++i) {
    out.c.push_back(of.useC ? uint32_t(element(fragment.c, bytesOf(of.c), i)) : 0);
    out.d.push_back(uint32_t(element(fragment.d, bytesOf(of.c), i)));
  }
  return out;
}

} // namespace tilec::sim::test
