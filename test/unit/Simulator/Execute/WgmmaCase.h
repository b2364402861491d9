/// A product of a warp group as a kernel: shared memory is filled from a buffer, A and C fragments come from it, D goes
/// back. Matrices are laid out in shared memory by the canonical layouts of the PTX ISA, written here as CuTe-like
/// shapes and strides of elements, with a swizzle on top.
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_WGMMACASE_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_WGMMACASE_H

#include "test/unit/Simulator/Execute/MatrixCase.h"

namespace tilec::sim {

/// How one factor lies in shared memory.
struct SharedLayout {
  bool kMajor = true;
  unsigned swizzle = 128; // bytes of a row; 16: none
  unsigned start = 0;     // bytes from the buffer's beginning
  /// Strides in bytes, chosen so that nothing overlaps.
  unsigned leading = 0, stride = 0;

  /// Bit address of an element, before the swizzle: ((…),(…)) of the table of canonical layouts.
  size_t bitOf(unsigned mn, unsigned k, unsigned bits) const {
    size_t t = 128 / bits, w = swizzle / 16; // elements of a chunk; chunks of a row
    size_t lead = size_t(leading) * 8 / bits, strd = size_t(stride) * 8 / bits, element;
    if (kMajor && swizzle == 16)
      element = mn % 8 * t + mn / 8 * strd + k % t + k / t * lead;
    else if (kMajor)
      element = mn % 8 * w * t + mn / 8 * strd + k;
    else if (swizzle == 16)
      element = mn % t + mn / t * strd + k % 8 * t + k / 8 * lead;
    else
      element = mn % (w * t) + mn / (w * t) * lead + k % 8 * w * t + k / 8 * strd;
    size_t bit = element * bits, byte = start + bit / 8;
    unsigned b = swizzle == 128 ? 3 : swizzle == 64 ? 2 : swizzle == 32 ? 1 : 0;
    byte ^= (byte >> 7 & ((1u << b) - 1)) << 4; // Swizzle<b, 4, 3>
    return byte * 8 + bit % 8;
  }
  uint64_t descriptor() const { // without the start address
    uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    return uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 | mode << 62;
  }
};

struct WgmmaCase {
  std::string d, a, b;
  unsigned n = 64;
  bool aInRegisters = false, sparse = false;
  SharedLayout layoutA, layoutB;
  int signA = 1, signB = 1;
  bool accumulate = true;
  unsigned selector = 0;
  /// Statements between the fill and the first fence, and in place of the wait.
  std::string beforeFence, fence = "wgmma.fence.sync.aligned;\n", proxyFence = "fence.proxy.async;\n",
                           wait = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

  unsigned bits() const { return bitsOfType(a); }
  unsigned k() const { return (sparse ? 512 : 256) / bits(); }
  unsigned kept() const { return 256 / bits(); }
  static constexpr unsigned sharedBytes = 65536;
  unsigned regsD() const { return n / (d == "f16" ? 4 : 2); }
  /// Words: shared memory, A fragments, metadata, C, D; a register is 128 words.
  unsigned startA() const { return sharedBytes / 4; }
  unsigned startMeta() const { return startA() + 4 * 128; }
  unsigned startC() const { return startMeta() + 128; }
  unsigned startD() const { return startC() + regsD() * 128; }
  unsigned words() const { return startD() + regsD() * 128; }

  std::string name() const {
    auto layout = [](const SharedLayout &l) { return std::string(l.kMajor ? "K" : "MN") + std::to_string(l.swizzle); };
    return "wgmma " + d + "." + a + "." + b + " n" + std::to_string(n) + " a " +
           (aInRegisters ? "registers" : layout(layoutA)) + " b " + layout(layoutB) +
           (sparse ? " sparse " + std::to_string(selector) : "") + (accumulate ? "" : " no C");
  }

  std::string body() const {
    std::string text =
        ".reg .b32 x<300>;\n.reg .u64 da, db, sa;\n.reg .u32 s0, s1, i;\n.reg .u64 g0;\n.reg .pred more, sd;\n"
        ".shared .align 1024 .b8 smem[" +
        std::to_string(sharedBytes) +
        "];\n"
        "mov.u32 s0, smem;\nmov.u32 i, 0;\nmad.lo.u32 s1, %t, 4, s0;\nmov.u64 g0, %a;\n"
        "fill:\nld.global.b32 x299, [g0];\nst.shared.b32 [s1], x299;\nadd.u64 g0, g0, 512;\nadd.u32 s1, s1, 512;\n"
        "add.u32 i, i, 1;\nsetp.lt.u32 more, i, " +
        std::to_string(sharedBytes / 512) + ";\n@more bra fill;\n" + proxyFence + "bar.sync 0;\n";
    unsigned next = 0;
    auto load = [&](unsigned start, unsigned count) {
      std::string list = "{";
      for (unsigned r = 0; r < count; ++r, ++next) {
        text += "ld.global.b32 x" + std::to_string(next) + ", [%a+" + std::to_string((start + r * 128) * 4) + "];\n";
        list += (r ? ", x" : "x") + std::to_string(next);
      }
      return list + "}";
    };
    std::string listA = load(startA(), 4), listMeta = load(startMeta(), 1), listD = load(startC(), regsD());
    auto descriptor = [&](const char *reg, const SharedLayout &layout) {
      text += "add.u32 s1, s0, " + std::to_string(layout.start) +
              ";\nshr.u32 s1, s1, 4;\nand.b32 s1, s1, 0x3fff;\nmul.wide.u32 sa, s1, 1;\n" + "or.b64 " + reg + ", sa, " +
              std::to_string(static_cast<int64_t>(layout.descriptor())) + ";\n";
    };
    descriptor("da", layoutA);
    descriptor("db", layoutB);
    text += "setp.eq.u32 sd, s0, " + std::string(accumulate ? "s0" : "0xffffffff") + ";\n" + beforeFence + fence;
    text += "wgmma.mma_async" + std::string(sparse ? ".sp" : "") + ".sync.aligned.m64n" + std::to_string(n) + "k" +
            std::to_string(k()) + "." + d + "." + a + "." + b + (a == "b1" ? ".and.popc" : "") + " " + listD + ", " +
            (aInRegisters ? listA : "da") + ", db";
    if (sparse)
      text += ", x4, " + std::to_string(selector);
    text += ", sd";
    if (d != "s32") {
      text += ", " + std::to_string(signA) + ", " + std::to_string(signB);
      if (bits() == 16)
        text += (aInRegisters ? std::string() : layoutA.kMajor ? ", 0" : ", 1") + (layoutB.kMajor ? ", 0" : ", 1");
    }
    text += ";\n" + wait;
    for (unsigned r = 0; r < regsD(); ++r)
      text += "st.global.b32 [%a+" + std::to_string((startD() + r * 128) * 4) + "], x" + std::to_string(5 + r) + ";\n";
    return text;
  }

  MatrixCase::Data make(unsigned seed) const {
    const unsigned depth = k(), storedK = kept(), width = bits();
    std::mt19937 random(seed);
    MatrixCase pick{"", 16, 8, depth, d, a, b, d};
    pick.sparse = sparse;
    pick.selector = selector;
    MatrixCase::Data data;
    data.a.assign(64 * depth, 0);
    data.b.resize(depth * n);
    data.c.resize(64 * n);
    data.words.assign(words(), 0);
    for (double &value : data.b)
      value = pick.pick(random, b);
    for (double &value : data.c)
      value = static_cast<int>(random() % 65) - 32;
    std::vector<double> stored(64 * storedK);
    for (double &value : stored)
      value = pick.pick(random, a);
    std::vector<unsigned> column(64 * storedK);
    for (unsigned i = 0; i < column.size(); ++i)
      column[i] = i % storedK;
    if (sparse)
      for (unsigned w = 0; w < 4; ++w) {
        std::vector<unsigned> ofWarp(16 * storedK);
        std::vector<uint32_t> meta(pick.words());
        pick.fillMetadata(random, ofWarp, meta);
        std::copy(ofWarp.begin(), ofWarp.end(), column.begin() + w * 16 * storedK);
        std::copy_n(meta.begin() + pick.startExtra(), 32, data.words.begin() + startMeta() + w * 32);
      }
    for (unsigned i = 0; i < 64; ++i)
      for (unsigned e = 0; e < storedK; ++e) {
        double value = stored[i * storedK + e];
        data.a[i * depth + column[i * storedK + e]] = value;
        if (!aInRegisters)
          MatrixCase::put(data.words, layoutA.bitOf(i, e, width), width, encode(a, value));
      }
    for (unsigned e = 0; e < depth; ++e)
      for (unsigned j = 0; j < n; ++j)
        MatrixCase::put(data.words, layoutB.bitOf(j, e, width), width, encode(b, data.b[e * n + j]));
    for (unsigned thread = 0; thread < 128; ++thread) {
      unsigned w = thread / 32, lane = thread % 32;
      auto bitOf = [&](unsigned start, unsigned i, unsigned size) {
        return size_t(start) * 32 + size_t(i * size / 32 * 128 + thread) * 32 + i * size % 32;
      };
      for (unsigned i = 0; i < 4 * 32 / width; ++i) {
        auto [row, col] = pick.placeOfA(lane, i);
        MatrixCase::put(data.words, bitOf(startA(), i, width), width,
                        encode(a, stored[(w * 16 + row) * storedK + col]));
      }
    }
    data.expected.assign(regsD() * 128, 0);
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned i = 0; i < n / 2; ++i) {
        auto [inTile, col] = pick.placeOfC(thread % 32, i % 4);
        unsigned row = thread / 32 * 16 + inTile, j = i / 4 * 8 + col, size = bitsOfType(d);
        size_t bit = size_t(i * size / 32 * 128 + thread) * 32 + i * size % 32;
        MatrixCase::put(data.words, size_t(startC()) * 32 + bit, size, encode(d, data.c[row * n + j]));
        double sum = accumulate ? data.c[row * n + j] : 0;
        for (unsigned e = 0; e < depth; ++e)
          sum += signA * signB * data.a[row * depth + e] * data.b[e * n + j];
        MatrixCase::put(data.expected, bit, size, encode(d, sum));
      }
    return data;
  }
};

/// Layouts with strides that leave no overlap: for `rows` along M or N.
inline SharedLayout layoutOf(bool kMajor, unsigned swizzle, unsigned start, unsigned rows, unsigned rowBytes) {
  SharedLayout layout{kMajor, swizzle, start, 0, 0};
  unsigned groups = (rows + 7) / 8;
  if (kMajor) {
    layout.stride = swizzle == 16 ? 128 : 8 * swizzle;
    layout.leading = swizzle == 16 ? groups * 128 : 16;
  } else if (swizzle == 16) {
    layout.stride = 128; // between chunks along M or N
    layout.leading = groups * 128;
  } else {
    layout.stride = 8 * swizzle; // between groups of 8 along K
    layout.leading = rowBytes / 2 / 8 * 8 * swizzle;
  }
  return layout;
}

/// Every type and layout; widths N in steps of `step` (8: all of them).
inline std::vector<WgmmaCase> wgmmaCases(unsigned step = 40) {
  std::vector<WgmmaCase> cases;
  auto add = [&](const std::string &d, const std::string &a, const std::string &b, unsigned n, bool registers, bool kA,
                 unsigned swizzleA, bool kB, unsigned swizzleB, bool sparse = false, unsigned selector = 0) {
    WgmmaCase one;
    one.d = d;
    one.a = a;
    one.b = b;
    one.n = n;
    one.aInRegisters = registers;
    one.sparse = sparse;
    one.selector = selector;
    one.layoutA = layoutOf(kA, swizzleA, 0, 64, 32);
    one.layoutB = layoutOf(kB, swizzleB, 32768, n, sparse ? 64 : 32);
    cases.push_back(one);
  };
  for (unsigned sA : {16, 32, 64, 128})
    for (unsigned sB : {16, 32, 64, 128})
      for (bool kA : {true, false})
        for (bool kB : {true, false})
          add("f32", "f16", "f16", 64, false, kA, sA, kB, sB);
  for (unsigned n = 8; n <= 256; n += step) {
    add(n % 16 ? "f16" : "f32", "f16", "f16", n, n % 3 == 0, true, 128, n % 5 == 0, 128);
    add("f32", "bf16", "bf16", n, n % 3 != 0, n % 5 != 0, 64, true, 32);
  }
  for (unsigned s : {16, 32, 64, 128})
    for (bool registers : {false, true}) {
      add("f32", "tf32", "tf32", 40, registers, true, s, true, s);
      add("f32", "e4m3", "e5m2", 96, registers, true, s, true, s);
      add("f16", "e5m2", "e4m3", 128, registers, true, s, true, s);
      add("s32", "s8", "u8", 32, registers, true, s, true, s);
      add("s32", "u8", "s8", 240, registers, true, s, true, s);
      add("s32", "b1", "b1", 48, registers, true, s, true, s);
    }
  for (bool registers : {false, true})
    for (unsigned selector : {0, 1}) {
      add("f32", "f16", "f16", 64, registers, true, 128, true, 128, true, selector);
      add("f16", "f16", "f16", 32, registers, true, 64, false, 128, true, selector);
      add("f32", "bf16", "bf16", 128, registers, true, 32, true, 64, true, selector);
      add("f32", "tf32", "tf32", 16, registers, true, 128, true, 128, true, selector);
    }
  for (bool registers : {false, true}) {
    add("f32", "e4m3", "e4m3", 64, registers, true, 128, true, 128, true);
    add("s32", "s8", "s8", 64, registers, true, 16, true, 16, true);
  }
  WgmmaCase negative = cases.front();
  negative.signA = -1;
  cases.push_back(negative);
  negative.signB = -1;
  negative.accumulate = false;
  cases.push_back(negative);
  return cases;
}

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_WGMMACASE_H
