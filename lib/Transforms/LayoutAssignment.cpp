// Union-find over tiles, then seeds in order of strength, each spread over shape ops to neighbours without a layout.
#include "lib/Transforms/LayoutAssignment.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

std::optional<unsigned> LayoutAssignment::find(Value value) const {
  auto found = numbers.find(value);
  if (found == numbers.end())
    return std::nullopt;
  unsigned root = found->second;
  while (parents[root] != root)
    root = parents[root] = parents[parents[root]];
  return root;
}

LayoutAttr LayoutAssignment::layoutOf(Value value) const {
  std::optional<unsigned> root = find(value);
  return root ? classes[*root].layout : LayoutAttr();
}

void LayoutAssignment::collect(KernelOp kernel) {
  auto add = [&](Value value) {
    if (!tileType(value))
      return;
    numbers[value] = parents.size();
    parents.push_back(parents.size());
    classes.emplace_back();
    classes.back().first = value;
  };
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!LayoutRules::isRematerialisable(op))
      llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
}

void LayoutAssignment::bind(Value a, Value b) {
  std::optional<unsigned> x = find(a), y = find(b);
  if (!x || !y || x == y)
    return;
  LayoutAttr lx = classes[*x].layout, ly = classes[*y].layout;
  // Two anchors that disagree stay apart; a relayout between them follows from the types.
  if (lx && ly && lx != ly)
    return;
  unsigned root = std::min(*x, *y), other = std::max(*x, *y);
  parents[other] = root;
  classes[root].layout = lx ? lx : ly;
}

/// Binds what an op wants in one layout.
void LayoutAssignment::bindUses(Operation *op) {
  if (LayoutRules::keepsLayout(op)) {
    for (Value operand : op->getOperands())
      bind(op->getResult(0), operand);
  } else if (auto dot = dyn_cast<DotOp>(op)) {
    bind(dot.getResult(), dot.getAcc());
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    for (Value operand : reduce.getOperands())
      bind(LayoutRules::deciding(op).get(), operand);
    for (Value result : reduce.getResults())
      bind(reduce.getResults().front(), result);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [result, argument, next, first] :
         llvm::zip(loop.getResults(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getInitArgs())) {
      bind(argument, result);
      bind(argument, next);
      bind(argument, first);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Value result : branch.getResults())
      for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
        bind(result, yield.getOperand(cast<OpResult>(result).getResultNumber()));
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [result, argument, passed] :
         llvm::zip(loop.getResults(), loop.getAfterArguments(), loop.getConditionOp().getArgs())) {
      bind(argument, result);
      bind(argument, passed);
    }
    for (auto [argument, next, first] :
         llvm::zip(loop.getBeforeArguments(), loop.getYieldOp().getOperands(), loop.getInits())) {
      bind(argument, next);
      bind(argument, first);
    }
  }
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

LogicalResult LayoutAssignment::anchorAuthors(KernelOp kernel) {
  for (Class &each : classes) {
    each.layout = tileType(each.first).getLayout();
    if (!each.layout)
      continue;
    unsigned warps = tileType(each.first).distribution().numWarps();
    if (warps != rules->numWarps()) {
      InFlightDiagnostic diag = emitError(each.first.getLoc())
                                << "expects layouts over " << rules->numWarps() << " warps, as planned, found one over "
                                << warps;
      diag.attachNote(kernel.getLoc()) << "'schedule {warps = " << warps << "}' on the kernel asks for as many";
      return diag;
    }
  }
  return success();
}

LogicalResult LayoutAssignment::anchorDots(KernelOp kernel) {
  WalkResult result = kernel.getBody().walk([&](DotOp dot) -> WalkResult {
    LayoutAttr &layout = classes[*find(dot.getResult())].layout;
    if (layout)
      return WalkResult::advance();
    FailureOr<DotLayouts> layouts = rules->dotLayouts(dot);
    if (failed(layouts))
      return failure();
    layout = layouts->acc;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Gathers what each class is used for, once the classes are known.
void LayoutAssignment::describe(KernelOp kernel) {
  auto mark = [&](Value value, auto change) {
    if (std::optional<unsigned> root = find(value))
      change(classes[*root]);
  };
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LoadOp, StoreOp>(op)) {
      mark(isa<LoadOp>(op) ? op->getResult(0) : op->getOperand(0), [&](Class &of) {
        if (!of.access || LayoutRules::accessBytes(op) > LayoutRules::accessBytes(of.access))
          of.access = op;
      });
    } else if (isa<DotOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        if (DotOp::isFactor(operand.getOperandNumber()))
          mark(operand.get(), [&](Class &of) {
            if (!of.dotOperand)
              of.dotOperand = &operand;
          });
    } else if (LayoutRules::isRelabelling(op)) {
      auto reduce = dyn_cast<ReduceOp>(op);
      bool exact = isa<ReshapeOp>(op) || (reduce && LayoutRules::needsExact(reduce));
      auto add = [&](Class &of) {
        of.relabellings.push_back(op);
        of.exact |= exact;
      };
      mark(LayoutRules::deciding(op).get(), add);
      mark(op->getResult(0), add);
      if (reduce)
        mark(LayoutRules::deciding(op).get(), [&](Class &of) {
          if (rules->reductionLayout(reduce))
            of.columnReduction = op;
          of.hasRowReduction |= reduce.getAxis() + 1 == tileType(of.first).getShape().size();
        });
    }
  });
}

//===----------------------------------------------------------------------===//
// Spreading
//===----------------------------------------------------------------------===//

/// Rows of a reshaped tile are pieces of rows.
void LayoutAssignment::markRows(KernelOp kernel) {
  kernel.getBody().walk([&](ReshapeOp op) {
    std::optional<unsigned> source = find(op.getSource()), result = find(op.getResult());
    if (source && result)
      classes[*source].hasRowReduction |= classes[*result].hasRowReduction;
  });
}

void LayoutAssignment::settle(unsigned root, LayoutAttr layout, bool sparesRows) {
  classes[root].layout = layout;
  SmallVector<unsigned> queue{root};
  auto reach = [&](std::optional<unsigned> neighbour, LayoutAttr derived) {
    if (!derived || !neighbour || classes[*neighbour].layout || (sparesRows && classes[*neighbour].hasRowReduction))
      return;
    classes[*neighbour].layout = derived;
    queue.push_back(*neighbour);
  };
  for (size_t i = 0; i < queue.size(); ++i) {
    unsigned current = queue[i];
    for (Operation *op : classes[current].relabellings) {
      std::optional<unsigned> source = find(LayoutRules::deciding(op).get()), result = find(op->getResult(0));
      LayoutAttr own = classes[current].layout;
      if (source == current) {
        auto reduce = dyn_cast<ReduceOp>(op);
        reach(result, rules->resultLayout(op, reduce ? rules->reducible(reduce, own) : own));
      }
      if (result == current)
        reach(source, rules->sourceLayout(op, own));
    }
  }
}

LayoutAttr LayoutAssignment::seed(const Class &of) {
  if (of.access)
    return rules->accessLayout(of.access, of.exact);
  if (of.dotOperand) {
    // Its dot was asked before, so there is an answer; a dot that the author laid out keeps its operands.
    auto dot = cast<DotOp>(of.dotOperand->getOwner());
    if (FailureOr<DotLayouts> layouts = rules->dotLayouts(dot);
        succeeded(layouts) && layouts->acc == layoutOf(dot.getResult()))
      return layouts->of(*of.dotOperand);
  }
  return rules->freeLayout(tileType(of.first), of.exact);
}

void LayoutAssignment::settleRest() {
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < classes.size(); ++i)
    if (parents[i] == i)
      order.push_back(i);
  auto weight = [&](unsigned root) {
    const Class &of = classes[root];
    return std::make_pair(tileType(of.first).getNumElements(), of.access != nullptr);
  };
  for (unsigned root : order)
    if (classes[root].layout)
      settle(root, classes[root].layout);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return weight(a) > weight(b); });
  for (unsigned root : order)
    if (!classes[root].layout && classes[root].columnReduction)
      settle(root, rules->reductionLayout(cast<ReduceOp>(classes[root].columnReduction)), /*sparesRows=*/true);
  for (unsigned root : order)
    if (!classes[root].layout)
      settle(root, seed(classes[root]));
}

FailureOr<LayoutAssignment> LayoutAssignment::compute(KernelOp kernel, LayoutRules &rules) {
  LayoutAssignment assignment(rules);
  assignment.collect(kernel);
  if (failed(assignment.anchorAuthors(kernel)) || failed(assignment.anchorDots(kernel)))
    return failure();
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { assignment.bindUses(op); });
  assignment.describe(kernel);
  assignment.markRows(kernel);
  assignment.settleRest();
  return assignment;
}
