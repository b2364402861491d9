#include "lib/Simulator/Core/Async.h"

#include "lib/Simulator/Core/Execution.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

/// Runs what the operation does, under the warp that issued it.
static void perform(AsyncOperation &operation) {
  Execution x;
  x.enter(*operation.warp);
  operation.perform(x);
  x.event();
}

void AsyncQueue::add(Execution &x, AsyncOperation operation) {
  // With a seed, one in three happens at once.
  bool atOnce = x.grid->options.seed != 0 && x.cluster->random() % 3 == 0;
  pending.push_back(std::make_unique<AsyncOperation>(std::move(operation)));
  if (atOnce)
    performAt(pending.size() - 1);
}

void AsyncQueue::performAt(size_t i) {
  // Ordered units do what came before first.
  if (pending[i]->ordered)
    for (size_t k = 0; k < i; ++k)
      if (pending[k]->ordered && pending[k]->warp == pending[i]->warp && pending[k]->unit == pending[i]->unit) {
        i = k;
        break;
      }
  std::unique_ptr<AsyncOperation> operation = std::move(pending[i]);
  pending.erase(pending.begin() + static_cast<ptrdiff_t>(i));
  perform(*operation);
}

void AsyncQueue::complete(const std::function<bool(const AsyncOperation &)> &condition) {
  std::vector<std::unique_ptr<AsyncOperation>> ready;
  auto kept = std::stable_partition(pending.begin(), pending.end(),
                                    [&](const std::unique_ptr<AsyncOperation> &entry) { return !condition(*entry); });
  std::move(kept, pending.end(), std::back_inserter(ready));
  pending.erase(kept, pending.end());
  for (std::unique_ptr<AsyncOperation> &operation : ready)
    perform(*operation);
}

void AsyncQueue::commit(Warp &warp, AsyncOperation::Unit unit, uint64_t group, LaneMask lanes) {
  for (std::unique_ptr<AsyncOperation> &operation : pending)
    if (operation->warp == &warp && operation->unit == unit && operation->group == ~uint64_t(0) &&
        (lanes >> operation->lane & 1))
      operation->group = group;
}

bool AsyncQueue::advance(Cluster &cluster) {
  if (pending.empty())
    return false;
  performAt(cluster.grid->options.seed ? cluster.random() % pending.size() : 0);
  return true;
}
