// The name under which some kernels include it.
#pragma once
#include "../../tools/profiler/kernel_profiler.hpp"
