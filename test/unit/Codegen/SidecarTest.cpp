#include "lib/Codegen/Sidecar.h"
#include "lib/Codegen/SidecarReader.h"

#include "test/unit/Codegen/SampleKernels.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace mlir::tile;
using llvm::json::Object;
using llvm::json::Value;

static Value parse(const std::vector<KernelInterface> &kernels, const SidecarOptions &options = {}) {
  llvm::Expected<std::string> text = emitSidecar(kernels, options);
  EXPECT_TRUE(bool(text));
  llvm::Expected<Value> value = llvm::json::parse(*text);
  EXPECT_TRUE(bool(value));
  return *value;
}

static Value text(llvm::StringRef json) { return llvm::cantFail(llvm::json::parse(json)); }

TEST(Sidecar, arguments) {
  Value sidecar = parse({sample::gemm()});
  const Object &kernel = *(*sidecar.getAsObject()->getArray("kernels"))[0].getAsObject();
  const llvm::json::Array &arguments = *kernel.getArray("arguments");
  ASSERT_EQ(arguments.size(), 5u);
  EXPECT_EQ(arguments[0], text(R"json({"name": "A", "kind": "view", "type": "bf16", "extents": ["?", "?"],
    "strides": ["?", 1], "align": 4, "readOnly": true, "dead": false, "doc": "left operand"})json"));
  EXPECT_EQ(arguments[2].getAsObject()->getBoolean("dead"), true);
  EXPECT_EQ(arguments[4], text(R"json({"name": "alpha", "kind": "scalar", "type": "f32", "dead": false})json"));
}

TEST(Sidecar, configuration) {
  Value sidecar = parse({sample::gemm()});
  const Object &kernel = *(*sidecar.getAsObject()->getArray("kernels"))[0].getAsObject();
  const Object &small = *(*kernel.getArray("configurations"))[1].getAsObject();
  EXPECT_EQ(*small.get("parameters"), text(R"json({"BM": "64", "T": "bf16"})json"));
  EXPECT_EQ(*small.get("space"), text(R"json({"extents": ["dim(C, 0)", "dim(C, 1)"], "steps": [64, 64]})json"));
  EXPECT_EQ(small.getString("workspaceBytes"), "ceildiv(dim(A, 0), 64) * 4");
  EXPECT_EQ(*small.get("entryParameters"), text(R"json([
    {"type": "u64", "of": "A", "is": "pointer"}, {"type": "i64", "of": "A", "is": "extent", "dim": 0},
    {"type": "i64", "of": "A", "is": "extent", "dim": 1}, {"type": "i64", "of": "A", "is": "stride", "dim": 0},
    {"type": "u64", "of": "B", "is": "pointer"}, {"type": "i64", "of": "B", "is": "extent", "dim": 0},
    {"type": "i64", "of": "B", "is": "stride", "dim": 0},
    {"type": "u64", "of": "C", "is": "pointer"}, {"type": "i64", "of": "C", "is": "extent", "dim": 0},
    {"type": "i64", "of": "C", "is": "stride", "dim": 0},
    {"type": "f32", "of": "alpha", "is": "scalar"}, {"type": "u64", "is": "workspace"}])json"));
  const Object &image = *(*small.getArray("images"))[1].getAsObject();
  EXPECT_EQ(*image.get("variants"), text(R"json([
    {"symbol": "gemm_fast", "align": 16, "maxIndex": 2146435071, "threads": 128, "sharedBytes": 65536,
     "registers": 168, "spillBytes": 0},
    {"symbol": "gemm_general", "align": 2, "threads": 256, "sharedBytes": 0}])json"));
}

TEST(Sidecar, codeUnderItsHash) {
  KernelInterface kernel = sample::gemm();
  const KernelImage &expected = kernel.configurations[1].images[1];
  Value sidecar = parse({kernel});
  const Object &root = *sidecar.getAsObject();
  const Object &code = *root.getObject("code");
  EXPECT_EQ(code.size(), 4u);
  const Object &parsed = *(*root.getArray("kernels"))[0].getAsObject();
  const Object &small = *(*parsed.getArray("configurations"))[1].getAsObject();
  const Object &image = *(*small.getArray("images"))[1].getAsObject();
  EXPECT_EQ(code.getObject(*image.getString("ptx"))->getString("ptx"), expected.ptx);
  std::vector<char> cubin;
  llvm::cantFail(llvm::decodeBase64(*code.getObject(*image.getString("cubin"))->getString("cubin"), cubin));
  EXPECT_EQ(std::vector<uint8_t>(cubin.begin(), cubin.end()), expected.cubin);

  SidecarOptions options;
  options.embedCode = false;
  options.source = "gemm.mlir";
  Value without = parse({kernel}, options);
  EXPECT_EQ(without.getAsObject()->get("code"), nullptr);
  EXPECT_EQ(without.getAsObject()->getString("source"), "gemm.mlir");
}

TEST(Sidecar, packedElementsThereAndBack) {
  llvm::Expected<std::vector<KernelInterface>> read = readSidecar(llvm::cantFail(emitSidecar({sample::packed()})));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  std::vector<std::string> types;
  for (const KernelArgument &argument : read->at(0).arguments)
    types.push_back(argument.elementType);
  EXPECT_EQ(types, (std::vector<std::string>{"f4E2M1FN", "i4", "f8E8M0FNU", "f6E2M3FN"}));
  EXPECT_EQ(read->at(0).arguments[1].strides, (std::vector<std::optional<int64_t>>{1, std::nullopt}));
}

TEST(Sidecar, stringsOfAnyBytes) {
  KernelInterface kernel = sample::gemm();
  kernel.doc = "quote \" newline \n tab \t control \x01 bad utf-8 \xff end";
  Value sidecar = parse({kernel});
  EXPECT_EQ((*sidecar.getAsObject()->getArray("kernels"))[0].getAsObject()->getString("doc"),
            "quote \" newline \n tab \t control \x01 bad utf-8 \xEF\xBF\xBD end");
}

TEST(Sidecar, unsoundInterface) {
  KernelInterface kernel = sample::gemm();
  kernel.configurations.clear();
  EXPECT_EQ(llvm::toString(emitSidecar({kernel}).takeError()), "kernel 'gemm' has no configurations");
}
