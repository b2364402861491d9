// Lower level: channels, the one asynchronous primitive.
#ifndef DIALECT_CHANNEL_TD
#define DIALECT_CHANNEL_TD

include "dialect/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ChannelCreateOp : Tile_Op<"channel_create", [MemoryEffects<[MemAlloc<Tile_SharedMemory>]>]> {
  let summary = "a ring of slots in shared memory";
  let description = [{
    Makes `channel`, all slots empty. `offset`, the byte where it begins, is set when shared memory is allocated.

    ```mlir
    %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Tile_AnyChannel:$channel);
  let assemblyFormat = "attr-dict `:` type($channel)";
}

class Tile_ChannelSlotOp<string mnemonic> : Tile_Op<mnemonic, [
    MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let arguments = (ins Tile_AnyChannel:$channel, Index:$slot);
  let assemblyFormat = "$channel `[` $slot `]` attr-dict `:` type($channel)";
}

def Tile_ChannelAcquireOp : Tile_ChannelSlotOp<"channel_acquire"> {
  let summary = "the producer takes an empty slot";
  let description = [{
    Waits until slot number `slot` of `channel`, 0 to stages − 1, has been released by its last reader. Gives its
    `buffers`, one per buffer type of the channel.

    ```mlir
    %w = tile.channel_acquire %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
    ```
  }];
  let results = (outs Variadic<Tile_AnyShared>:$buffers);
  let assemblyFormat = "$channel `[` $slot `]` attr-dict `:` type($channel) (`->` type($buffers)^)?";
  let hasVerifier = 1;
}

def Tile_ChannelCommitOp : Tile_ChannelSlotOp<"channel_commit"> {
  let summary = "the producer hands a filled slot over";
  let description = [{
    Gathers all fills of slot number `slot` of `channel` since it was acquired. Commits are in the order of acquires.

    ```mlir
    tile.channel_commit %ring[%write] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
    ```
  }];
}

def Tile_ChannelWaitOp : Tile_ChannelSlotOp<"channel_wait"> {
  let summary = "the consumer waits for a filled slot";
  let description = [{
    Waits until the fills of slot number `slot` of `channel` have landed, and gives its `buffers`. `pending`, below
    the number of stages, is how many later commits may still be in flight.

    ```mlir
    %r = tile.channel_wait %ring[%read] pending 1 : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
    ```
  }];
  let arguments = (ins Tile_AnyChannel:$channel, Index:$slot, ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let results = (outs Variadic<Tile_AnyShared>:$buffers);
  let assemblyFormat = [{
    $channel `[` $slot `]` `pending` $pending attr-dict `:` type($channel) (`->` type($buffers)^)?
  }];
  let hasVerifier = 1;
}

def Tile_ChannelReleaseOp : Tile_ChannelSlotOp<"channel_release"> {
  let summary = "the consumer gives a slot back";
  let description = [{
    Nothing reads the buffers of slot number `slot` of `channel` afterwards.

    ```mlir
    tile.channel_release %ring[%read] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
    ```
  }];
}

#endif
