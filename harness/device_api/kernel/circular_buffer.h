// The name under which some kernels include it.
#pragma once
#include "cq_interfaces.h"
