/// Emission of one kernel: what every op family's file works with.
///
/// A value of the kernel becomes, in each thread, a list of *words*. A scalar is one word. A tile is its layout's
/// registers in order, packed: two elements of 16 bits or four of 8 bits share a word (`vector<2xbf16>`,
/// `vector<4xi8>`), when the number of registers allows; so what ldmatrix and wide loads deliver and what mma.sync and
/// packed arithmetic take needs no shuffling. f8 and narrower elements (floats of 6 and 4 bits, i4) are i8,
/// with their code in the low bits and zeros above. An index is an i32 where its range is known to fit, else an i64
/// (IndexFacts decides).
///
/// Emission goes through the kernel op by op. Values that depend only on the thread (lane, warp, coordinates,
/// shared-memory addresses) go to the *prologue* block, once each.
#ifndef LIB_CONVERSION_TILETONVVM_EMITTER_H
#define LIB_CONVERSION_TILETONVVM_EMITTER_H

#include "lib/Analysis/IndexFacts.h"
#include "lib/Conversion/TileToNVVM/TileToNVVM.h"
#include "lib/Layout/SharedAccess.h"
#include "lib/Target/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tile {

/// What one thread holds of a value; see the file comment.
struct Fragment {
  SmallVector<Value> words;
  /// Elements per word.
  unsigned lanes = 1;
  /// Registers, in elements.
  [[nodiscard]] unsigned size() const { return words.size() * lanes; }
};

class Emitter {
public:
  Emitter(KernelOp kernel, const Target &target, LLVM::LLVMFuncOp function, LLVM::GlobalOp sharedMemory);

  /// Emits the whole kernel. Diagnoses what cannot be lowered.
  LogicalResult run();

  //===--- the kernel ---===//
  KernelOp kernel;
  const Target &target;
  IndexFacts facts;
  ImplicitLocOpBuilder b;
  [[nodiscard]] unsigned numWarps() const { return warps; }

  //===--- values ---===//
  /// The fragment of an emitted value.
  [[nodiscard]] const Fragment &get(Value value);
  /// The single word of a scalar.
  [[nodiscard]] Value scalar(Value value) { return get(value).words.front(); }
  /// An index value as an integer of this many bits.
  [[nodiscard]] Value index(Value value, unsigned bits);
  void set(Value value, Fragment fragment);
  void set(Value value, Value word) { set(value, Fragment{{word}, 1}); }

  /// The LLVM type of one element or scalar; `index` needs the value that has the type.
  [[nodiscard]] Type elementType(Type type) const;
  [[nodiscard]] Type scalarType(Value value);
  /// How many elements share a word in a tile of this type.
  [[nodiscard]] static unsigned lanesOf(TileType type);
  /// The same for elements in that many registers.
  [[nodiscard]] static unsigned lanesOf(Type element, unsigned registers);
  /// The type of one word: the element or a vector of them.
  [[nodiscard]] Type wordType(Type element, unsigned lanes) const;
  /// The words' types of a value: one for scalars.
  [[nodiscard]] SmallVector<Type> wordTypes(Value value);
  /// The elements of a fragment, unpacked.
  [[nodiscard]] SmallVector<Value> elements(const Fragment &fragment);
  /// Packs one value per register.
  [[nodiscard]] Fragment pack(ArrayRef<Value> elements, unsigned lanes);
  /// A fragment of this tile type whose words come from registers of another, by register number.
  [[nodiscard]] Fragment permute(const Fragment &source, ArrayRef<unsigned> registers, unsigned lanes);

  //===--- small arithmetic, folded where constant; sums and products must not overflow (LLVM relies on it) ---===//
  Value constant(Type type, int64_t value);
  Value i32(int64_t value) { return constant(b.getI32Type(), value); }
  Value i64(int64_t value) { return constant(b.getI64Type(), value); }
  Value floatConstant(Type type, double value);
  Value add(Value x, Value y);
  Value mul(Value x, Value y);
  Value both(Value x, Value y);
  /// Integer conversion by sign extension or truncation.
  Value resize(Value x, unsigned bits);
  /// Bytes of two words (i32), chosen by selectors of four bits, that of the lowest byte first: 0-3 are the bytes of
  /// `x` and 4-7 those of `y`, 8 more repeat the byte's sign (PTX ISA, prmt).
  Value permuteBytes(Value x, Value y, int64_t selector);
  /// Calls an intrinsic by name.
  Value intrinsic(StringRef name, Type result, ValueRange operands);
  /// Inline PTX. `volatile_` keeps order and number of executions; without it the text must be a pure function.
  Value inlinePtx(StringRef text, StringRef constraints, Type result, ValueRange operands, bool volatile_);
  /// A member of a struct-typed value.
  Value member(Value aggregate, unsigned index);

  //===--- threads ---===//
  /// Runs `emit` with the insertion point in the prologue, for values that depend on the thread or on kernel arguments only.
  Value inPrologue(function_ref<Value()> emit);
  Value thread();
  Value lane();
  Value warp();
  /// The thread's part of the coordinate along one dimension, an i32: what Layout::threadOffset computes.
  Value threadCoordinate(const Layout &layout, unsigned dim);
  /// The position of a register along one dimension, an i32; it may be dead.
  Value position(const Layout &layout, unsigned dim, unsigned reg);
  /// Whether that position is one of the tile's, an i1; null where every position is.
  Value isLive(const Layout &layout, unsigned dim, unsigned reg);
  /// True in the one thread of those that hold the same elements; null where each element has one holder.
  Value isFirstHolder(const Layout &layout);
  /// The XORed and the added part of a shared-memory address, i32 each.
  std::pair<Value, Value> threadAddress(const ThreadAddress &address);
  /// The shared-memory address of a buffer, i32.
  Value sharedAddress(Value buffer) { return scalar(buffer); }
  /// The address (i32) where the block's shared memory starts.
  Value sharedBase();
  /// All threads of the block meet.
  void barrier();

  //===--- views ---===//
  struct View {
    ViewType type;
    /// Pointer in address space 1.
    Value pointer;
    /// Extents and strides, i64.
    SmallVector<Value> extents, strides;
  };
  [[nodiscard]] const View &view(Value value) { return views.find(value)->second; }

  //===--- op families, one file each; false in `handled` where the op is not theirs ---===//
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOp(Operation *op);
  LogicalResult emitProgram(Operation *op, bool &handled);
  LogicalResult emitControlFlow(Operation *op, bool &handled);
  LogicalResult emitElementwise(Operation *op, bool &handled);
  LogicalResult emitCast(CastOp op);
  LogicalResult emitScalarCast(Operation *op, bool &handled);
  LogicalResult emitShape(Operation *op, bool &handled);
  LogicalResult emitGlobal(Operation *op, bool &handled);
  LogicalResult emitShared(Operation *op, bool &handled);
  LogicalResult emitCopyAsync(CopyAsyncOp op);
  LogicalResult emitDot(DotOp op);
  LogicalResult emitReduce(ReduceOp op);
  LogicalResult emitRelayout(RelayoutOp op);
  LogicalResult emitBitcast(BitcastOp op);
  LogicalResult emitPackPairs(PackPairsOp op);

  /// One result of an elementwise op for given operand words; element types are those of the op, words may be vectors.
  /// Null where the op has no such form.
  Value emitScalarOp(Operation *op, ValueRange operands);
  /// A function of math on a float of 32 or 64 bits.
  Value emitMath(Operation *op, ValueRange operands);
  /// A float converted to another float type, rounded once to nearest even, elements one by one.
  SmallVector<Value> castFloats(ArrayRef<Value> values, Type from, Type to, bool saturate);

  /// The words of one group of an ldmatrix plan, from the buffer at address `base`, each of type `word`. Elements of less
  /// than 8 `bits` are packed in the buffer and become bytes.
  SmallVector<Value> loadMatrices(const LdMatrixPlan &plan, const SharedGroup &group, Value base, Type word,
                                  unsigned bits = 8);
  /// `value` of another lane of the warp: `lane` is the mask of a butterfly for mode "bfly", the lane for "idx".
  Value shuffle(StringRef mode, Value value, Value lane);

private:
  LogicalResult emitParameters();
  LogicalResult emitCoordinates();
  void emitPackedView(PackedViewOp op);

  LLVM::LLVMFuncOp function;
  LLVM::GlobalOp sharedMemory;
  unsigned warps;
  Block *prologue = nullptr;
  llvm::DenseMap<Value, Fragment> fragments;
  llvm::DenseMap<Value, View> views;
  llvm::DenseMap<std::pair<Type, int64_t>, Value> constants;
  llvm::DenseMap<std::pair<LayoutAttr, unsigned>, Value> coordinates;
  llvm::DenseMap<std::tuple<LayoutAttr, unsigned, int64_t>, Value> positions, livePositions;
  Value threadValue, laneValue, warpValue, sharedValue;
};

} // namespace mlir::tile

#endif
