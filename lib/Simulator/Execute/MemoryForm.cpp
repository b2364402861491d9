/// Reading the modifiers and the address that all memory instructions share.
#include "lib/Simulator/Execute/MemoryForm.h"

#include "lib/Simulator/Core/ProgramBuilder.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

AddressSpace tilec::sim::takeAddressSpace(Binder &b, std::initializer_list<std::string_view> allowed) {
  for (std::string_view space : allowed) {
    if (space == "shared") {
      if (b.take("shared") || b.take("shared::cta"))
        return AddressSpace::SharedBlock;
      if (b.take("shared::cluster"))
        return b.require(90) ? AddressSpace::SharedCluster : AddressSpace::SharedBlock;
    } else if (space == "param") {
      // In a device function, parameters lie where calls put them; so do those of a call in the kernel itself.
      bool ofFunction = b.take("param::func");
      if (ofFunction || b.take("param") || b.take("param::entry"))
        return ofFunction || !b.function.isKernel ? AddressSpace::Local : AddressSpace::Parameter;
    } else if (b.take(space)) {
      return space == "global" ? AddressSpace::Global : space == "const" ? AddressSpace::Constant : AddressSpace::Local;
    }
  }
  return AddressSpace::Generic;
}

bool tilec::sim::takeCacheHints(Binder &b) {
  b.takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  b.takeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"});
  b.takeOneOf({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  b.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  return b.take("L2::cache_hint");
}

void tilec::sim::takeSemantics(Binder &b, MemoryForm &form, std::initializer_list<std::string_view> allowed) {
  bool weak = b.take("weak");
  bool isVolatile = b.take("volatile"), mmio = b.take("mmio");
  int semantics = -1;
  std::string_view name;
  for (std::string_view choice : allowed)
    if (semantics < 0 && b.take(choice)) {
      semantics = 0;
      name = choice;
    }
  int scope = b.takeOneOf({"cta", "cluster", "gpu", "sys"});
  bool scoped = scope >= 0;
  form.forBlock = scope == 0;
  form.acquire = name == "acquire" || name == "acq_rel";
  form.release = name == "release" || name == "acq_rel";
  form.strong = isVolatile || mmio || semantics == 0;
  if (weak && form.strong)
    b.fail("'.weak' excludes '.volatile' and other semantics");
  if (isVolatile && semantics == 0)
    b.fail("'.volatile' excludes '." + std::string(name) + "'");
  if (mmio && name != "relaxed")
    b.fail("'.mmio' needs '.relaxed'");
  if (scoped && semantics < 0)
    b.fail("a scope without semantics such as '.relaxed'");
  if (!scoped && semantics == 0)
    b.fail("'." + std::string(name) + "' needs a scope");
}

bool tilec::sim::takeElements(Binder &b, MemoryForm &form) {
  int vector = b.takeOneOf({"v2", "v4", "v8"});
  form.elements = vector < 0 ? 1 : 2u << vector;
  form.type = b.takeType();
  form.elementBytes = ptx::typeBytes(form.type);
  form.bytes = form.elementBytes * form.elements;
  form.alignment = form.bytes;
  if (form.bytes == 0)
    return b.fail("expected a type that memory can hold");
  if (form.bytes > 32 || (form.elements == 8 && form.elementBytes != 4))
    return b.fail("a vector of " + std::to_string(form.bytes) + " bytes is too long");
  if (form.bytes == 32 && !b.require(100))
    return false;
  return true;
}

/// Whether an address of that variable can be used with the space.
static bool fits(AddressSpace space, ptx::Space variable) {
  switch (space) {
  case AddressSpace::Generic:
    return variable == ptx::Space::Global || variable == ptx::Space::Constant;
  case AddressSpace::Constant:
    return variable == ptx::Space::Constant;
  case AddressSpace::Global:
    return variable == ptx::Space::Global;
  case AddressSpace::Local:
    return variable == ptx::Space::Local || variable == ptx::Space::Parameter;
  case AddressSpace::Parameter:
    return variable == ptx::Space::Parameter;
  case AddressSpace::SharedBlock:
  case AddressSpace::SharedCluster:
    return variable == ptx::Space::Shared;
  }
  return false;
}

/// `[parameter + offset]` of the kernel: its place in the parameter block is known here.
static bool bindKernelParameter(Binder &b, const ptx::Variable &variable, int64_t offset, MemoryForm &form) {
  const Program &program = b.builder().program();
  const auto &parameters = program.kernel->parameters;
  auto number = static_cast<size_t>(&variable - parameters.data());
  if (number >= parameters.size() || number >= program.parameters.size())
    return b.fail("internal: '" + variable.name + "' is no parameter of the kernel");
  const ParameterSlot &slot = program.parameters[number];
  if (offset < 0 || static_cast<uint64_t>(offset) + form.bytes > slot.bytes)
    return b.fail("access of " + std::to_string(form.bytes) + " bytes at offset " + std::to_string(offset) +
                  " of parameter '" + variable.name + "', which has " + std::to_string(slot.bytes));
  if ((slot.offset + static_cast<uint64_t>(offset)) % form.alignment != 0)
    return b.fail("access at offset " + std::to_string(offset) + " of parameter '" + variable.name +
                  "', which must be a multiple of " + std::to_string(form.alignment));
  form.isKernelParameter = true;
  form.offset = static_cast<int64_t>(slot.offset) + offset;
  return true;
}

bool tilec::sim::bindAddress(Binder &b, size_t i, MemoryForm &form) {
  const ptx::Operand &operand = b.operand(i);
  if (operand.kind != ptx::Operand::Kind::Address || operand.elements.empty())
    return b.fail("expected an address in brackets as operand " + std::to_string(i + 1));
  const ptx::Operand &base = operand.elements[0];
  if (operand.elements.size() > 1)
    return b.fail("expected one address, found coordinates");
  if (base.kind == ptx::Operand::Kind::Symbol) {
    const ptx::Variable *variable = b.builder().findVariable(b.function, base.name);
    if (!variable)
      return b.fail("'" + base.name + "' is not declared");
    if (!fits(form.space, variable->space))
      return b.fail("'" + base.name + "' lies in ." + ptx::spaceName(variable->space) + " memory, not in ." +
                    addressSpaceName(form.space));
    bool isParameter = variable->space == ptx::Space::Parameter;
    if (isParameter && b.builder().isKernelParameter(*variable)) {
      // Offsets wrap, as addresses do.
      uint64_t offset = static_cast<uint64_t>(base.offset) + static_cast<uint64_t>(operand.offset);
      return bindKernelParameter(b, *variable, static_cast<int64_t>(offset), form);
    }
    if (isParameter)
      form.space = AddressSpace::Local;
  }
  AddressOperand address = b.address(operand);
  if (address.base.bytes == 0)
    return false;
  form.base = address.base;
  form.offset = address.offset;
  form.wraps = address.base.bytes == 4 && form.space != AddressSpace::Generic && form.space != AddressSpace::Global &&
               form.space != AddressSpace::Constant;
  if (form.strong && (form.space == AddressSpace::Global || form.space == AddressSpace::Generic))
    b.builder().program().blocksCommunicate = true;
  return true;
}
