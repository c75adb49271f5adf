// Kinds of cores, as template arguments of get_semaphore and address tables (facts §10).
#pragma once

#include <cstdint>

enum class ProgrammableCoreType : std::uint8_t { TENSIX = 0, ACTIVE_ETH = 1, IDLE_ETH = 2, COUNT = 3 };
