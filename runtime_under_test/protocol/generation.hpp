// Generation: which commands a firmware knows, and by which ids (facts §2.1, §2.4).
//
// The layouts of the commands that generations of 2024 share are the same, so an encoder writes
// those of late 2024, and what is sent is translated id by id.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::rt {

struct Generation {
    static constexpr std::uint8_t kUnknown = 0xff;

    std::array<std::uint8_t, static_cast<std::size_t>(PrefetchId::kCount)> prefetch{};
    std::array<std::uint8_t, static_cast<std::size_t>(DispatchId::kCount)> dispatch{};

    std::uint8_t& id(PrefetchId of) { return prefetch[static_cast<std::size_t>(of)]; }
    std::uint8_t& id(DispatchId of) { return dispatch[static_cast<std::size_t>(of)]; }
    bool has(PrefetchId of) const { return prefetch[static_cast<std::size_t>(of)] != kUnknown; }
    bool has(DispatchId of) const { return dispatch[static_cast<std::size_t>(of)] != kUnknown; }
};

// Every id is its own.
Generation late_2024();
// July 2024: the prefetcher's TERMINATE is 11, behind a WAIT_FOR_EVENT that no host sends any more;
// no write offsets, go signals, worker semaphores or ring-buffer cache; GO and SINK do not advance
// (facts §2.6).
Generation mid_2024();

// kCount: no command is called that.
PrefetchId prefetch_id_of(std::string_view name);
DispatchId dispatch_id_of(std::string_view name);

// Gives the commands in `units`, which are late 2024's and whole, the ids of `to`. What is broken
// ends the walk: the rest stays as it is.
void translate(std::span<std::byte> units, const Generation& to);

}  // namespace cqfuzz::rt
