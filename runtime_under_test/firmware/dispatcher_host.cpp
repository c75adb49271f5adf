// What the host's side of a pair does: completion-queue writes and linear writes (hd, h), and the
// relay of such commands from d to h (facts §1.6, §2.6).
#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/dispatcher.hpp"

namespace cqfuzz::fw {

// The next bytes of a command that may have been relayed: each relayed page begins with its
// preamble, which is passed over.
std::uint32_t Dispatcher::next_relayed(std::uint32_t wanted) {
    if (data_ == reader_.fence()) {
        reader_.wait_command(data_);
        reader_.release_completed();
    }
    const std::uint32_t in_page = (data_ - reader_.base()) % reader_.page_bytes();
    if (in_page == 0 && preamble_ != 0 && !faults_.on(rt::Fault::preamble_passed_on))
        data_ += preamble_;
    std::uint32_t n = std::min(wanted, reader_.fence() - data_);
    if (preamble_ != 0) n = std::min(n, reader_.page_bytes() - std::max(in_page, preamble_));
    return std::min(n, NOC_MAX_BURST_SIZE);
}

// As WRITE_LINEAR, from the host's side; write offsets are of the other one, and stay 0 on h (inv.
// 80).
void Dispatcher::write_linear_h() {
    if (role_ == rt::CoreRole::dispatch_hd) return write_linear();
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::WriteLinear command;
    rt::decode(bytes, command);
    data_ += rt::kCommandBytes;
    while (command.length != 0) {
        const std::uint32_t n = next_relayed(command.length);
        send(get_noc_addr_helper(command.noc_xy_addr, command.addr), n, command.num_mcast_dests);
        data_ += n;
        command.addr += n;
        command.length -= n;
    }
}

// The command itself is the first 16 bytes of what the host gets; `length` includes it.
void Dispatcher::write_linear_h_host() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::WriteLinearHHost command;
    rt::decode(bytes, command);
    std::uint32_t length = command.length;
    while (length != 0) {
        const std::uint32_t piece = next_relayed(length);
        const std::uint32_t n = std::min(piece, completion_.reserve());
        completion_.write(data_, n, reader_);
        data_ += n;
        length -= n;
    }
    completion_.finish_command(reader_);
}

// All of the command, payload included.
void Dispatcher::relay_to_h(rt::DispatchId id) {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    std::uint32_t length = rt::kCommandBytes;
    if (id == rt::DispatchId::write_linear_h_host) {
        rt::WriteLinearHHost command;
        rt::decode(bytes, command);
        length = command.length;
    } else if (id == rt::DispatchId::write_linear_h) {
        rt::WriteLinear command;
        rt::decode(bytes, command);
        length += command.length;
    }
    relay(length);
    terminated_ = id == rt::DispatchId::terminate;
}

// The first `length` bytes of this command, in pages of dispatch_h's ring with a preamble each.
// Pieces are a preamble short of a page, so that from the second one on every page's end is
// straddled.
void Dispatcher::relay(std::uint32_t length) {
    while (length != 0) {
        const bool acquire_late = faults_.on(rt::Fault::preamble_before_acquire);
        if (!acquire_late) downstream_.acquire(1);
        std::uint32_t room = downstream_.page_bytes() - kRelayPreambleBytes;
        const bool last = length <= room;
        const std::uint32_t payload = last ? length : room;
        downstream_.write_word(0, (payload + kRelayPreambleBytes) | (last ? 0u : 1u));
        if (!faults_.on(rt::Fault::preamble_not_counted)) reader_.count_packet();
        if (acquire_late) downstream_.acquire(1);
        downstream_.wrap_if_at_end();
        downstream_.skip(kRelayPreambleBytes);
        for (std::uint32_t done = 0; done < payload;) {
            const std::uint32_t n =
                reader_.next_piece(data_, payload - done, rt::Fault::late_orphan_relay,
                                   BlockReader::Release::after_acquire);
            downstream_.write(data_, n);
            reader_.count_packet();
            data_ += n;
            done += n;
        }
        downstream_.round_up_to_page();
        downstream_.hand_over(1);
        length -= payload;
    }
}

}  // namespace cqfuzz::fw
