// Umbrella: everything that the dialect has, for documentation and tools. Each family generates from its own file.
include "dialect/Kernel.td"
include "dialect/Create.td"
include "dialect/Elementwise.td"
include "dialect/Reduce.td"
include "dialect/Dot.td"
include "dialect/Memory.td"
include "dialect/Shared.td"
include "dialect/Channel.td"
