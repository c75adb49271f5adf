// The name under which some kernels include it.
#pragma once
#include "../dev_msgs.h"
