#include "test/unit/Codegen/SampleKernels.h"

using namespace mlir::tile;

static constexpr int64_t narrowIndex = 2147483647 - (1 << 20);

static std::string entry(const std::string &symbol, const std::vector<std::string> &types) {
  std::string text = ".entry " + symbol + "(";
  for (size_t i = 0; i < types.size(); ++i)
    text += (i ? ", " : "") + std::string(".param .") + types[i] + " p" + std::to_string(i);
  return text + ") {}\n";
}

static KernelArgument view(const std::string &name, const std::string &type, std::optional<int64_t> columns,
                           bool readOnly) {
  KernelArgument argument;
  argument.name = name;
  argument.elementType = type;
  argument.extents = {std::nullopt, columns};
  argument.strides = {std::nullopt, 1};
  argument.readOnly = readOnly;
  return argument;
}

static KernelArgument scalar(const std::string &name, const std::string &type) {
  KernelArgument argument;
  argument.name = name;
  argument.kind = KernelArgument::Kind::Scalar;
  argument.elementType = type;
  return argument;
}

static KernelVariant variant(const std::string &symbol, int64_t align, int64_t maxIndex, int threads, int64_t shared) {
  KernelVariant result;
  result.symbol = symbol;
  result.alignBytes = align;
  result.maxIndex = maxIndex;
  result.threads = threads;
  result.sharedBytes = shared;
  return result;
}

static KernelImage gemmImage(const std::string &arch, int ptxVersion, int minDriver, bool workspace) {
  KernelImage image;
  image.arch = arch;
  image.ptxVersion = ptxVersion;
  image.minDriver = minDriver;
  // A is [M, K], B is [K, 64], C is [M, 64]: pointer, extents, strides; then alpha.
  std::vector<std::string> types = {"u64", "s64", "s64", "s64", "u64", "s64", "s64", "u64", "s64", "s64", "f32"};
  if (workspace)
    types.push_back("u64");
  image.ptx = "// \"quotes\", \\backslashes\\ and )ptx\" inside\n.target " + arch + "\n" + entry("gemm_fast", types) +
              entry("gemm_general", types);
  // Long enough for several pieces, with one line that is longer than any literal may be.
  for (int line = 0; line < 3000; ++line)
    image.ptx += "// filler line " + std::to_string(line) + "\n";
  image.ptx += "//" + std::string(40000, '-') + "\n";
  image.variants = {variant("gemm_fast", 16, narrowIndex, 128, 65536),
                    variant("gemm_general", 2, std::numeric_limits<int64_t>::max(), 256, 0)};
  image.variants[0].registers = 168;
  image.variants[0].spillBytes = 0;
  return image;
}

KernelInterface sample::gemm() {
  KernelInterface kernel;
  kernel.name = "gemm";
  kernel.doc = "C = alpha * A * B.\nEnds in a backslash \\";
  kernel.arguments = {view("A", "bf16", std::nullopt, true), view("B", "bf16", 64, true),
                      view("bias", "bf16", std::nullopt, true), view("C", "bf16", 64, false), scalar("alpha", "f32")};
  kernel.arguments[0].doc = "left operand";
  kernel.arguments[0].alignBytes = 4;
  kernel.arguments[2].dead = true;

  KernelConfiguration large;
  large.parameters = {{"BM", "256"}, {"T", "bf16"}};
  large.predicate = "dim(A, 0) >= 4096 && mod(dim(A, 1), 8) == 0";
  large.space = {{"dim(C, 0)", "dim(C, 1)"}, {256, 64}};
  large.images = {gemmImage("sm_80", 70, 11000, false)};

  KernelConfiguration small;
  small.parameters = {{"BM", "64"}, {"T", "bf16"}};
  small.space = {{"dim(C, 0)", "dim(C, 1)"}, {64, 64}};
  small.workspaceBytes = "ceildiv(dim(A, 0), 64) * 4";
  small.images = {gemmImage("sm_80", 70, 11000, true), gemmImage("sm_90a", 80, 12000, true)};
  std::string elf = "\177ELF\n" + entry("gemm_fast", {"u64"}) + entry("gemm_general", {"u64"});
  small.images[1].cubin.assign(elf.begin(), elf.end());
  small.images[1].cubinMinDriver = 12000;

  kernel.configurations = {large, small};
  return kernel;
}

KernelInterface sample::scalars() {
  KernelInterface kernel;
  kernel.name = "max";
  kernel.arguments = {scalar("0", "i1"),       scalar("new", "i8"),    scalar("stream", "i16"), scalar("a.b", "i32"),
                      scalar("a_b", "i64"),    scalar("min", "index"), scalar("h", "f16"),      scalar("bf", "bf16"),
                      scalar("double", "f64"), scalar("e", "f8E4M3FN")};
  KernelConfiguration configuration;
  configuration.space = {{"max(min, 3) * new"}, {1}};
  KernelImage image;
  image.arch = "sm_80";
  image.ptxVersion = 70;
  image.ptx = entry("scalars", {"u8", "s8", "s16", "s32", "s64", "s64", "b16", "b16", "f64", "b8"});
  image.variants = {variant("scalars", 0, std::numeric_limits<int64_t>::max(), 32, 0)};
  configuration.images = {image};
  kernel.configurations = {configuration};
  return kernel;
}

KernelInterface sample::empty() {
  KernelInterface kernel;
  kernel.name = "exp";
  KernelConfiguration configuration;
  KernelImage image;
  image.arch = "sm_80";
  image.ptx = entry("exp_entry", {});
  image.variants = {variant("exp_entry", 0, std::numeric_limits<int64_t>::max(), 32, 0)};
  configuration.images = {image};
  kernel.configurations = {configuration};
  return kernel;
}

KernelInterface sample::packed() {
  KernelInterface kernel;
  kernel.name = "dequantize";
  kernel.arguments = {view("W", "f4E2M1FN", std::nullopt, true), view("Q", "i4", std::nullopt, true),
                      view("S", "f8E8M0FNU", std::nullopt, true), view("Y", "f6E2M3FN", std::nullopt, false)};
  kernel.arguments[1].strides = {1, std::nullopt};
  KernelConfiguration configuration;
  configuration.space = {{"dim(W, 1)"}, {64}};
  KernelImage image;
  image.arch = "sm_80";
  image.ptxVersion = 70;
  std::vector<std::string> types;
  for (size_t i = 0; i < kernel.arguments.size(); ++i)
    types.insert(types.end(), {"u64", "s64", "s64", "s64"});
  image.ptx = entry("dequantize_fast", types) + entry("dequantize_general", types);
  image.variants = {variant("dequantize_fast", 16, narrowIndex, 128, 0),
                    variant("dequantize_general", 0, std::numeric_limits<int64_t>::max(), 128, 0)};
  image.variants[0].alignments.assign(kernel.arguments.size(), 16);
  image.variants[0].alignments[0] = 4;
  configuration.images = {image};
  kernel.configurations = {configuration};
  return kernel;
}

std::vector<KernelInterface> sample::all() { return {gemm(), scalars(), empty(), packed()}; }
