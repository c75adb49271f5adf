// The name under which 2025 kernels include it.
#pragma once
#include "../../debug/waypoint.h"
