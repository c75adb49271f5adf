#include "harness/run/oracle_choice.hpp"

#include <fmt/core.h>

#include <optional>

#include "harness/oracle/oracles.hpp"
#include "harness/run/run.hpp"

namespace cqfuzz {

Result<std::uint32_t> oracles_without(std::span<const std::string> names) {
    std::uint32_t enabled = kAllOracles;
    for (const std::string& name : names) {
        const std::optional<OracleId> id = oracle_named(name);
        if (!id) {
            std::string known;
            for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(OracleId::kCount); ++i) {
                known += fmt::format("{}{}", i == 0 ? "" : ", ", name_of(static_cast<OracleId>(i)));
            }
            return Error{fmt::format("unknown oracle \"{}\"; there are {}", name, known)};
        }
        enabled &= ~(1u << static_cast<unsigned>(*id));
    }
    return enabled;
}

}  // namespace cqfuzz
