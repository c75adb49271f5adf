// How much one WRITE_PACKED may hold (facts §3.4, inv. 27, 28, 102, 103).
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/host/command_sizes.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::rt {

class PackedLimits {
public:
    PackedLimits(const DispatchGeometry& geometry, std::uint32_t sub_bytes, FaultSet& faults)
        : faults_(faults),
          page_bytes_(geometry.dispatch.page_size_bytes()),
          command_max_(geometry.max_prefetch_command_bytes),
          sub_bytes_(sub_bytes),
          count_max_(sub_bytes == kMulticastSubBytes ? geometry.packed_write_max_unicast / 2
                                                     : geometry.packed_write_max_unicast) {}

    // Receivers of one command, each with its own payload of `size` bytes; at least one.
    std::uint32_t receivers(std::uint32_t left, std::uint32_t size) const {
        std::uint32_t count = std::min(left, count_max_);
        if (left > count_max_ && faults_.on(Fault::too_many_sub_commands)) count = left;
        while (count > 1 && inline_bytes(packed_bytes(count, sub_bytes_, size,
                                                      PackedPayload::each)) > command_max_)
            count--;
        return count;
    }
    // Bytes of one receiver's own payload in one command.
    std::uint32_t own_payload(std::uint32_t left) const {
        return std::min({left, page_bytes_, command_max_ - 2 * kBareMinBytes});
    }
    // Receivers of one shared payload.
    std::uint32_t sharers(std::uint32_t left) const { return std::min(left, count_max_); }
    // Bytes of a payload that `count` receivers share: it lies in the first page behind the
    // sub-commands.
    std::uint32_t shared_payload(std::uint32_t left, std::uint32_t count) const {
        const std::uint32_t head = packed_head_bytes(count, sub_bytes_);
        return std::min({left, page_bytes_ - head, command_max_ - kBareMinBytes - head});
    }

private:
    FaultSet& faults_;
    std::uint32_t page_bytes_;
    std::uint32_t command_max_;
    std::uint32_t sub_bytes_;
    std::uint32_t count_max_;
};

}  // namespace cqfuzz::rt
