// The name under which kernels of 2024 include it; what they use of it is in dataflow_api.h.
#pragma once
#include "dataflow_api.h"
