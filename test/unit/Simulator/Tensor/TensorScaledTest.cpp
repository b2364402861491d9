// Block-scaled sums against exact ones, and the bound of every row of the table against exact sums.
#include "lib/Simulator/Tensor/Model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace tilec::sim;

namespace {

constexpr unsigned m = 16, n = 8;

uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

double valueOf(OperandFormat format, Unpacked x) {
  return x.significand ? std::ldexp(x.significand, x.exponent - int(fractionBits(format))) : 0;
}

/// Magnitude with the leading bit of a normal number: what an exponent stands for.
double placeOf(Unpacked x) { return x.significand ? std::ldexp(1.0, x.exponent + 1) : 0; }

/// Towards zero, to 24 bits: f32 as a double in the normal range.
uint32_t cut(double x) {
  float near = float(x);
  if (std::fabs(near) > std::fabs(x))
    near = std::nextafter(near, 0.0f);
  return near == 0 ? 0 : bitsOf(near);
}

double scaleValue(ScaleFormat format, uint8_t byte) {
  if (format == ScaleFormat::UE8M0)
    return std::ldexp(1.0, byte - 127);
  int exponent = byte >> 3 & 15, fraction = byte & 7;
  return exponent ? std::ldexp(8 + fraction, exponent - 10) : std::ldexp(fraction, -9);
}

/// A scaled problem with random elements and scales of `low` to `high`.
struct Problem {
  OperandFormat aFormat, bFormat;
  ScaleFormat scaleFormat;
  unsigned scales, k;
  std::vector<Unpacked> a, b;
  std::vector<uint8_t> aScales, bScales;
  std::vector<uint32_t> c, d;

  Problem(std::mt19937 &random, OperandFormat aFormat, OperandFormat bFormat, ScaleFormat scaleFormat, unsigned scales,
          unsigned k, unsigned low, unsigned high)
      : aFormat(aFormat), bFormat(bFormat), scaleFormat(scaleFormat), scales(scales), k(k), d(m * n) {
    auto factors = [&](OperandFormat format, size_t count) {
      std::vector<uint8_t> bytes(count);
      for (uint8_t &x : bytes)
        x = uint8_t(random());
      if (format == OperandFormat::E4M3 || format == OperandFormat::E5M2)
        for (uint8_t &x : bytes)
          x &= 0xB7; // no NaN, exponents of both signs
      std::vector<Unpacked> out(count);
      unpack(format, bytes.data(), count, out.data());
      return out;
    };
    a = factors(aFormat, m * k), b = factors(bFormat, n * k);
    for (unsigned i = 0; i < m * scales; ++i)
      aScales.push_back(uint8_t(low + random() % (high - low + 1)));
    for (unsigned i = 0; i < n * scales; ++i)
      bScales.push_back(uint8_t(low + random() % (high - low + 1)));
    for (unsigned i = 0; i < m * n; ++i)
      c.push_back(bitsOf(float(int(random() % 512) - 256) / 16));
  }

  void run(const AccumulationModel &model) {
    multiplyAccumulateScaled(model, aFormat, bFormat, scaleFormat, scales, m, n, k, a.data(), aScales.data(), b.data(),
                             bScales.data(), c.data(), d.data());
  }

  double exact(unsigned i, unsigned j) const {
    float initial;
    std::memcpy(&initial, &c[i * n + j], sizeof initial);
    double sum = initial;
    for (unsigned p = 0; p < k; ++p) {
      unsigned at = p / (k / scales);
      sum += valueOf(aFormat, a[i * k + p]) * valueOf(bFormat, b[p * n + j]) *
             scaleValue(scaleFormat, aScales[i * scales + at]) * scaleValue(scaleFormat, bScales[at * n + j]);
    }
    return sum;
  }
};

TEST(TensorScaled, FourBitSumsAreExactAndCutOnce) {
  std::mt19937 random(1);
  // mxf4nvf4: 4X of UE4M3 with exponents near 0; mxf4: 2X of UE8M0. Nothing lies 35 bits below the largest addend.
  for (unsigned repeat = 0; repeat < 100; ++repeat)
    for (bool nv : {true, false}) {
      Problem p(random, OperandFormat::E2M1, OperandFormat::E2M1, nv ? ScaleFormat::UE4M3 : ScaleFormat::UE8M0,
                nv ? 4 : 2, 64, nv ? 0x28 : 124, nv ? 0x4F : 130);
      p.run(scaledAccumulationModel(120, p.aFormat, p.bFormat, p.k));
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; ++j)
          ASSERT_EQ(p.d[i * n + j], cut(p.exact(i, j))) << nv;
    }
}

TEST(TensorScaled, ScalesOfWiderFormatsMoveExponents) {
  std::mt19937 random(2);
  const OperandFormat formats[] = {OperandFormat::E4M3, OperandFormat::E5M2, OperandFormat::E3M2, OperandFormat::E2M3,
                                   OperandFormat::E2M1};
  for (OperandFormat a : formats)
    for (OperandFormat b : formats)
      for (uint8_t scale : {20, 127, 180}) {
        // The same scale everywhere and no accumulator: the result is the unscaled one's, moved.
        Problem p(random, a, b, ScaleFormat::UE8M0, 1, 32, scale, scale);
        AccumulationModel model = scaledAccumulationModel(120, a, b, 32);
        std::fill(p.c.begin(), p.c.end(), 0);
        p.run(model);
        std::vector<uint32_t> plain(m * n);
        multiplyAccumulateSlowly(model, a, b, m, n, 32, p.a.data(), p.b.data(), p.c.data(), plain.data());
        for (unsigned i = 0; i < m * n; ++i) {
          float from, to;
          std::memcpy(&from, &plain[i], 4), std::memcpy(&to, &p.d[i], 4);
          if (scale == 127 || std::fabs(std::ldexp(double(from), 2 * (scale - 127))) >= 0x1p-126) {
            ASSERT_EQ(to, std::ldexp(from, 2 * (scale - 127))) << int(a) << " " << int(b);
          }
        }
      }
}

TEST(TensorScaled, ANotANumberScaleSpoilsItsRowAndColumn) {
  std::mt19937 random(3);
  for (bool wide : {true, false})
    for (ScaleFormat format : {ScaleFormat::UE8M0, ScaleFormat::UE4M3}) {
      if (wide && format == ScaleFormat::UE4M3)
        continue;
      OperandFormat elements = wide ? OperandFormat::E4M3 : OperandFormat::E2M1;
      Problem p(random, elements, elements, format, wide ? 1 : 4, wide ? 32 : 64, 60, 70);
      p.aScales[3 * p.scales] = format == ScaleFormat::UE8M0 ? 255 : 0x7F;
      p.bScales[5] = format == ScaleFormat::UE8M0 ? 255 : 0xFF; // the sign is ignored
      p.run(scaledAccumulationModel(120, elements, elements, p.k));
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; ++j)
          ASSERT_EQ(p.d[i * n + j] == 0x7FFFFFFF, i == 3 || j == 5) << i << " " << j;
    }
}

TEST(TensorScaled, RunsOfSixteenShareAnAddend) {
  // 1.5 * 2^-34 in a run of its own lies below 2^0 by more than 35 bits once halved; within a run nothing is lost.
  std::vector<uint8_t> bytes(64, 0), ones(64, 0x2 << 2);
  bytes[0] = 0x2 << 2, bytes[16] = 0x3 << 2; // 1 and 1.5
  std::vector<Unpacked> a(64), b(64);
  unpack(OperandFormat::E2M1, bytes.data(), 64, a.data());
  unpack(OperandFormat::E2M1, ones.data(), 64, b.data());
  AccumulationModel model = scaledAccumulationModel(120, OperandFormat::E2M1, OperandFormat::E2M1, 64);
  uint8_t bScales[4] = {127, 127, 127, 127};
  uint32_t c = bitsOf(-1.0f), d;
  auto last = [&](uint8_t scale) {
    uint8_t aScales[4] = {127, scale, 127, 127};
    multiplyAccumulateScaled(model, OperandFormat::E2M1, OperandFormat::E2M1, ScaleFormat::UE8M0, 4, 1, 1, 64, a.data(),
                             aScales, b.data(), bScales, &c, &d);
    return d;
  };
  EXPECT_EQ(last(127 - 34), bitsOf(0x1.8p-34f));
  EXPECT_EQ(last(127 - 35), bitsOf(0x1p-35f)); // 1.5 * 2^-35: cut to the last place
  EXPECT_EQ(last(127 - 36), 0u);               // 0.75 * 2^-35
}

TEST(TensorScaled, EveryRowOfTheTableKeepsItsBound) {
  std::mt19937 random(4);
  const unsigned k = 16;
  for (unsigned sm : {70u, 80u, 89u, 90u, 100u, 120u})
    for (OperandFormat format : {OperandFormat::F16, OperandFormat::BF16, OperandFormat::E4M3, OperandFormat::E5M2})
      for (ResultFormat result : {ResultFormat::F32, ResultFormat::F16})
        for (TensorInstruction instruction : {TensorInstruction::Mma, TensorInstruction::Wgmma})
          for (unsigned repeat = 0; repeat < 20; ++repeat) {
            std::vector<uint16_t> words(2 * m * k);
            for (uint16_t &x : words)
              x = uint16_t(random() & (format == OperandFormat::F16    ? 0xB7FF
                                       : format == OperandFormat::BF16 ? 0xBFFF
                                                                       : 0xB7B7));
            std::vector<Unpacked> x(m * k), y(n * k);
            unpack(format, words.data(), x.size(), x.data());
            unpack(format, words.data() + x.size(), y.size(), y.data());
            std::vector<uint32_t> c(m * n, 0), d(m * n);
            AccumulationModel model = accumulationModel(sm, instruction, format, format, result, k);
            multiplyAccumulate(model, format, format, m, n, k, x.data(), y.data(), c.data(), d.data());
            for (unsigned i = 0; i < m; ++i)
              for (unsigned j = 0; j < n; ++j) {
                double exact = 0, largest = 0;
                for (unsigned p = 0; p < k; ++p) {
                  exact += valueOf(format, x[i * k + p]) * valueOf(format, y[p * n + j]);
                  largest += placeOf(x[i * k + p]) * placeOf(y[p * n + j]);
                }
                std::vector<Unpacked> half(1);
                float full;
                unpack(OperandFormat::F16, &d[i * n + j], 1, half.data());
                std::memcpy(&full, &d[i * n + j], sizeof full);
                double got = result == ResultFormat::F16 ? valueOf(OperandFormat::F16, half[0]) : full;
                if (std::fabs(exact) < 60000) {
                  ASSERT_LE(std::fabs(got - exact), accumulationErrorBound(model, k, largest))
                      << sm << " " << int(format);
                }
              }
          }
}

TEST(TensorScaled, NibblesComeLowerFirst) {
  const uint8_t bytes[] = {0xF8, 0x71};
  int16_t integers[4];
  unpackIntegers(IntegerFormat::S4, bytes, 4, integers);
  EXPECT_EQ(std::vector<int16_t>(integers, integers + 4), (std::vector<int16_t>{-8, -1, 1, 7}));
  unpackIntegers(IntegerFormat::U4, bytes, 4, integers);
  EXPECT_EQ(std::vector<int16_t>(integers, integers + 4), (std::vector<int16_t>{8, 15, 1, 7}));
  Unpacked floats[4];
  unpackNibbles(bytes, 4, floats);
  EXPECT_EQ(valueOf(OperandFormat::E2M1, floats[0]), 0);
  EXPECT_EQ(valueOf(OperandFormat::E2M1, floats[1]), -6);
  EXPECT_EQ(valueOf(OperandFormat::E2M1, floats[2]), 0.5);
  EXPECT_EQ(valueOf(OperandFormat::E2M1, floats[3]), 6);
}

TEST(TensorScaled, BitsAreCounted) {
  const uint32_t a[8] = {~0u, 0xF, 0, 1, 0, 0, 0, 0}, b[8] = {0xFF, 0xFF, 1, 1, ~0u, ~0u, ~0u, ~0u};
  const int32_t c[4] = {0, 10, -1, INT32_MAX};
  int32_t d[4];
  multiplyAccumulateBits(BitOperation::And, 2, 2, 128, a, b, c, d);
  EXPECT_EQ(std::vector<int32_t>(d, d + 4), (std::vector<int32_t>{13, 47, -1, INT32_MAX}));
  multiplyAccumulateBits(BitOperation::Xor, 2, 2, 128, a, b, c, d);
  EXPECT_EQ(std::vector<int32_t>(d, d + 4), (std::vector<int32_t>{29, 101, 17, int32_t(uint32_t(INT32_MAX) + 128)}));
}

} // namespace
