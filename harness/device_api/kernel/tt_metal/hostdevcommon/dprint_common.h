// The name under which some kernels include it.
#pragma once
#include "../../debug/dprint.h"
