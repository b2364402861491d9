// The references of the quantisation cases, as those cases write them, against golden blocks of an independent program.
#include "test/cases/FloatCodes.h"
#include "test/cases/Reference.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace cases;
using tilec::ElementType;

namespace {
/// A line of the file about one block: "f8E4M3FN", "up", what stands after them.
struct Quantised {
  std::string format;
  bool isUp = false;
  std::vector<std::string> rest;
};

struct Block {
  std::vector<float> values;
  std::vector<Quantised> results;
};
} // namespace

static std::vector<Block> readBlocks() {
  std::ifstream file(TILEC_SOURCE_DIR "/test/cases/golden/quantize.txt");
  EXPECT_TRUE(file) << "test/cases/golden/quantize.txt is missing";
  std::vector<Block> blocks;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    Quantised result;
    words >> result.format;
    for (std::string word; words >> word;)
      if (word == "up")
        result.isUp = true;
      else
        result.rest.push_back(word);
    if (result.format != "block") {
      blocks.back().results.push_back(result);
      continue;
    }
    blocks.emplace_back();
    for (size_t i = 0; i < 32; ++i)
      blocks.back().values.push_back(
          float(valueOf(ElementType::F32, std::stoul(result.rest[0].substr(8 * i, 8), nullptr, 16))));
  }
  return blocks;
}

static uint64_t hex(const std::string &digits) { return std::stoull(digits, nullptr, 16); }

/// Evaluates the tables of a case for one block as X, and gives SCALE and ELEMENT.
class CaseTables {
public:
  CaseTables(const std::string &name, const std::string &definitions) {
    std::ifstream file(TILEC_SOURCE_DIR "/test/cases/mx/" + name + ".case");
    EXPECT_TRUE(file) << name;
    std::stringstream stream;
    stream << file.rdbuf();
    std::string error;
    spec = parseCase(name, stream.str(), definitions, error);
    EXPECT_EQ(error, "");
    sizes = {{"M", 1}, {"K", 32}};
  }

  void setScalar(const std::string &value) { spec.scalars.at(0).value = value; }

  void evaluate(const Block &block) {
    buffers.clear();
    std::string error;
    for (const BufferSpec &buffer : spec.buffers) {
      HostBuffer made = makeBuffer(buffer, sizes, error);
      if (buffer.name == "X") {
        made.allocate();
        for (int64_t i = 0; i < 32; ++i)
          made.set(i, codeOf(buffer.type, block.values[size_t(i)]));
      } else if (buffer.generator.kind == Generator::Kind::Table) {
        fillByFormula(made, spec, sizes, buffers, error);
      }
      buffers.push_back(std::move(made));
    }
    EXPECT_EQ(error, "");
  }

  const HostBuffer &operator[](const std::string &name) const {
    for (const HostBuffer &buffer : buffers)
      if (buffer.spec->name == name)
        return buffer;
    ADD_FAILURE() << "no table " << name;
    return buffers.front();
  }

  /// NaN scales count as equal; everything else must have the same bits.
  void expect(const std::vector<std::string> &scales, const std::string &elements, const std::string &where) const {
    const HostBuffer &scale = (*this)["SCALE"], &element = (*this)["ELEMENT"];
    ASSERT_EQ(size_t(scale.count()), scales.size()) << where;
    for (size_t i = 0; i < scales.size(); ++i) {
      uint64_t code = hex(scales[i]);
      bool bothNaN =
          std::isnan(valueOf(scale.spec->type, code)) && std::isnan(valueOf(scale.spec->type, scale.code(int64_t(i))));
      if (!bothNaN)
        EXPECT_EQ(scale.code(int64_t(i)), code) << where << ", scale " << i;
    }
    size_t digits = elements.size() / 32;
    for (int64_t i = 0; i < 32; ++i)
      EXPECT_EQ(element.code(i), hex(elements.substr(size_t(i) * digits, digits))) << where << ", element " << i;
  }

private:
  Case spec;
  Sizes sizes;
  std::vector<HostBuffer> buffers;
};

TEST(MxGolden, PowerOfTwoScales) {
  std::vector<Block> blocks = readBlocks();
  int compared = 0;
  for (bool isUp : {false, true})
    for (const char *format : {"f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"}) {
      CaseTables tables(isUp ? "quantize-round-up" : "quantize", std::string("E=") + format + " T=f32");
      for (size_t i = 0; i < blocks.size(); ++i) {
        tables.evaluate(blocks[i]);
        for (const Quantised &result : blocks[i].results)
          if (result.format == format && result.isUp == isUp) {
            tables.expect({result.rest[0]}, result.rest[1], "block " + std::to_string(i) + " to " + format);
            ++compared;
          }
      }
    }
  EXPECT_EQ(compared, int(blocks.size()) * 10);
  EXPECT_GT(blocks.size(), 70u);
}

TEST(MxGolden, Nvfp4) {
  std::vector<Block> blocks = readBlocks();
  int compared = 0;
  for (bool isUp : {false, true}) {
    std::string suffix = isUp ? "-round-up" : "";
    CaseTables plain("quantize-nvfp4" + suffix, "T=f32"), whole("quantize-nvfp4-tensor-scale" + suffix, "T=f32");
    for (size_t i = 0; i < blocks.size(); ++i)
      for (const Quantised &result : blocks[i].results)
        if (result.format == "nvfp4" && result.isUp == isUp) {
          double tensor = valueOf(ElementType::F32, hex(result.rest[0]));
          CaseTables &tables = tensor == 1 ? plain : whole;
          if (tensor != 1)
            tables.setScalar(std::to_string(tensor));
          tables.evaluate(blocks[i]);
          tables.expect({result.rest[1], result.rest[2]}, result.rest[3], "block " + std::to_string(i));
          ++compared;
        }
  }
  EXPECT_EQ(compared, int(blocks.size()) * 4);
}

TEST(MxGolden, IntegersInGroups) {
  std::vector<Block> blocks = readBlocks();
  int compared = 0;
  for (const char *kind : {"i8/f32", "i8/f16", "i4/bf16", "i4/f16"}) {
    std::string name = kind;
    CaseTables tables("quantize-groups", "G=32 T=f32 E=" + name.substr(0, 2) + " S=" + name.substr(3));
    for (size_t i = 0; i < blocks.size(); ++i)
      for (const Quantised &result : blocks[i].results)
        if (result.format == kind) {
          tables.evaluate(blocks[i]);
          tables.expect({result.rest[0]}, result.rest[1], "block " + std::to_string(i) + " to " + kind);
          ++compared;
        }
  }
  EXPECT_GT(compared, 250);
}
