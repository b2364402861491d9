// scf to blocks. Loops are emitted in the form that optimisers turn them into anyway: a test before the first trip, the next
// at the end of the body.
#include "lib/Conversion/TileToNVVM/Emitter.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Values that are carried along an edge, flattened to words.
class Edge {
public:
  Edge(Emitter &emitter) : emitter(emitter) {}

  /// The words of `source`, converted to what `like` holds (index widths may differ between the two).
  void add(Value source, Value like) {
    SmallVector<Type> types = emitter.wordTypes(like);
    for (auto [word, type] : llvm::zip_equal(emitter.get(source).words, types))
      words.push_back(like.getType().isIndex() ? emitter.resize(word, type.getIntOrFloatBitWidth()) : word);
  }
  SmallVector<Value> words;

private:
  Emitter &emitter;
};
} // namespace

/// Gives `block` arguments for the words of `values`, and makes them what the values are.
static void bindArguments(Emitter &emitter, Block *block, ValueRange values) {
  for (Value value : values) {
    Fragment fragment;
    for (Type type : emitter.wordTypes(value))
      fragment.words.push_back(block->addArgument(type, value.getLoc()));
    auto tile = dyn_cast<TileType>(value.getType());
    fragment.lanes = tile ? Emitter::lanesOf(tile) : 1;
    emitter.set(value, std::move(fragment));
  }
}

static Block *newBlock(Emitter &emitter) {
  OpBuilder::InsertionGuard guard(emitter.b);
  Region *region = emitter.b.getInsertionBlock()->getParent();
  return emitter.b.createBlock(region, region->end());
}

static SmallVector<Value> wordsFor(Emitter &emitter, ValueRange sources, ValueRange likes) {
  Edge edge(emitter);
  for (auto [source, like] : llvm::zip_equal(sources, likes))
    edge.add(source, like);
  return edge.words;
}

static LogicalResult emitFor(Emitter &emitter, scf::ForOp loop) {
  ImplicitLocOpBuilder &b = emitter.b;
  IndexFacts &facts = emitter.facts;
  // The counter takes one more step after the last trip, which must not overflow.
  Value iv = loop.getInductionVar();
  unsigned bits = 64;
  if (!iv.getType().isIndex()) {
    bits = iv.getType().getIntOrFloatBitWidth();
  } else {
    IndexRange lower = facts.range(loop.getLowerBound()), upper = facts.range(loop.getUpperBound()),
               step = facts.range(loop.getStep());
    auto small = [](IndexRange range) { return range.isWithin(-(int64_t(1) << 30), (int64_t(1) << 31) - 1); };
    if (small(lower) && small(upper) && small(step) && upper.hi + step.hi < (int64_t(1) << 31))
      bits = 32;
  }
  Type type = b.getIntegerType(bits);
  Value lower = emitter.index(loop.getLowerBound(), bits), upper = emitter.index(loop.getUpperBound(), bits),
        step = emitter.index(loop.getStep(), bits);
  auto below = [&](Value x) -> Value {
    return LLVM::ICmpOp::create(
        b, loop.getUnsignedCmp() ? LLVM::ICmpPredicate::ult : LLVM::ICmpPredicate::slt, x, upper);
  };

  Block *body = newBlock(emitter), *exit = newBlock(emitter);
  SmallVector<Value> inits = wordsFor(emitter, loop.getInitArgs(), loop.getRegionIterArgs());
  SmallVector<Value> skipped = wordsFor(emitter, loop.getInitArgs(), loop.getResults());
  SmallVector<Value> entry{lower};
  entry.append(inits);
  LLVM::CondBrOp::create(b, below(lower), body, entry, exit, skipped);

  Value counter = body->addArgument(type, loop.getLoc());
  bindArguments(emitter, body, loop.getRegionIterArgs());
  b.setInsertionPointToStart(body);
  emitter.set(iv, iv.getType().isIndex() ? emitter.resize(counter, facts.fits32(iv) ? 32 : 64) : counter);
  if (failed(emitter.emitBlock(*loop.getBody())))
    return failure();
  b.setLoc(loop.getLoc());
  ValueRange yields = loop.getYieldedValues();
  SmallVector<Value> next{emitter.add(counter, step)}, results = wordsFor(emitter, yields, loop.getResults());
  next.append(wordsFor(emitter, yields, loop.getRegionIterArgs()));
  LLVM::CondBrOp::create(b, below(next.front()), body, next, exit, results);

  bindArguments(emitter, exit, loop.getResults());
  b.setInsertionPointToStart(exit);
  return success();
}

static LogicalResult emitIf(Emitter &emitter, scf::IfOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Block *exit = newBlock(emitter);
  Block *thenBlock = newBlock(emitter), *elseBlock = op.getElseRegion().empty() ? exit : newBlock(emitter);
  LLVM::CondBrOp::create(b, emitter.scalar(op.getCondition()), thenBlock, ValueRange(), elseBlock, ValueRange());
  for (auto [block, region] : {std::pair(thenBlock, &op.getThenRegion()), std::pair(elseBlock, &op.getElseRegion())}) {
    if (block == exit)
      continue;
    b.setInsertionPointToStart(block);
    if (failed(emitter.emitBlock(region->front())))
      return failure();
    b.setLoc(op.getLoc());
    LLVM::BrOp::create(b, wordsFor(emitter, region->front().getTerminator()->getOperands(), op.getResults()), exit);
  }
  bindArguments(emitter, exit, op.getResults());
  b.setInsertionPointToStart(exit);
  return success();
}

static LogicalResult emitWhile(Emitter &emitter, scf::WhileOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Block *before = newBlock(emitter), *after = newBlock(emitter), *exit = newBlock(emitter);
  LLVM::BrOp::create(b, wordsFor(emitter, op.getInits(), op.getBeforeArguments()), before);
  bindArguments(emitter, before, op.getBeforeArguments());
  b.setInsertionPointToStart(before);
  if (failed(emitter.emitBlock(*op.getBeforeBody())))
    return failure();
  b.setLoc(op.getLoc());
  scf::ConditionOp condition = op.getConditionOp();
  LLVM::CondBrOp::create(b, emitter.scalar(condition.getCondition()), after,
                         wordsFor(emitter, condition.getArgs(), op.getAfterArguments()), exit,
                         wordsFor(emitter, condition.getArgs(), op.getResults()));
  bindArguments(emitter, after, op.getAfterArguments());
  b.setInsertionPointToStart(after);
  if (failed(emitter.emitBlock(*op.getAfterBody())))
    return failure();
  b.setLoc(op.getLoc());
  LLVM::BrOp::create(b, wordsFor(emitter, op.getYieldOp().getOperands(), op.getBeforeArguments()), before);
  bindArguments(emitter, exit, op.getResults());
  b.setInsertionPointToStart(exit);
  return success();
}

LogicalResult Emitter::emitControlFlow(Operation *op, bool &handled) {
  handled = isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(*this, loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(*this, branch);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(*this, loop);
  return success();
}
