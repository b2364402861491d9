/// Checks of a call's arguments against the kernel's declaration. The good path makes no strings; each message says
/// what was expected and what was found.
#include "lib/Runtime/Launch.h"

using namespace tilec;

/// "argument 'A' (view of bf16, rank 2): " and the reason.
static Status wrong(const ArgumentInfo &info, const std::string &reason) {
  std::string text = std::string("argument '") + info.name + "' (";
  if (info.isView)
    text += std::string("view of ") + elementTypeName(info.type) + ", rank " + std::to_string(info.rank);
  else
    text += std::string("scalar ") + elementTypeName(info.type);
  return Status::invalidArgument(text + "): " + reason);
}

static std::string shapeText(const AnyView &view) {
  std::string text;
  for (int dim = 0; dim < view.rank; ++dim)
    text += (dim ? "x" : "") + std::to_string(view.extents[dim]);
  return text.empty() ? "1" : text;
}

/// index and i64 are one type on the host.
static bool sameType(ElementType declared, ElementType found) {
  auto plain = [](ElementType type) { return type == ElementType::Index ? ElementType::I64 : type; };
  return plain(declared) == plain(found);
}

static Status checkSizes(const ArgumentInfo &info, const AnyView &view) {
  auto dimension = [](const char *what, int dim, int64_t value) {
    return std::string(what) + " " + std::to_string(dim) + " is " + std::to_string(value);
  };
  for (int dim = 0; dim < info.rank; ++dim) {
    int64_t extent = view.extents[dim];
    int64_t stride = view.strides[dim];
    if (extent < 0)
      return wrong(info, dimension("extent", dim, extent) + ", expected >= 0");
    if (info.extents[dim] != dynamicSize && info.extents[dim] != extent)
      return wrong(info, dimension("extent", dim, extent) + ", expected " + std::to_string(info.extents[dim]));
    if (stride < 0)
      return wrong(info, dimension("stride", dim, stride) + ", expected >= 0");
    if (info.strides[dim] != dynamicSize && info.strides[dim] != stride)
      return wrong(info, dimension("stride", dim, stride) + ", expected " + std::to_string(info.strides[dim]));
  }
  return {};
}

/// Elements below 8 bits: a row must be whole bytes, and so must every step from row to row.
static Status checkPacking(const ArgumentInfo &info, const AnyView &view) {
  int granule = elementGranule(info.type);
  if (granule == 1)
    return {};
  auto unlessWhole = [&](const char *what, int dim, int64_t value) {
    return value % granule == 0
               ? Status()
               : wrong(info, std::string(what) + " " + std::to_string(dim) + " is " + std::to_string(value) +
                                 " elements of " + std::to_string(elementBits(info.type)) +
                                 " bits, expected a multiple of " + std::to_string(granule) +
                                 ", which fill whole bytes");
  };
  int contiguous = info.contiguousAxis();
  for (int dim = 0; dim < info.rank; ++dim)
    if (Status status = dim == contiguous ? unlessWhole("extent", dim, view.extents[dim])
                                          : unlessWhole("stride", dim, view.strides[dim]);
        !status)
      return status;
  return {};
}

static Status checkMemory(const ArgumentInfo &info, const AnyView &view) {
  Index lastElement = 0;
  for (int dim = 0; dim < info.rank; ++dim) {
    if (view.extents[dim] == 0)
      return {};
    lastElement = lastElement + Index(view.extents[dim] - 1) * Index(view.strides[dim]);
  }
  if (!((lastElement + Index(1)) * Index(elementBits(info.type))).valid)
    return wrong(info, "extents " + shapeText(view) + " with these strides span more than 2^63 bits");
  if (!view.data)
    return wrong(info, "the pointer is null, expected device memory for " + shapeText(view) + " elements");
  int bits = elementBits(info.type);
  int64_t align = info.alignBytes ? info.alignBytes : bits >= 8 ? bits / 8 : 1;
  uint64_t address = reinterpret_cast<uintptr_t>(view.data);
  if (align > 1 && address % static_cast<uint64_t>(align) != 0)
    return wrong(info, "the pointer is " + std::to_string(address % static_cast<uint64_t>(align)) +
                           " bytes past a multiple of " + std::to_string(align) + ", expected alignment to " +
                           std::to_string(align) + " bytes");
  for (int dim = 0; dim < info.rank; ++dim)
    if (info.mustKeepAlignment(dim) && !strideKeeps(view.strides[dim], align, elementBits(info.type)))
      return wrong(info, "stride " + std::to_string(dim) + " is " + std::to_string(view.strides[dim]) +
                             " elements of " + elementTypeName(info.type) + ", expected a multiple of " +
                             std::to_string(align) + " bytes");
  return {};
}

static Status checkArgument(const ArgumentInfo &info, const Argument &argument) {
  if (info.isView != argument.isView)
    return wrong(info, argument.isView ? "got a view, expected a scalar" : "got a scalar, expected a view");
  if (!sameType(info.type, argument.type))
    return wrong(info,
                 std::string("got ") + elementTypeName(argument.type) + ", expected " + elementTypeName(info.type));
  if (!info.isView)
    return {};
  if (info.rank != argument.view.rank)
    return wrong(info, "got rank " + std::to_string(argument.view.rank) + ", expected " + std::to_string(info.rank));
  if (Status status = checkSizes(info, argument.view); !status)
    return status;
  if (Status status = checkPacking(info, argument.view); !status)
    return status;
  return checkMemory(info, argument.view);
}

Status tilec::checkArguments(const KernelTable &kernel, Arguments arguments) {
  if (arguments.count != kernel.arguments.count)
    return Status::invalidArgument(std::string("kernel '") + kernel.name + "': got " + std::to_string(arguments.count) +
                                   " arguments, expected " + std::to_string(kernel.arguments.count));
  for (size_t i = 0; i < arguments.count; ++i)
    if (Status status = checkArgument(kernel.arguments[i], arguments.items[i]); !status)
      return status;
  return {};
}
