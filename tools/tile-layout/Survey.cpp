#include "tools/tile-layout/Survey.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tile;

/// "gemm.mlir:20:10"; empty where no place is known.
static std::string placeOf(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (llvm::sys::path::filename(place.getFilename().getValue()) + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

int KernelReport::addTile(TileType type, const std::string &place, StringRef op) {
  for (auto [i, entry] : llvm::enumerate(tiles))
    if (entry.type.getLayout() == type.getLayout() && entry.type.getShape() == type.getShape()) {
      ++entry.uses;
      return i;
    }
  tiles.push_back({type, place, op.str(), 1});
  return tiles.size() - 1;
}

int KernelReport::addBuffer(SharedType type, const std::string &place, StringRef op) {
  for (auto [i, entry] : llvm::enumerate(buffers))
    if (entry.type == type) {
      ++entry.uses;
      return i;
    }
  buffers.push_back({type, place, op.str(), 1});
  return buffers.size() - 1;
}

/// Whether two ops differ in their place only.
static bool isSame(const AccessEntry &a, const AccessEntry &b) {
  auto costs = [](const AccessEntry &entry) {
    SharedCost shared = entry.access.shared.value_or(SharedCost());
    GlobalCost global = entry.access.global.value_or(GlobalCost());
    return std::make_tuple(shared.requests, shared.wavefronts, shared.least, global.requests, global.sectors,
                           global.least, global.wasted, entry.access.vectorBytes, entry.access.perThread);
  };
  return a.op == b.op && a.tile == b.tile && a.otherTile == b.otherTile && a.buffer == b.buffer &&
         a.access.instruction == b.access.instruction && a.access.verdict == b.access.verdict && costs(a) == costs(b);
}

void KernelReport::addAccess(AccessEntry entry) {
  for (AccessEntry &known : accesses)
    if (isSame(known, entry)) {
      ++known.uses;
      return;
    }
  entry.uses = 1;
  accesses.push_back(std::move(entry));
}

namespace {
/// Walks one kernel.
class Surveyor {
public:
  Surveyor(KernelOp kernel, const Target &target, KernelReport &report)
      : facts(kernel), target(target), report(report) {}
  void visit(Operation *op);
  void visitValue(Value value, Operation *op);

private:
  int tileOf(Value value) {
    auto type = dyn_cast<TileType>(value.getType());
    return type && type.getLayout() ? find(type) : -1;
  }
  int bufferOf(Value value) {
    for (auto [i, entry] : llvm::enumerate(report.buffers))
      if (entry.type == value.getType())
        return i;
    return -1;
  }
  int find(TileType type) {
    for (auto [i, entry] : llvm::enumerate(report.tiles))
      if (entry.type.getLayout() == type.getLayout() && entry.type.getShape() == type.getShape())
        return i;
    return -1;
  }

  IndexFacts facts;
  const Target &target;
  KernelReport &report;
};
} // namespace

void Surveyor::visitValue(Value value, Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto type = dyn_cast<TileType>(value.getType()); type && type.getLayout())
    report.addTile(type, placeOf(op->getLoc()), name);
  else if (auto shared = dyn_cast<SharedType>(value.getType()))
    report.addBuffer(shared, placeOf(op->getLoc()), name);
}

void Surveyor::visit(Operation *op) {
  for (Value result : op->getResults())
    visitValue(result, op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        visitValue(argument, op);

  AccessEntry entry;
  entry.place = placeOf(op->getLoc());
  entry.op = op->getName().getStringRef().str();
  // A tile without a layout is before planning, and has no instructions yet.
  auto laidOut = [](Value value) { return static_cast<bool>(cast<TileType>(value.getType()).getLayout()); };
  if (auto load = dyn_cast<SharedLoadOp>(op); load && laidOut(load.getResult())) {
    entry.tile = tileOf(load.getResult());
    entry.buffer = bufferOf(load.getBuffer());
    entry.access = describeSharedLoad(cast<TileType>(load.getResult().getType()),
                                      cast<SharedType>(load.getBuffer().getType()), load.begin(), target);
  } else if (auto store = dyn_cast<SharedStoreOp>(op); store && laidOut(store.getValue())) {
    entry.tile = tileOf(store.getValue());
    entry.buffer = bufferOf(store.getBuffer());
    entry.access =
        describeSharedStore(cast<TileType>(store.getValue().getType()), cast<SharedType>(store.getBuffer().getType()));
  } else if (auto load = dyn_cast<LoadOp>(op); load && laidOut(load.getResult())) {
    entry.tile = tileOf(load.getResult());
    entry.access = describeGlobal(cast<TileType>(load.getResult().getType()), cast<ViewType>(load.getView().getType()),
                                  load.getOffsets(), facts, /*isStore=*/false);
  } else if (auto store = dyn_cast<StoreOp>(op); store && laidOut(store.getValue())) {
    entry.tile = tileOf(store.getValue());
    entry.access = describeGlobal(cast<TileType>(store.getValue().getType()), cast<ViewType>(store.getView().getType()),
                                  store.getOffsets(), facts, /*isStore=*/true);
  } else if (auto copy = dyn_cast<CopyAsyncOp>(op)) {
    entry.buffer = bufferOf(copy.getBuffer());
    entry.access = describeCopy(copy, facts, report.warps);
  } else if (auto relayout = dyn_cast<RelayoutOp>(op);
             relayout && laidOut(relayout.getSource()) && laidOut(relayout.getResult())) {
    entry.otherTile = tileOf(relayout.getSource());
    entry.tile = tileOf(relayout.getResult());
    entry.access = describeRelayout(cast<TileType>(relayout.getSource().getType()),
                                    cast<TileType>(relayout.getResult().getType()));
  } else {
    return;
  }
  report.addAccess(std::move(entry));
}

KernelReport tile::surveyKernel(KernelOp kernel, const Target &target) {
  KernelReport report;
  report.name = kernel.getSymName().str();
  report.target = target.name;
  report.warps = kernel.planned("warps", 4);
  for (auto [i, argument] : llvm::enumerate(kernel.getKernelArguments()))
    if (auto view = dyn_cast<MxViewType>(argument.getType()))
      report.scales.push_back({placeOf(argument.getLoc()), ("%" + kernel.argumentName(i)).str(), view});
  Surveyor surveyor(kernel, target, report);
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { surveyor.visit(op); });
  return report;
}
