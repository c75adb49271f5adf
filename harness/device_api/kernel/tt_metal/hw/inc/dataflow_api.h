// The name under which kernels of 2024 include it.
#pragma once
#include "../../../dataflow_api.h"
