// Shared memory: buffers, loads (ldmatrix where layouts allow), stores, channels and barriers.
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "lib/Conversion/TileToNVVM/SharedAddress.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

SmallVector<Value> Emitter::loadMatrices(const LdMatrixPlan &plan, const SharedGroup &group, Value base, Type word,
                                         unsigned bits) {
  auto [address, immediate] = SharedAddress(*this, plan.row, base).at(group);
  unsigned n = plan.matrices;
  std::string outputs, constraints;
  for (unsigned i = 0; i < n; ++i) {
    outputs += (i ? ", $" : "$") + std::to_string(i);
    constraints += "=r,";
  }
  // Rows of 16 bytes, or of as many elements packed at the front of 16 bytes.
  StringRef format = bits == 4 ? ".shared.b8x16.b4x16_p64 {" : bits == 6 ? ".shared.b8x16.b6x16_p32 {" : ".shared.b16 {";
  std::string text = "ldmatrix.sync.aligned." + std::string(bits < 8 ? "m8n16" : "m8n8") + ".x" + std::to_string(n) +
                     (plan.transposed ? ".trans" : "") + format.str() + outputs + "}, [$" + std::to_string(n) +
                     (immediate ? "+" + std::to_string(immediate) : "") + "];";
  Type type = n == 1 ? Type(b.getI32Type())
                     : LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(n, b.getI32Type()));
  Value loaded = inlinePtx(text, constraints + "r", type, {address}, /*volatile_=*/true);
  SmallVector<Value> words;
  for (unsigned i = 0; i < n; ++i) {
    Value raw = n == 1 ? loaded : member(loaded, i);
    words.push_back(word == raw.getType() ? raw : Value(LLVM::BitcastOp::create(b, word, raw)));
  }
  return words;
}

/// One code of a packed buffer from the bytes that it lies in, an i8. `place`: its address if each element had a byte.
static Value loadCode(Emitter &emitter, Value place, unsigned bits) {
  ScalarBuilder s(emitter.b);
  Type i8 = emitter.b.getI8Type(), i32 = emitter.b.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(emitter.b.getContext(), 3);
  Value inUnit = emitter.mul(s.bitAnd(place, emitter.i32(15)), emitter.i32(bits));
  Value unit = s.bitAnd(place, emitter.i32(-16));
  /// The byte that a bit of the unit lies in.
  auto load = [&](Value bit) {
    Value address = LLVM::IntToPtrOp::create(emitter.b, pointer, emitter.add(unit, s.lshr(bit, 3)));
    return s.zext(LLVM::LoadOp::create(emitter.b, i8, address, /*alignment=*/1), i32);
  };
  Value both = load(inUnit);
  if (bits == 6) // the last bit's byte may be the same, and then what is above the code is dropped
    both = s.bitOr(both, s.shl(load(emitter.add(inUnit, emitter.i32(bits - 1))), 8));
  Value code = LLVM::LShrOp::create(emitter.b, both, s.bitAnd(inUnit, emitter.i32(7)));
  return s.trunc(s.bitAnd(code, emitter.i32((1 << bits) - 1)), i8);
}

/// The words of a group of whole bytes of a packed buffer.
static SmallVector<Value> loadRun(Emitter &emitter, SharedAddress &address, const SharedGroup &group, unsigned bits) {
  ImplicitLocOpBuilder &b = emitter.b;
  const unsigned count = group.registers.size();
  PackedParts parts = packedParts(bits, count);
  const unsigned bytes = std::min(parts.bytes, 4u);
  SmallVector<Value> loaded;
  for (unsigned i = 0; i < parts.count; ++i) {
    Value pointer = address.pointer(group, i * parts.bytes);
    Type type = parts.bytes == 8 ? Type(VectorType::get({2}, b.getI32Type())) : b.getIntegerType(8 * bytes);
    Value value = LLVM::LoadOp::create(b, type, pointer, /*alignment=*/parts.bytes);
    if (parts.bytes != 8) {
      loaded.push_back(value);
      continue;
    }
    for (unsigned j : {0, 1})
      loaded.push_back(LLVM::ExtractElementOp::create(b, value, emitter.i32(j)));
  }
  return unpackElements(emitter, chunksOf(emitter, loaded, bytes), bits, count);
}

/// Loads from a buffer of packed elements where no matrix load unpacks them.
static Fragment loadPacked(Emitter &emitter, const SharedAccessPlan &plan, Value base, TileType type) {
  ScalarBuilder s(emitter.b);
  const unsigned bits = memoryBits(type.getElementType()), lanes = Emitter::lanesOf(type);
  const unsigned count = plan.vectorElements, registers = type.distribution().numRegisters();
  SmallVector<Value> elements(registers);
  if (count < granuleOf(type.getElementType())) {
    SharedAddress address(emitter, plan.thread, base);
    for (const SharedGroup &group : plan.groups) {
      auto [own, immediate] = address.at(group);
      for (auto [i, reg] : llvm::enumerate(group.registers))
        elements[reg] = loadCode(emitter, emitter.add(own, emitter.i32(immediate + int64_t(i))), bits);
    }
    return emitter.pack(elements, lanes);
  }
  Type four = VectorType::get({4}, emitter.b.getI8Type());
  Fragment result;
  result.lanes = lanes;
  result.words.resize(registers / lanes);
  SharedAddress address(emitter, plan.thread, base, bits);
  for (const SharedGroup &group : plan.groups)
    for (auto [i, word] : llvm::enumerate(loadRun(emitter, address, group, bits))) {
      Value bytes = s.bitcast(word, four);
      ArrayRef<unsigned> into = ArrayRef(group.registers).slice(4 * i).take_front(4);
      // Four neighbours in memory that are a word's registers are moved as it.
      if (lanes == 4 && into.size() == 4 && into[0] % 4 == 0 && into[1] == into[0] + 1 && into[2] == into[0] + 2 &&
          into[3] == into[0] + 3) {
        result.words[into[0] / 4] = bytes;
        continue;
      }
      for (auto [j, reg] : llvm::enumerate(into))
        elements[reg] = LLVM::ExtractElementOp::create(emitter.b, bytes, emitter.i32(j));
    }
  // Register bits are alike in all groups: all words are whole, or none.
  return elements.front() ? emitter.pack(elements, lanes) : result;
}

/// Loads by ldmatrix.
static Fragment loadByMatrices(Emitter &emitter, const LdMatrixPlan &plan, Value base, TileType type, unsigned bits) {
  const unsigned lanes = plan.elementsPerWord, registers = type.distribution().numRegisters();
  Type word = emitter.wordType(type.getElementType(), lanes);
  // What shares a word in memory need not be neighbours in the layout's order of registers.
  bool areNeighbours = llvm::all_of(plan.groups, [&](const SharedGroup &group) {
    return llvm::all_of(llvm::enumerate(group.registers), [&](auto it) {
      unsigned first = group.registers[it.index() / lanes * lanes];
      return first % lanes == 0 && it.value() == first + it.index() % lanes;
    });
  });
  Fragment fragment;
  fragment.lanes = lanes;
  fragment.words.resize(registers / lanes);
  SmallVector<Value> elements(areNeighbours ? 0 : registers);
  for (const SharedGroup &group : plan.groups)
    for (auto [i, value] : llvm::enumerate(emitter.loadMatrices(plan, group, base, word, bits))) {
      if (areNeighbours) {
        fragment.words[group.registers[i * lanes] / lanes] = value;
        continue;
      }
      for (auto [j, element] : llvm::enumerate(emitter.elements(Fragment{{value}, lanes})))
        elements[group.registers[i * lanes + j]] = element;
    }
  return areNeighbours ? fragment : emitter.pack(elements, lanes);
}

/// Loads by vectors of whole elements.
static Fragment loadByVectors(Emitter &emitter, const SharedAccessPlan &plan, Value base, TileType type) {
  ImplicitLocOpBuilder &b = emitter.b;
  SharedAddress address(emitter, plan.thread, base);
  const bool isBool = type.getElementType().isInteger(1);
  Type element = isBool ? Type(b.getI8Type()) : emitter.elementType(type.getElementType());
  SmallVector<Value> elements(type.distribution().numRegisters());
  unsigned bytes = elementBits(type.getElementType()) / 8;
  for (const SharedGroup &group : plan.groups) {
    unsigned n = group.registers.size();
    Type whole = n == 1 ? element : VectorType::get({n}, element);
    Value loaded = LLVM::LoadOp::create(b, whole, address.pointer(group), /*alignment=*/n * bytes);
    for (unsigned i = 0; i < n; ++i)
      elements[group.registers[i]] =
          n == 1 ? loaded : Value(LLVM::ExtractElementOp::create(b, loaded, emitter.i32(i)));
  }
  if (isBool)
    for (Value &value : elements)
      value = LLVM::TruncOp::create(b, b.getI1Type(), value);
  return emitter.pack(elements, Emitter::lanesOf(type));
}

static LogicalResult emitSharedLoad(Emitter &emitter, SharedLoadOp op) {
  auto type = cast<TileType>(op.getResult().getType());
  SharedLayout memory = cast<SharedType>(op.getBuffer().getType()).memory();
  Layout layout = type.distribution();
  SmallVector<int64_t> begin = op.begin();
  const unsigned bits = std::min(8u, memoryBits(type.getElementType()));
  std::optional<SharedLoadPlan> plan =
      planSharedLoad(layout, memory, begin, bits, Emitter::lanesOf(type), emitter.target);
  if (!plan && !planSharedAccess(layout, memory))
    return op.emitOpError("has a buffer whose layout the tile's cannot address; expected its slabs to divide the "
                          "tile's odd factors");
  if (!plan)
    return op.emitOpError("expects offsets that are multiples of the layout's padded extents, which must be powers of "
                          "two there, found [")
           << llvm::interleaved(begin) << "]";
  Value base = emitter.sharedAddress(op.getBuffer());
  emitter.set(op.getResult(), plan->matrices ? loadByMatrices(emitter, *plan->matrices, base, type, bits)
                              : bits < 8     ? loadPacked(emitter, *plan->vectors, base, type)
                                             : loadByVectors(emitter, *plan->vectors, base, type));
  return success();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static LogicalResult emitSharedStore(Emitter &emitter, SharedStoreOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto type = cast<TileType>(op.getValue().getType());
  SharedLayout memory = cast<SharedType>(op.getBuffer().getType()).memory();
  Layout layout = type.distribution();
  std::optional<SharedAccessPlan> plan = planSharedAccess(layout, memory);
  if (!plan)
    return op.emitOpError("has a buffer whose layout the tile's cannot address; expected its slabs to divide the "
                          "tile's odd factors");
  SharedAddress address(emitter, plan->thread, emitter.sharedAddress(op.getBuffer()));
  SmallVector<Value> elements = emitter.elements(emitter.get(op.getValue()));
  if (type.getElementType().isInteger(1))
    for (Value &value : elements)
      value = LLVM::ZExtOp::create(b, b.getI8Type(), value);
  unsigned bytes = elementBits(type.getElementType()) / 8;
  auto store = [&]() {
    for (const SharedGroup &group : plan->groups) {
      SmallVector<Value> picked;
      for (unsigned reg : group.registers)
        picked.push_back(elements[reg]);
      Value whole = emitter.pack(picked, picked.size()).words.front();
      LLVM::StoreOp::create(b, whole, address.pointer(group), /*alignment=*/picked.size() * bytes);
    }
  };
  // One of the warps that hold an element stores it, as warps would race; lanes that store the same at once do not.
  if (!layout.isReplicatedOverWarps()) {
    store();
    return success();
  }
  Region *region = b.getInsertionBlock()->getParent();
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *storing = b.createBlock(region, region->end()), *after = b.createBlock(region, region->end());
  b.restoreInsertionPoint(here);
  LLVM::CondBrOp::create(b, emitter.isFirstHolder(layout), storing, after);
  b.setInsertionPointToStart(storing);
  store();
  LLVM::BrOp::create(b, ValueRange(), after);
  b.setInsertionPointToStart(after);
  return success();
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// The addresses of the buffers of one slot.
static void emitSlot(Emitter &emitter, Value channel, Value slot, ValueRange buffers) {
  auto type = cast<ChannelType>(channel.getType());
  SmallVector<int64_t> offsets = type.slotOffsets();
  Value base = emitter.scalar(channel);
  if (type.getStages() > 1)
    base = emitter.add(base, emitter.mul(emitter.index(slot, 32), emitter.i32(offsets.back())));
  for (auto [buffer, offset] : llvm::zip(buffers, offsets))
    emitter.set(buffer, emitter.add(base, emitter.i32(offset)));
}

/// The address at a byte offset into the block's shared memory.
static LogicalResult emitAllocation(Emitter &emitter, Operation *op, IntegerAttr offset) {
  if (!offset)
    return op->emitOpError("has no offset; run 'tile-allocate-shared' first");
  Value base = emitter.sharedBase();
  emitter.set(op->getResult(0), emitter.inPrologue([&]() { return emitter.add(base, emitter.i32(offset.getInt())); }));
  return success();
}

LogicalResult Emitter::emitShared(Operation *op, bool &handled) {
  handled = true;
  if (auto alloc = dyn_cast<SharedAllocOp>(op))
    return emitAllocation(*this, op, alloc.getOffsetAttr());
  if (auto create = dyn_cast<ChannelCreateOp>(op))
    return emitAllocation(*this, op, create.getOffsetAttr());
  if (auto reshape = dyn_cast<SharedReshapeOp>(op)) {
    set(reshape.getResult(), sharedAddress(reshape.getBuffer()));
    return success();
  }
  if (auto load = dyn_cast<SharedLoadOp>(op))
    return emitSharedLoad(*this, load);
  if (auto store = dyn_cast<SharedStoreOp>(op))
    return emitSharedStore(*this, store);
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return emitCopyAsync(copy);
  if (isa<BarrierOp>(op)) {
    barrier();
    return success();
  }
  if (auto acquire = dyn_cast<ChannelAcquireOp>(op)) {
    emitSlot(*this, acquire.getChannel(), acquire.getSlot(), acquire.getBuffers());
    return success();
  }
  if (auto wait = dyn_cast<ChannelWaitOp>(op)) {
    inlinePtx("cp.async.wait_group " + std::to_string(wait.getPending()) + ";", "~{memory}", Type(), {},
              /*volatile_=*/true);
    emitSlot(*this, wait.getChannel(), wait.getSlot(), wait.getBuffers());
    return success();
  }
  if (auto held = dyn_cast<ChannelSlotOp>(op)) {
    emitSlot(*this, held.getChannel(), held.getSlot(), held.getBuffers());
    return success();
  }
  if (isa<ChannelCommitOp>(op)) {
    inlinePtx("cp.async.commit_group;", "~{memory}", Type(), {}, /*volatile_=*/true);
    return success();
  }
  // A release says to the barrier analysis that the slot's readers are done; threads have nothing to do for it.
  handled = isa<ChannelReleaseOp>(op);
  return success();
}
