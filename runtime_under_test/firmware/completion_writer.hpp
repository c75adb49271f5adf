// CompletionWriter: the device's side of the host's completion queue (facts §1.4, §4.8).
//
// Invariants:
//  1. Only pages that the host has popped are written (inv. 81); a command's pages are contiguous
//  modulo the wrap.
//  2. The pointer goes to the host after the data it covers, on the same NoC and channel (inv. 82);
//  the L1 word that holds
//     it is not touched again before it has departed (inv. 83).
//  3. The toggle (bit 31) flips exactly at each wrap (inv. 84).
#pragma once

#include <cstdint>

#include "runtime_under_test/firmware/block_reader.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::fw {

class CompletionWriter {
public:
    CompletionWriter(const rt::DeviceConfig& config, const rt::DispatchCoreLayout& self,
                     rt::FaultSet& faults);

    // Where the next byte goes, and how many fit before its page ends; waits for the host at a
    // page's start.
    std::uint32_t reserve();
    // Sends [source, +length) of L1; length <= what reserve said. One packet, counted by the
    // caller's reader.
    void write(std::uint32_t source, std::uint32_t length, BlockReader& reader);
    // The command is over: the rest of its last page is skipped and the pointer published.
    void finish_command(BlockReader& reader);

private:
    static constexpr std::uint32_t kToggle = 1u << 31;

    bool has_free_page();
    void page_done(BlockReader& reader);
    void publish(BlockReader& reader);

    rt::FaultSet& faults_;
    std::uint32_t pcie_xy_;
    std::uint32_t base_;
    std::uint32_t end_;
    std::uint32_t host_pointer_word_;
    std::uint32_t own_pointer_word_;
    std::uint32_t read_pointer_word_;
    std::uint32_t page_;      // start of the page being filled
    std::uint32_t used_ = 0;  // bytes of it
    std::uint32_t toggle_ = 0;
    bool reserved_ = false;
};

}  // namespace cqfuzz::fw
