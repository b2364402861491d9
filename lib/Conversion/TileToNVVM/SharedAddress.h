/// Shared-memory addresses of a distributed tile, as lib/Layout/SharedAccess.h plans them.
#ifndef LIB_CONVERSION_TILETONVVM_SHAREDADDRESS_H
#define LIB_CONVERSION_TILETONVVM_SHAREDADDRESS_H

#include "lib/Conversion/TileToNVVM/Emitter.h"
#include <map>

namespace mlir::tile {

/// Addresses of the groups of one plan in one buffer. Groups share a base register where their constants can be
/// immediates.
class SharedAddress {
public:
  /// `buffer` is the buffer's address, an i32.
  SharedAddress(Emitter &emitter, const ThreadAddress &thread, Value buffer)
      : emitter(emitter), thread(thread), buffer(buffer) {}

  /// The address register of a group (i32) and the immediate that comes on top.
  std::pair<Value, int64_t> at(const SharedGroup &group) {
    Value &base = bases[group.xorPart];
    if (!base) {
      auto [xored, added] = emitter.threadAddress(thread);
      Value own = emitter.inPrologue([&, xored = xored, added = added]() -> Value {
        Value address = xored;
        if (group.xorPart)
          address = LLVM::XOrOp::create(emitter.b, address, emitter.i32(group.xorPart));
        return emitter.add(address, added);
      });
      base = emitter.add(own, buffer);
    }
    return {base, group.addPart};
  }
  /// The same as a pointer in address space 3, for LLVM's loads and stores.
  Value pointer(const SharedGroup &group) {
    ImplicitLocOpBuilder &b = emitter.b;
    auto [base, immediate] = at(group);
    Type type = LLVM::LLVMPointerType::get(b.getContext(), 3);
    Value pointer = LLVM::IntToPtrOp::create(b, type, base);
    if (immediate == 0)
      return pointer;
    return LLVM::GEPOp::create(b, type, b.getI8Type(), pointer, ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(immediate)));
  }

private:
  Emitter &emitter;
  const ThreadAddress &thread;
  Value buffer;
  std::map<int64_t, Value> bases;
};

} // namespace mlir::tile

#endif
