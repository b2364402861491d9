/// The tile dialect: include this to use its ops, types and attributes.
#ifndef DIALECT_TILE_H
#define DIALECT_TILE_H

#include "dialect/Channel.h"
#include "dialect/Create.h"
#include "dialect/Dot.h"
#include "dialect/Elementwise.h"
#include "dialect/Kernel.h"
#include "dialect/Memory.h"
#include "dialect/Microscaling.h"
#include "dialect/Reduce.h"
#include "dialect/Shared.h"
#include "dialect/TileTypes.h"

#endif
