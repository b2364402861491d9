/// Shared-memory addresses of a distributed tile, as lib/Layout/SharedAccess.h plans them.
#ifndef LIB_CONVERSION_TILETONVVM_SHAREDADDRESS_H
#define LIB_CONVERSION_TILETONVVM_SHAREDADDRESS_H

#include "lib/Conversion/TileToNVVM/PackedElements.h"
#include <map>

namespace mlir::tile {

/// Addresses of the groups of one plan in one buffer. Groups share a base register where their constants can be
/// immediates.
class SharedAddress {
public:
  /// `buffer` is the buffer's address, an i32. Where `bits` is less than 8, units of 16 bytes hold elements of so many bits
  /// packed at their front, and groups must be whole bytes.
  SharedAddress(Emitter &emitter, const ThreadAddress &thread, Value buffer, unsigned bits = 8)
      : emitter(emitter), thread(thread), buffer(buffer), bits(bits) {}

  /// The address register of a group (i32) and the immediate that comes on top.
  std::pair<Value, int64_t> at(const SharedGroup &group) {
    Value &base = bases[group.xorPart];
    if (!base) {
      auto [xored, added] = emitter.threadAddress(thread);
      Value own = emitter.inPrologue([&, xored = xored, added = added]() -> Value {
        Value address = xored;
        if (group.xorPart)
          address = LLVM::XOrOp::create(emitter.b, address, emitter.i32(group.xorPart));
        return packed(emitter.add(address, added));
      });
      base = emitter.add(own, buffer);
    }
    // The constant's low four bits are set by no thread, so both parts are packed on their own.
    return {base, SharedLayout::packedOffset(group.addPart, bits)};
  }
  /// The same as a pointer in address space 3, for LLVM's loads and stores, `beyond` bytes further on.
  Value pointer(const SharedGroup &group, int64_t beyond = 0) {
    ImplicitLocOpBuilder &b = emitter.b;
    auto [base, immediate] = at(group);
    immediate += beyond;
    Type type = LLVM::LLVMPointerType::get(b.getContext(), 3);
    Value pointer = LLVM::IntToPtrOp::create(b, type, base);
    if (immediate == 0)
      return pointer;
    return LLVM::GEPOp::create(b, type, b.getI8Type(), pointer, ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(immediate)));
  }

private:
  Value packed(Value address) {
    if (bits == 8)
      return address;
    ImplicitLocOpBuilder &b = emitter.b;
    Value unit = LLVM::AndOp::create(b, address, emitter.i32(-16));
    Value bytes = packedBytes(emitter, LLVM::AndOp::create(b, address, emitter.i32(15)), bits);
    return emitter.add(unit, bytes);
  }

  Emitter &emitter;
  const ThreadAddress &thread;
  Value buffer;
  unsigned bits;
  std::map<int64_t, Value> bases;
};

} // namespace mlir::tile

#endif
