// The name under which later kernels include it.
#pragma once
#include "dispatch_address_map.hpp"
#include "dev_msgs.h"
