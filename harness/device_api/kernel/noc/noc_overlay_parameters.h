// The name under which some kernels include it.
#pragma once
#include "../noc_overlay_parameters.h"
