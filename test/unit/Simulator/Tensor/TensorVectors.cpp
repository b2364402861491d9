#include "test/unit/Simulator/Tensor/TensorVectors.h"

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
    VectorClass made{header.name,
                     header.m,
                     header.n,
                     header.k,
                     VectorFormat(header.a),
                     VectorFormat(header.b),
                     VectorFormat(header.c),
                     header.sparse != 0,
                     header.wgmma != 0,
                     header.useC != 0,
                     {},
                     {}};
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
      now.fragments.push_back(
          {distribution, base, base + aBytes, base + aBytes + bBytes, base + aBytes + bBytes + cBytes});
    }
  }
  if (classes.empty())
    std::fprintf(stderr, "%s: no vectors\n", path.c_str());
  return classes;
}

uint32_t VectorClass::rowBytes() const { return rowLength() * bytesOf(a); }

AccumulationModel VectorClass::model(unsigned sm) const {
  TensorInstruction instruction = wgmma    ? TensorInstruction::Wgmma
                                  : sparse ? TensorInstruction::MmaSparse
                                           : TensorInstruction::Mma;
  return accumulationModel(sm, instruction, OperandFormat(a), OperandFormat(b),
                           c == VectorFormat::F16 ? ResultFormat::F16 : ResultFormat::F32, rowLength());
}

void appendVectors(std::FILE *file, const VectorClass &of, const std::vector<ChosenRows> &chosen) {
  uint32_t rows = uint32_t(chosen.front().rows.size()), bBytes = of.n * of.k * bytesOf(of.b),
           cBytes = of.n * bytesOf(of.c);
  Header header{};
  std::memcpy(header.magic, "MMAVEC1", 8);
  of.name.copy(header.name, sizeof header.name - 1);
  header.m = rows, header.n = of.n, header.k = of.k;
  header.a = uint32_t(of.a), header.b = uint32_t(of.b), header.c = uint32_t(of.c);
  header.sparse = of.sparse, header.wgmma = of.wgmma, header.useC = of.useC;
  header.count = uint32_t(chosen.size());
  header.fragmentBytes = 4 + rows * of.rowBytes() + bBytes + 2 * rows * cBytes;
  std::fwrite(&header, sizeof header, 1, file);
  for (const ChosenRows &choice : chosen) {
    const VectorFragment &from = of.fragments[choice.fragment];
    auto write = [&](const uint8_t *base, size_t rowBytes) {
      for (unsigned row : choice.rows)
        std::fwrite(base + row * rowBytes, 1, rowBytes, file);
    };
    std::fwrite(&from.distribution, 4, 1, file);
    write(from.a, of.rowBytes());
    std::fwrite(from.b, 1, bBytes, file);
    write(from.c, cBytes);
    write(from.d, cBytes);
  }
}

UnpackedFragment unpackFragment(const VectorClass &of, const VectorFragment &fragment) {
  UnpackedFragment out;
  uint32_t length = of.rowLength();
  out.a.resize(size_t(of.m) * length);
  unpack(OperandFormat(of.a), fragment.a, out.a.size(), out.a.data());
  if (of.name.find("_neg") != std::string::npos)
    for (Unpacked &x : out.a)
      x.significand = int16_t(-x.significand);
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

namespace {

template <class T> std::vector<T> load(const uint8_t *from, size_t count) {
  std::vector<T> out(count);
  std::memcpy(out.data(), from, count * sizeof(T));
  return out;
}

/// B by rows instead of by columns.
template <class T> std::vector<T> byRows(const std::vector<T> &columns, unsigned n, unsigned k) {
  std::vector<T> out(columns.size());
  for (unsigned p = 0; p < k; ++p)
    for (unsigned j = 0; j < n; ++j)
      out[p * n + j] = columns[j * k + p];
  return out;
}

std::vector<int16_t> integers(VectorFormat format, const uint8_t *from, size_t count) {
  std::vector<int16_t> out(count);
  unpackIntegers(format == VectorFormat::U8 ? IntegerFormat::U8 : IntegerFormat::S8, from, count, out.data());
  return out;
}

} // namespace

std::vector<uint64_t> hardwareOutputs(const VectorClass &of, const VectorFragment &fragment) {
  std::vector<uint64_t> out;
  for (size_t i = 0; i < size_t(of.m) * of.n; ++i)
    out.push_back(element(fragment.d, bytesOf(of.c), i));
  return out;
}

std::vector<uint64_t> simulatedOutputs(const VectorClass &of, const VectorFragment &f, unsigned sm, bool slowly) {
  size_t outputs = size_t(of.m) * of.n, aCount = size_t(of.m) * of.k, bCount = size_t(of.n) * of.k;
  std::vector<uint64_t> out(outputs);
  if (of.isFloat()) {
    UnpackedFragment u = unpackFragment(of, f);
    std::vector<uint32_t> d(outputs);
    (slowly ? multiplyAccumulateSlowly : multiplyAccumulate)(of.model(sm), OperandFormat(of.a), OperandFormat(of.b),
                                                             of.m, of.n, of.rowLength(), u.a.data(), u.b.data(),
                                                             u.c.data(), d.data());
    out.assign(d.begin(), d.end());
  } else if (of.c == VectorFormat::F64) {
    std::vector<double> d(outputs);
    multiplyAccumulateF64(of.m, of.n, of.k, load<double>(f.a, aCount).data(),
                          byRows(load<double>(f.b, bCount), of.n, of.k).data(), load<double>(f.c, outputs).data(),
                          d.data());
    std::memcpy(out.data(), d.data(), 8 * outputs);
  } else {
    std::vector<int32_t> d(outputs);
    multiplyAccumulateInteger(
        of.name.find("_sat") != std::string::npos, of.m, of.n, of.k, integers(of.a, f.a, aCount).data(),
        byRows(integers(of.b, f.b, bCount), of.n, of.k).data(), load<int32_t>(f.c, outputs).data(), d.data());
    for (size_t i = 0; i < outputs; ++i)
      out[i] = uint32_t(d[i]);
  }
  return out;
}

} // namespace tilec::sim::test
