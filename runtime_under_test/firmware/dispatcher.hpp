// Dispatcher: executes dispatcher commands out of its page ring (facts §2.6, §16): one function per
// command.
//
// Roles: hd does everything; d relays what the host is to get to h; h handles only what was
// relayed.
#pragma once

#include <cstdint>

#include "harness/device_api/local_memory.hpp"
#include "runtime_under_test/firmware/block_reader.hpp"
#include "runtime_under_test/firmware/cb_writer.hpp"
#include "runtime_under_test/firmware/completion_writer.hpp"
#include "runtime_under_test/protocol/commands.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"

namespace cqfuzz::fw {

// In front of each page that dispatch_d relays to dispatch_h: first word = payload + preamble
// bytes, bit 0 set when this is not the command's last page (facts §1.6).
inline constexpr std::uint32_t kRelayPreambleBytes = 16;

class Dispatcher {
public:
    Dispatcher(const rt::CoreLaunch& launch, rt::FaultSet& faults);
    void run();

private:
    // Sub-commands of packed writes; the copy moves six words a step and may write five past the
    // end (facts §3.4).
    static constexpr std::uint32_t kSubCommandWords = 2 * 64 + 6;

    // A packet of a linked chain of multicasts keeps its path for the next one (facts §8.2).
    enum class Link : std::uint8_t { closed, open };

    void execute(rt::DispatchId id);
    void execute_relayed(rt::DispatchId id);
    void load_command(std::byte (&bytes)[rt::kCommandBytes]) const;
    // Bytes from the command's first one to the end of its first page, which is held.
    std::uint32_t room_in_first_page() const {
        return reader_.page_bytes() - (command_ - reader_.base()) % reader_.page_bytes();
    }
    void copy_sub_commands(std::uint32_t words);
    void finish();

    // dispatcher_write.cpp
    void write_linear();
    void write_paged();
    std::uint32_t next_data(std::uint32_t wanted, rt::Fault late_orphan);
    void send(std::uint64_t target, std::uint32_t length, std::uint32_t num_mcast_dests,
              Link link = Link::closed);
    std::uint32_t bank_xy(std::uint32_t bank, bool is_dram) const;
    // dispatcher_packed.cpp
    void write_packed();
    void write_packed_large();
    rt::WritePackedLargeSub large_sub_command(std::uint32_t index) const;
    void send_large_payload(const rt::WritePackedLargeSub& sub, std::uint32_t address);
    std::uint32_t send_packed_payload(std::uint32_t xy, std::uint32_t address, std::uint32_t size,
                                      std::uint32_t num_dests);
    // dispatcher_control.cpp
    void wait();
    void set_write_offset();
    void set_go_signal_noc_data();
    void send_go_signal();
    void delay();
    void debug();
    void set_num_worker_sems();
    void notify_subordinate();
    void exec_buf_end();
    // dispatcher_host.cpp
    void write_linear_h();
    void write_linear_h_host();
    std::uint32_t next_relayed(std::uint32_t wanted);
    void relay_to_h(rt::DispatchId id);
    void relay(std::uint32_t length);

    const rt::DeviceConfig& config_;
    rt::CoreRole role_;
    rt::FaultSet& faults_;
    const rt::DispatchCoreLayout& self_;
    std::uint32_t preamble_;  // bytes in front of each page of our ring: h only
    BlockReader reader_;
    CbWriter downstream_;          // d only: dispatch_h's ring
    CompletionWriter completion_;  // hd, h
    std::uint32_t prefetch_sync_xy_;
    std::uint32_t prefetch_sync_address_;

    std::uint32_t command_ = 0;  // where the command began
    std::uint32_t data_ = 0;     // next byte of it not consumed
    bool next_in_page_ = false;  // the next command follows in the same page: behind a DEBUG
    std::uint32_t write_offset_[rt::kMaxWriteOffsets] = {};
    device::LocalArray<std::uint32_t, kSubCommandWords> sub_commands_{"dispatch_subcmds"};
    device::LocalArray<std::uint32_t, rt::kMaxGoNocData> go_noc_data_{"go_signal_noc_data"};
    bool terminated_ = false;
};

}  // namespace cqfuzz::fw
