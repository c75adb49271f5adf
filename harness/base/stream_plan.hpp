// StreamPlan: what a stream of commands will have done, predicted from the commands as values and
// from where things lie. Neither an encoder nor firmware has a part in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/tile.hpp"

namespace cqfuzz {

// Bytes of StreamPlan::pool.
struct StreamBytes {
    std::uint32_t first = 0;
    std::uint32_t length = 0;
};

struct StreamWrite {
    std::uint32_t op = 0;
    NocRectangle receivers{};  // unicast: one tile
    bool multicast = false;
    bool by_host_side = false;    // dispatch_h sends it, which no WAIT waits for
    std::uint32_t address = 0;    // in each receiver
    std::uint32_t barriers = 0;   // WAITs with a barrier in front of it
    StreamBytes bytes;
};

// The n-th go that a core sees is the n-th of these that names it.
struct StreamGo {
    std::uint32_t op = 0;
    bool workers = false;
    std::uint32_t ethernet = 0;     // the first so many cores
    std::uint32_t writes_sure = 0;  // so many of `writes` have arrived when a core sees it
};

struct StreamCompletion {
    std::uint32_t op = 0;
    StreamBytes bytes;
};

struct StreamPlan {
    bool predicted = true;  // false: some command is broken, and nobody can say anything
    bool split = false;     // dispatch_h is another core than the dispatcher
    std::vector<StreamWrite> writes;  // in the order of the stream
    std::vector<StreamGo> gos;
    std::vector<StreamCompletion> completions;
    std::vector<std::byte> pool;

    std::span<const std::byte> bytes_of(const StreamBytes& bytes) const {
        return {pool.data() + bytes.first, bytes.length};
    }
};

}  // namespace cqfuzz
