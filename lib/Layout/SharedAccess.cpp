#include "lib/Layout/SharedLayout.h"
