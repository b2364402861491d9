/// The one header of the host side: include it, or a generated header, which does.
#ifndef TILEC_LIB_RUNTIME_RUNTIME_H
#define TILEC_LIB_RUNTIME_RUNTIME_H

#include "lib/Runtime/Argument.h"
#include "lib/Runtime/Device.h"
#include "lib/Runtime/ElementType.h"
#include "lib/Runtime/Index.h"
#include "lib/Runtime/KernelTable.h"
#include "lib/Runtime/Launch.h"
#include "lib/Runtime/PackedElements.h"
#include "lib/Runtime/Status.h"
#include "lib/Runtime/View.h"

#endif // TILEC_LIB_RUNTIME_RUNTIME_H
