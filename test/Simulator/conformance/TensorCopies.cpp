// Tensor copies (PTX ISA, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor): one box moved by one thread.
//
// A case is a line of the table that begins with "tensor load", "tensor store" or "tensor reduce=OP", with type, dim,
// box and at (coordinates), innermost first; stride (of elements), swizzle, interleave, fill; place (of the box in
// shared memory, in bytes), expect (bytes, if others than those of the box); for im2col lower, upper, channels, pixels
// and offset. The results of a load are the words of shared memory, the last of which says whether its bytes were
// counted; those of others are the tensor.
#include "test/Simulator/conformance/Runner.h"

#include "lib/Simulator/Tma/TensorMap.h"

#include <cstring>
#include <dlfcn.h>

using namespace conformance;
using namespace tilec;
using namespace tilec::sim;

static constexpr unsigned sharedBytes = 32768;

bool conformance::isTensorCopy(const Form &form) { return form.name.rfind("tensor ", 0) == 0; }

static std::vector<int> numbersOf(const Form &form, const char *option) {
  std::vector<int> numbers;
  auto found = form.options.find(option);
  if (found == form.options.end())
    return numbers;
  const char *at = found->second.c_str();
  while (*at) {
    char *end = nullptr;
    numbers.push_back(static_cast<int>(std::strtol(at, &end, 10)));
    at = *end ? end + 1 : end;
  }
  return numbers;
}

static std::string textOf(const Form &form, const char *option, const char *otherwise) {
  auto found = form.options.find(option);
  return found == form.options.end() ? otherwise : found->second;
}

static std::string listOf(const std::vector<int> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text;
}

static bool isIm2col(const Form &form) { return form.options.count("pixels") != 0; }
static bool isLoad(const Form &form) { return form.name.rfind("tensor load", 0) == 0; }

static TensorType typeOf(const Form &form) {
  const std::string name = textOf(form, "type", "u8");
  for (unsigned type = 0; type < tensorTypes; ++type)
    if (name == tensorTypeName(static_cast<TensorType>(type)))
      return static_cast<TensorType>(type);
  return TensorType::U8;
}

/// Bytes that a copy moves. Element strides of the innermost dimension count for nothing. An interleaved box has 16 or
/// 32 bytes for each element of the innermost dimension, and the last dimension but one counts their parts.
static unsigned boxBytes(const Form &form) {
  unsigned elements = 1;
  const std::vector<int> strides = numbersOf(form, "stride");
  const unsigned bytes = tensorTypeBits(typeOf(form)) / 8;
  if (isIm2col(form))
    return form.number("pixels", 1) * form.number("channels", 1) * bytes;
  const std::vector<int> box = numbersOf(form, "box");
  const unsigned slice = form.number("interleave", 0);
  for (size_t i = 0; i < box.size(); ++i)
    if (!slice || i + 2 != box.size())
      elements *= strides.empty() || i == 0 ? box[i] : (box[i] + strides[i] - 1) / strides[i];
  return elements * (slice ? slice : bytes);
}

std::string conformance::tensorModule(const Form &form) {
  const std::vector<int> at = numbersOf(form, "at"), offsets = numbersOf(form, "offset");
  const std::string rank = std::to_string(at.size()) + "d", place = "[%map, {" + listOf(at) + "}]";
  const std::string mode = isIm2col(form) ? ".im2col" : textOf(form, "tile", "").empty() ? "" : ".tile";
  std::string text =
      ".version 8.6\n.target sm_90a\n.address_size 64\n"
      ".visible .entry form0(.param .align 64 .b8 map[128], .param .u64 results)\n{\n"
      " .reg .b32 %t, %sh, %bar, %i, %r, %n;\n .reg .b64 %map, %out, %at, %state;\n .reg .pred %p, %first;\n"
      " .shared .align 1024 .b8 data[" +
      std::to_string(sharedBytes) +
      "];\n .shared .align 8 .b64 barrier;\n"
      " mov.b64 %map, map;\n cvta.param.u64 %map, %map;\n ld.param.u64 %out, [results];\n mov.u32 %t, %tid.x;\n"
      " mov.u32 %sh, data;\n mov.u32 %bar, barrier;\n setp.eq.u32 %first, %t, 0;\n mov.u32 %i, %t;\n"
      // Bytes below 4 are no NaN in any type.
      "fill:\n mul.lo.u32 %r, %i, 0x9e3779b1;\n shr.u32 %r, %r, 7;\n and.b32 %r, %r, " +
      textOf(form, "mask", "0x03030303") +
      ";\n shl.b32 %n, %i, 2;\n add.u32 %n, %n, %sh;\n st.shared.u32 [%n], %r;\n add.u32 %i, %i, 128;\n"
      " setp.lt.u32 %p, %i, " +
      std::to_string(sharedBytes / 4) +
      ";\n @%p bra fill;\n"
      " @%first mbarrier.init.shared.b64 [%bar], 1;\n fence.proxy.async;\n bar.sync 0;\n mov.u32 %i, 0;\n";
  const std::string box = "%sh+" + textOf(form, "place", "0");
  if (isLoad(form)) {
    text += " @!%first bra wait;\n mbarrier.arrive.expect_tx.shared.b64 %state, [%bar], " +
            textOf(form, "expect", std::to_string(boxBytes(form)).c_str()) + ";\n cp.async.bulk.tensor." + rank +
            ".shared::cluster.global" + mode + ".mbarrier::complete_tx::bytes [" + box + "], " + place + ", [%bar]" +
            (offsets.empty() ? "" : ", {" + listOf(offsets) + "}") +
            // Bounded, so that a copy that moves other than these bytes shows in the results rather than hangs.
            ";\nwait:\n mbarrier.test_wait.parity.shared.b64 %p, [%bar], 0;\n @%p bra done;\n add.u32 %i, %i, 1;\n"
            " setp.lt.u32 %p, %i, 30000;\n @%p bra wait;\n @!%first bra done;\n mov.u32 %r, 0x10ca;\n st.shared.u32 "
            "[%sh+32764], %r;\n"
            "done:\n bar.sync 0;\n mov.u32 %i, %t;\n"
            "copy:\n shl.b32 %n, %i, 2;\n add.u32 %n, %n, %sh;\n ld.shared.u32 %r, [%n];\n"
            " mul.wide.u32 %at, %i, 8;\n add.u64 %at, %at, %out;\n st.global.u32 [%at], %r;\n add.u32 %i, %i, 128;\n"
            " setp.lt.u32 %p, %i, " +
            std::to_string(sharedBytes / 4) + ";\n @%p bra copy;\n";
  } else {
    const std::string reduce = textOf(form, "reduce", "");
    text += " @!%first bra done;\n " + std::string(reduce.empty() ? "cp" : "cp.reduce") + ".async.bulk.tensor." + rank +
            ".global.shared::cta" + (reduce.empty() ? "" : "." + reduce) + (isIm2col(form) ? ".im2col_no_offs" : mode) +
            ".bulk_group " + place + ", [" + box +
            "];\n cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;\ndone:\n";
  }
  return text + " ret;\n}\n";
}

using EncodeTiled = int (*)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
                            const uint32_t *, int, int, int, int);
using EncodeIm2col = int (*)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const int *,
                             const int *, uint32_t, uint32_t, const uint32_t *, int, int, int, int);

static void *driverFunction(const char *name) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  return library ? dlsym(library, name) : nullptr;
}

/// Makes the map over memory at an address; returns what is wrong.
static std::string makeMap(const Form &form, uint64_t address, bool onGpu, size_t &bytes, TensorMap &map) {
  const std::vector<int> dims = numbersOf(form, "dim"), box = numbersOf(form, "box"), steps = numbersOf(form, "stride"),
                         lower = numbersOf(form, "lower"), upper = numbersOf(form, "upper");
  const uint32_t rank = static_cast<uint32_t>(dims.size());
  uint64_t globalDim[5] = {}, globalStrides[5] = {};
  uint32_t boxDim[5] = {}, elementStrides[5] = {};
  const TensorType type = typeOf(form);
  const std::string swizzleName = textOf(form, "swizzle", "none"), interleaveName = textOf(form, "interleave", "none");
  const int swizzle = swizzleName == "32B" ? 1 : swizzleName == "64B" ? 2 : swizzleName == "128B" ? 3 : 0;
  const int interleave = interleaveName == "16B" ? 1 : interleaveName == "32B" ? 2 : 0;
  const int fill = textOf(form, "fill", "zero") == "nan";
  // With interleave, the innermost dimension's elements make slices of 16 or 32 bytes.
  bytes = interleave == 1 ? 16 : interleave == 2 ? 32 : static_cast<size_t>(dims[0]) * tensorTypeBits(type) / 8;
  bytes = (bytes + 31) / 32 * 32;
  for (uint32_t i = 0; i < rank; ++i) {
    globalDim[i] = static_cast<uint64_t>(dims[i]);
    boxDim[i] = box.empty() ? 1 : static_cast<uint32_t>(box[i]);
    elementStrides[i] = steps.empty() ? 1 : static_cast<uint32_t>(steps[i]);
    if (i) {
      globalStrides[i - 1] = bytes;
      bytes *= globalDim[i];
    }
  }
  if (interleave)
    bytes *= (static_cast<size_t>(dims[0]) * tensorTypeBits(type) / 8 + 15) / 16;
  if (address == 0)
    return {};
  if (isIm2col(form)) {
    const uint32_t channels = form.number("channels", 1), pixels = form.number("pixels", 1);
    if (!onGpu)
      return encodeIm2col(&map, type, rank, address, globalDim, globalStrides, lower.data(), upper.data(), channels,
                          pixels, elementStrides, TensorInterleave(interleave), TensorSwizzle(swizzle),
                          TensorPromotion::None, TensorFill(fill));
    auto encode = reinterpret_cast<EncodeIm2col>(driverFunction("cuTensorMapEncodeIm2col"));
    int error =
        !encode ? -1
                : encode(&map, int(type), rank, reinterpret_cast<void *>(address), globalDim, globalStrides,
                         lower.data(), upper.data(), channels, pixels, elementStrides, interleave, swizzle, 0, fill);
    return error ? "cuTensorMapEncodeIm2col refuses it: " + std::to_string(error) : "";
  }
  if (!onGpu)
    return encodeTiled(&map, type, rank, address, globalDim, globalStrides, boxDim, elementStrides,
                       TensorInterleave(interleave), TensorSwizzle(swizzle), TensorPromotion::None, TensorFill(fill));
  auto encode = reinterpret_cast<EncodeTiled>(driverFunction("cuTensorMapEncodeTiled"));
  int error = !encode ? -1
                      : encode(&map, int(type), rank, reinterpret_cast<void *>(address), globalDim, globalStrides,
                               boxDim, elementStrides, interleave, swizzle, 0, fill);
  return error ? "cuTensorMapEncodeTiled refuses it: " + std::to_string(error) : "";
}

/// The tensor's initial content: any bits, but no NaN where floats are reduced.
static void fillTensor(const Form &form, std::vector<unsigned char> &tensor) {
  const bool reduces = form.options.count("reduce") != 0;
  const TensorType type = typeOf(form);
  for (size_t i = 0; i < tensor.size(); ++i) {
    uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;
    tensor[i] = static_cast<unsigned char>(reduces && isFloat(type) ? bits >> 37 & 0x3f : bits >> 37);
  }
}

Outcome conformance::runTensorCopy(Device &device, const std::string &module, const Form &form, bool onGpu) {
  Outcome outcome;
  auto failed = [&](const std::string &why) {
    outcome.failure = why;
    return outcome;
  };
  if (textOf(form, "type", "") != tensorTypeName(typeOf(form)))
    return failed("unknown type '" + textOf(form, "type", "") + "'");
  const char *text = module.c_str();
  Result<Function> function = device.load(CodeImage::ofPtx(&text), "form0", 0);
  if (!function)
    return failed(function.message());
  size_t bytes = 0;
  TensorMap map;
  (void)makeMap(form, 0, onGpu, bytes, map);
  std::vector<unsigned char> tensor(bytes);
  fillTensor(form, tensor);
  Result<Buffer<unsigned char>> memory = Buffer<unsigned char>::from(device, tensor);
  Result<Buffer<uint64_t>> results = Buffer<uint64_t>::from(device, std::vector<uint64_t>(sharedBytes / 4));
  if (!memory || !results)
    return failed("no memory");
  if (std::string wrong = makeMap(form, reinterpret_cast<uint64_t>(memory->data()), onGpu, bytes, map); !wrong.empty())
    return failed(wrong);
  void *address = results->data();
  void *parameters[] = {&map, &address};
  const uint32_t sizes[] = {128, 8};
  LaunchRequest request;
  request.function = *function;
  request.blocks = 1;
  request.threads = 128;
  request.parameters = parameters;
  request.parameterSizes = sizes;
  request.parameterCount = 2;
  if (Status launched = device.launch(request); !launched)
    return failed(launched.message());
  if (Status ended = device.synchronize(); !ended)
    return failed(ended.message());
  if (isLoad(form)) {
    Result<std::vector<uint64_t>> found = results->toHost();
    if (!found)
      return failed(found.message());
    outcome.results = std::move(*found);
    return outcome;
  }
  Result<std::vector<unsigned char>> found = memory->toHost();
  if (!found)
    return failed(found.message());
  outcome.results.resize((bytes + 3) / 4);
  for (size_t i = 0; i < bytes; ++i)
    outcome.results[i / 4] |= uint64_t((*found)[i]) << (8 * (i % 4));
  return outcome;
}
