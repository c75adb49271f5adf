// The name under which kernels for ethernet cores include it.
#pragma once
#include "dispatch_address_map.hpp"
