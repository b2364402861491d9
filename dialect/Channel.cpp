// Checks of channels.
#include "dialect/Channel.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Channel.cpp.inc"

static LogicalResult verifySlot(Operation *op, ChannelType channel, TypeRange buffers) {
  if (buffers.size() != channel.getBuffers().size())
    return op->emitOpError("expects the ")
           << channel.getBuffers().size() << " buffers of a slot of " << channel << ", but got " << buffers.size();
  for (auto [i, expected, found] : llvm::enumerate(channel.getBuffers(), buffers))
    if (expected != found)
      return op->emitOpError("expects buffer ") << i << " to be " << expected << ", but got " << found;
  return success();
}

LogicalResult ChannelAcquireOp::verify() {
  return verifySlot(*this, cast<ChannelType>(getChannel().getType()), getBuffers().getTypes());
}

LogicalResult ChannelWaitOp::verify() {
  auto channel = cast<ChannelType>(getChannel().getType());
  if (getPending() >= channel.getStages())
    return emitOpError("expects pending to be below the channel's ")
           << channel.getStages() << " stages, found " << getPending();
  return verifySlot(*this, channel, getBuffers().getTypes());
}
