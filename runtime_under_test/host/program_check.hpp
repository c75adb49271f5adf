// check_program: refuses a program that the device cannot run as asked.
#pragma once

#include "runtime_under_test/host/program.hpp"

namespace cqfuzz::rt {

// Throws Misuse with the entry that is wrong, what it is and what is accepted.
void check_program(const Program& program, const DeviceConfig& config);

}  // namespace cqfuzz::rt
