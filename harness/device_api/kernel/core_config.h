// Kinds of cores and of their processors, as template arguments of get_semaphore and address tables
// (facts §10).
#pragma once

#include <cstdint>

enum class ProgrammableCoreType : std::uint8_t { TENSIX = 0, ACTIVE_ETH = 1, IDLE_ETH = 2, COUNT = 3 };
inline constexpr std::uint32_t NumProgrammableCoreTypes = static_cast<std::uint32_t>(ProgrammableCoreType::COUNT);

enum class AddressableCoreType : std::uint8_t { TENSIX = 0, ETH = 1, PCIE = 2, DRAM = 3, HARVESTED = 4, UNKNOWN = 5, COUNT = 6 };
enum class TensixProcessorTypes : std::uint8_t { DM0 = 0, DM1 = 1, MATH0 = 2, MATH1 = 3, MATH2 = 4, COUNT = 5 };
enum class EthProcessorTypes : std::uint8_t { DM0 = 0, DM1 = 1, COUNT = 2 };
