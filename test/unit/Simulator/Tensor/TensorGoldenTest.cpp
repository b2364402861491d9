// Operands and results of tensor instructions as an H200 computed them: the simulator repeats every bit. The file
// holds, of the vectors that the models were fitted to, the rows that tell most (fit-tensor-model --extract).
#include "test/unit/Simulator/Tensor/TensorVectors.h"

#include <gtest/gtest.h>

using namespace tilec::sim;
using namespace tilec::sim::test;

namespace {

std::vector<VectorClass> golden() {
  return readVectors(TILEC_SOURCE_DIR "/test/unit/Simulator/Tensor/h200-sm90.vectors");
}

TEST(TensorGolden, EveryOutputIsTheHardwares) {
  size_t outputs = 0;
  for (const VectorClass &of : golden())
    for (const VectorFragment &fragment : of.fragments) {
      std::vector<uint64_t> expected = hardwareOutputs(of, fragment);
      outputs += expected.size();
      EXPECT_EQ(simulatedOutputs(of, fragment, 90), expected) << of.name << " distribution " << fragment.distribution;
      if (of.isFloat()) {
        EXPECT_EQ(simulatedOutputs(of, fragment, 90, true), expected) << of.name << " slowly";
      }
    }
  EXPECT_EQ(outputs, 40u * 16 * 4 * 8);
}

TEST(TensorGolden, EveryClassIsCalledMeasured) {
  for (const VectorClass &of : golden()) {
    EXPECT_EQ(of.fragments.size(), 16u) << of.name;
    if (of.isFloat()) {
      EXPECT_EQ(of.model(90).source, ModelSource::Measured) << of.name;
    }
  }
}

TEST(TensorGolden, TheVectorsTellModelsApart) {
  for (const VectorClass &of : golden()) {
    if (!of.isFloat())
      continue;
    auto differs = [&](const AccumulationModel &model) {
      for (const VectorFragment &fragment : of.fragments) {
        UnpackedFragment f = unpackFragment(of, fragment);
        std::vector<uint32_t> d(f.d.size());
        multiplyAccumulate(model, OperandFormat(of.a), OperandFormat(of.b), of.m, of.n, of.rowLength(), f.a.data(),
                           f.b.data(), f.c.data(), d.data());
        if (d != f.d)
          return true;
      }
      return false;
    };
    AccumulationModel model = of.model(90);
    // Sums of e4m3 in f16 reach too few bits below their largest addend to depend on the alignment.
    if (of.a != VectorFormat::E4M3 || of.c != VectorFormat::F16 || of.wgmma) {
      --model.alignmentBits;
      EXPECT_TRUE(differs(model)) << of.name << " alignment";
      model = of.model(90);
      model.truncate = false;
      EXPECT_TRUE(differs(model)) << of.name << " floor";
    }
    model = of.model(90);
    model.group = std::min(model.group, of.rowLength()) / 2;
    EXPECT_TRUE(differs(model)) << of.name << " group";
    model = of.model(90);
    model.roundToNearest = !model.roundToNearest;
    EXPECT_TRUE(differs(model)) << of.name << " rounding";
  }
}

} // namespace
