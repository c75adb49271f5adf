// The name under which some kernels include it.
#pragma once
#include "dataflow_api.h"
