// Checks of channels.
#include "dialect/Channel.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Channel.cpp.inc"

static LogicalResult verifySlot(Operation *op, ChannelType channel, TypeRange buffers) {
  if (TypeRange(channel.getBuffers()) != buffers) {
    InFlightDiagnostic diag = op->emitOpError("expects the buffers of one slot of ") << channel;
    diag.attachNote() << "got " << buffers.size() << " buffers where a slot has " << channel.getBuffers().size()
                      << ", or other types";
    return diag;
  }
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
