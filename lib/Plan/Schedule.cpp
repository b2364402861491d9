// Reads the schedule key by key from one table of names and bounds.
#include "lib/Plan/Schedule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

FailureOr<Schedule> Schedule::read(KernelOp kernel, const Target &target) {
  Schedule schedule;
  struct Key {
    StringRef name;
    std::optional<int64_t> &value;
    int64_t most;
    bool isPowerOfTwo;
  };
  int64_t mostWarps = target.maxThreadsPerBlock / 32;
  Key keys[] = {{"warps", schedule.warps, mostWarps, true},
                {"warps_m", schedule.warpsM, mostWarps, true},
                {"warps_n", schedule.warpsN, mostWarps, true},
                {"stages", schedule.stages, 16, false},
                {"group_m", schedule.groupM, 1024, false},
                {"blocks_per_sm", schedule.blocksPerSM, target.maxBlocksPerSM, false}};
  DictionaryAttr given = kernel.getScheduleAttr();
  for (NamedAttribute entry : given ? given : DictionaryAttr::get(kernel.getContext())) {
    if (entry.getName() == "require") {
      auto what = dyn_cast<StringAttr>(entry.getValue());
      if (!what || what.getValue() != "native")
        return kernel.emitOpError("expects schedule key 'require' to be \"native\", found ") << entry.getValue();
      schedule.requireNative = true;
      continue;
    }
    Key *key = llvm::find_if(keys, [&](const Key &key) { return key.name == entry.getName().getValue(); });
    if (key == std::end(keys)) {
      InFlightDiagnostic diag = kernel.emitOpError("has no schedule key '") << entry.getName().getValue() << "'";
      diag.attachNote() << "known are "
                        << llvm::join(llvm::map_range(keys, [](const Key &key) { return key.name; }), ", ")
                        << ", require";
      return diag;
    }
    auto number = dyn_cast<IntegerAttr>(entry.getValue());
    if (!number || number.getInt() < 1 || number.getInt() > key->most ||
        (key->isPowerOfTwo && !llvm::isPowerOf2_64(number.getInt())))
      return kernel.emitOpError("expects schedule key '")
             << key->name << "' to be a " << (key->isPowerOfTwo ? "power of two" : "number") << " from 1 to "
             << key->most << ", found " << entry.getValue();
    key->value = number.getInt();
  }
  if (schedule.warpsM && schedule.warpsN) {
    int64_t product = *schedule.warpsM * *schedule.warpsN;
    if (product > mostWarps || (schedule.warps && *schedule.warps != product))
      return kernel.emitOpError("expects 'warps_m' times 'warps_n' to be 'warps', ")
             << (schedule.warps ? *schedule.warps : mostWarps) << (schedule.warps ? "" : " at most") << ", found "
             << product;
    schedule.warps = product;
  }
  for (auto [name, side] : {std::pair(StringRef("warps_m"), schedule.warpsM), {"warps_n", schedule.warpsN}})
    if (side && schedule.warps && *side > *schedule.warps)
      return kernel.emitOpError("expects '")
             << name << "' to be at most 'warps', " << *schedule.warps
             << ", found " << *side;
  return schedule;
}
