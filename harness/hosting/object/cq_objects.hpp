// The queue interfaces that every object has (cq_interfaces.h); a kernel's own ones take their
// place. Included once, by the port.
#pragma once

#include "harness/device_api/kernel/cq_interfaces.h"

__attribute__((weak)) CQReadInterface cq_read_interface;
__attribute__((weak)) CQWriteInterface cq_write_interface;
