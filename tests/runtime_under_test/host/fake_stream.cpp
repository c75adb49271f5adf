// The chip's inside: prefetch and dispatch commands by their meaning, and workers.
#include <algorithm>
#include <cstring>

#include "tests/runtime_under_test/host/fake_cluster.hpp"

namespace cqfuzz::rt {
namespace {

void require(bool holds, const std::string& rule) {
    if (!holds) throw BrokenRule(rule);
}

}  // namespace

std::vector<std::uint32_t> FakeCluster::receivers(std::uint32_t xy, std::uint32_t dests) const {
    std::vector<std::uint32_t> list;
    const std::uint32_t x_end = xy & 63, y_end = xy >> 6 & 63, x0 = xy >> 12 & 63, y0 = xy >> 18;
    for (std::uint32_t y = y0; y <= y_end; y++)
        for (std::uint32_t x = x0; x <= x_end; x++) list.push_back(y << 6 | x);
    require(list.size() == dests, "inv. 91: number of multicast receivers");
    for (const std::uint32_t to : list)
        require((to & 63) >= 1 && (to & 63) <= chip_.worker_cols && to >> 6 >= 1 &&
                    to >> 6 <= chip_.worker_rows,
                "a multicast holds workers only");
    return list;
}

void FakeCluster::append_dram(std::uint32_t bank, std::uint32_t address, std::uint32_t length,
                              std::vector<std::byte>& to) {
    require(!written_since_barrier_, "inv. 51: DRAM is read after a barrier and a stall");
    require(bank < banks_.size() && address % 32 == 0, "inv. 90: DRAM bank and alignment");
    std::vector<std::byte>& memory = banks_[bank];
    if (memory.size() < address + length) memory.resize(address + length);
    to.insert(to.end(), memory.begin() + address, memory.begin() + address + length);
}

void FakeCluster::append_l1(std::uint32_t noc_xy, std::uint32_t address, std::uint32_t length,
                            std::vector<std::byte>& to) {
    require(!written_since_barrier_, "inv. 51: L1 is read after a barrier and a stall");
    require(address % 16 == 0, "inv. 90: L1 alignment");
    const std::vector<std::byte>& memory = core(noc_xy).l1;
    require(address + length <= memory.size(), "a read ends inside L1");
    to.insert(to.end(), memory.begin() + address, memory.begin() + address + length);
}

std::uint32_t FakeCluster::worker_xy(std::uint32_t number) const {
    return (chip_.worker_origin.y + number / chip_.worker_cols) << 6 |
           (chip_.worker_origin.x + number % chip_.worker_cols);
}

// Appends what the relay at `command` reads; returns its stride.
std::uint32_t FakeCluster::relay(std::span<const std::byte> command, std::vector<std::byte>& data) {
    const auto banks = static_cast<std::uint32_t>(banks_.size());
    const std::uint32_t workers = std::uint32_t{chip_.worker_cols} * chip_.worker_rows;
    if (static_cast<PrefetchId>(command[0]) == PrefetchId::relay_linear) {
        RelayLinear c;
        decode(command.data(), c);
        require(c.length != 0, "inv. 32: a relay of nothing");
        append_l1(c.noc_xy_addr, c.addr, c.length, data);
        return 32;
    }
    if (static_cast<PrefetchId>(command[0]) == PrefetchId::relay_paged) {
        RelayPaged c;
        decode(command.data(), c);
        require(c.start_page < (c.is_dram ? banks : workers), "inv. 104: start page");
        require(c.length_adjust < c.page_size && c.length_adjust % 32 == 0, "inv. 104: adjust");
        for (std::uint32_t p = c.start_page; p < c.start_page + c.pages; p++)
            if (c.is_dram)
                append_dram(p % banks, c.base_addr + p / banks * align_up(c.page_size, 32),
                            c.page_size, data);
            else
                append_l1(worker_xy(p % workers),
                          c.base_addr + p / workers * align_up(c.page_size, 16), c.page_size, data);
        data.resize(data.size() - c.length_adjust);
        return 32;
    }
    require(static_cast<PrefetchId>(command[0]) == PrefetchId::relay_paged_packed,
            "inv. 43: a relay follows NOFLUSH");
    RelayPagedPacked c;
    decode(command.data(), c);
    require(c.count <= 35 && c.stride == align_up(16 + c.count * 12u, 32), "inv. 101, 102");
    std::uint32_t total = 0;
    for (std::uint32_t k = 0; k < c.count; k++) {
        RelayPagedPackedSub sub;
        decode(command.data() + 16 + 12 * k, sub);
        require(sub.length <= config_->geometry.scratch_bytes / 2 && sub.length % 32 == 0 &&
                    sub.length != 0 && sub.start_page < banks,
                "inv. 46: relay sub-command");
        const std::uint32_t page_bytes = 1u << sub.log_page_size;
        for (std::uint32_t done = 0; done < sub.length; done += page_bytes) {
            const std::uint32_t p = sub.start_page + done / page_bytes;
            append_dram(p % banks, sub.base_addr + p / banks * page_bytes,
                        std::min(page_bytes, sub.length - done), data);
        }
        total += sub.length;
    }
    require(total == c.total_length, "inv. 46: total length");
    return c.stride;
}

// Returns false after EXEC_BUF_END or TERMINATE.
bool FakeCluster::prefetch(std::span<const std::byte> stream, bool in_trace, bool stall_flag) {
    const DispatchGeometry& g = config_->geometry;
    bool exec_buf_seen = false;
    for (std::size_t at = 0; at < stream.size();) {
        require(!exec_buf_seen, "facts §5.5: EXEC_BUF is the last command of its slot");
        const std::span<const std::byte> c = stream.subspan(at);
        const auto id = static_cast<PrefetchId>(c[0]);
        const bool is_inline = id == PrefetchId::relay_inline || id == PrefetchId::exec_buf_end ||
                               id == PrefetchId::relay_inline_noflush;
        if (!head_.empty()) {
            at += relay(c, head_);
            const std::vector<std::byte> whole = std::move(head_);
            head_.clear();
            dispatch(whole);
        } else if (is_inline) {
            RelayInline command;
            decode(c.data(), command);
            require(command.stride == align_up(16 + command.length, 32), "inv. 101: stride");
            require(at + command.stride <= stream.size(), "inv. 42: whole commands in a slot");
            const std::uint32_t pages = g.dispatch.pages - 2 * g.dispatch.pages_per_block();
            require(command.length <= pages * g.dispatch.page_size_bytes(), "inv. 11");
            const std::span<const std::byte> payload = c.subspan(16, command.length);
            at += command.stride;
            require(command.dispatcher_type == kToDispatcher || id == PrefetchId::relay_inline,
                    "facts §2.2: whole commands go to dispatch_s");
            if (id == PrefetchId::relay_inline_noflush) {
                require(command.length < g.dispatch.page_size_bytes() && command.length % 16 == 0,
                        "inv. 43: NOFLUSH payload");
                head_.assign(payload.begin(), payload.end());
                continue;
            }
            dispatch(payload, command.dispatcher_type);
            if (id == PrefetchId::exec_buf_end) {
                require(in_trace, "EXEC_BUF_END only ends a trace");
                return false;
            }
        } else if (id == PrefetchId::stall) {
            stalls++;
            require(notifies_ == stalls, "inv. 50: a notify precedes each STALL");
            if (barrier_passed_) written_since_barrier_ = false;
            at += 32;
        } else if (id == PrefetchId::exec_buf) {
            require(!in_trace && stall_flag, "facts §5.5: EXEC_BUF has the stall flag");
            ExecBuf command;
            decode(c.data(), command);
            exec_buf_seen = true;
            execute_trace(command);
            at += 32;
        } else {
            require(id == PrefetchId::terminate, "the host sends known prefetch commands");
            require(!in_trace && stream.size() == 32, "inv. 54: TERMINATE is alone in its slot");
            require(terminated_[0], "the dispatcher was terminated first");
            require(terminated_[1] == g.has_dispatch_s(), "and dispatch_s, if there is one");
            for (const Coord core :
                 {chip_.prefetch, chip_.prefetch_d, chip_.dispatch, chip_.dispatch_h})
                exited.insert(core.noc_xy());
            if (terminated_[1]) exited.insert(chip_.dispatch_s.noc_xy());
            return false;
        }
    }
    require(exec_buf_seen == stall_flag, "facts §5.5: the stall flag means EXEC_BUF");
    return true;
}

void FakeCluster::execute_trace(const ExecBuf& command) {
    require(outstanding_.empty(), "inv. 66: workers are idle at replay");
    require(word(chip_.dispatch.noc_xy(), config_->dispatch.dispatch_message) == 0,
            "inv. 66: the completion counter is 0 at replay");
    require(word(counter().noc_xy(), config_->dispatch.dispatch_message) == 0,
            "inv. 66: so is dispatch_s's");
    require(command.log_page_size == config_->geometry.trace_log_page_size, "trace page size");
    traces_run++;
    std::vector<std::byte> bytes;
    const auto banks = static_cast<std::uint32_t>(banks_.size());
    const std::uint32_t page_bytes = 1u << command.log_page_size;
    for (std::uint32_t p = 0; p < command.pages; p++)
        append_dram(p % banks, command.base_addr + p / banks * page_bytes, page_bytes, bytes);
    require(!prefetch(bytes, true, false), "inv. 61: a trace ends with EXEC_BUF_END");
}

void FakeCluster::take_go_data(std::span<const std::byte> c) {
    SetGoSignalNocData command;
    decode(c.data(), command);
    require(c.size() == 16 + 4 * command.num_words && command.num_words <= 64, "go data");
    go_data_.resize(command.num_words);
    std::memcpy(go_data_.data(), c.data() + 16, 4 * command.num_words);
}

// Both execute in stream order here: no go of dispatch_s waits for what stands behind it.
void FakeCluster::dispatch(std::span<const std::byte> c, std::uint8_t receiver) {
    const bool has_dispatch_s = config_->geometry.has_dispatch_s();
    require(receiver == kToDispatcher || (has_dispatch_s && c.size() <= 256),
            "facts §2.7: dispatch_s is there and takes one page a command");
    require(!terminated_[receiver], "nothing is dispatched after TERMINATE");
    const auto id = static_cast<DispatchId>(c[0]);
    dispatched[id]++;
    const bool of_gos = id == DispatchId::send_go_signal ||
                        id == DispatchId::set_go_signal_noc_data ||
                        id == DispatchId::set_num_worker_sems;
    const bool of_both = id == DispatchId::wait || id == DispatchId::terminate;
    require(of_both || (of_gos && has_dispatch_s) == (receiver == kToDispatchS),
            "a command goes to the core that executes it");
    switch (id) {
        case DispatchId::notify_subordinate_go_signal: {
            NotifySubordinateGoSignal command;
            decode(c.data(), command);
            require(has_dispatch_s && command.index_bitmask == 1, "a notification has a hearer");
            if (command.wait != 0) barrier_passed_ = true;
            go_notifies_++;
            return;
        }
        case DispatchId::set_num_worker_sems: {
            SetNumWorkerSems command;
            decode(c.data(), command);
            worker_sems_ = command.num_worker_sems;
            return;
        }
        case DispatchId::write_linear: return write_linear(c);
        case DispatchId::write_linear_h_host: return write_host(c);
        case DispatchId::write_paged: return write_paged(c);
        case DispatchId::write_packed: return write_packed(c);
        case DispatchId::write_packed_large: return write_packed_large(c);
        case DispatchId::wait: return wait(c, receiver);
        case DispatchId::send_go_signal: return send_go(c);
        case DispatchId::exec_buf_end: return;
        case DispatchId::terminate: terminated_[receiver] = true; return;
        case DispatchId::set_write_offset: {
            SetWriteOffset command;
            decode(c.data(), command);
            std::copy(std::begin(command.offset), std::end(command.offset), offsets_.begin());
            return;
        }
        case DispatchId::set_go_signal_noc_data: return take_go_data(c);
        default: throw BrokenRule("the host sends known dispatch commands");
    }
}

void FakeCluster::write_linear(std::span<const std::byte> c) {
    WriteLinear command;
    decode(c.data(), command);
    require(command.num_mcast_dests == 0 && command.length + 16 == c.size(), "inv. 44: length");
    store(command.noc_xy_addr, offsets_[command.write_offset_index] + command.addr, c.subspan(16));
    if (command.write_offset_index == 0) {  // a shard, which somebody may read back
        written_since_barrier_ = true;
        barrier_passed_ = false;
    }
}

void FakeCluster::write_paged(std::span<const std::byte> c) {
    WritePaged command;
    decode(c.data(), command);
    require(c.size() == 16 + command.pages * command.page_size, "inv. 44: paged length");
    written_since_barrier_ = true;
    barrier_passed_ = false;
    const auto banks = static_cast<std::uint32_t>(banks_.size());
    const std::uint32_t workers = std::uint32_t{chip_.worker_cols} * chip_.worker_rows;
    for (std::uint32_t p = 0; p < command.pages; p++) {
        const std::uint32_t page = command.start_page + p;
        if (command.is_dram == 0) {
            store(worker_xy(page % workers),
                  command.base_addr + page / workers * align_up(command.page_size, 16),
                  c.subspan(16 + p * command.page_size, command.page_size));
            continue;
        }
        std::vector<std::byte>& memory = banks_[page % banks];
        const std::uint32_t address =
            command.base_addr + page / banks * align_up(command.page_size, 32);
        require(address + command.page_size <= config_->geometry.dram_bank_bytes, "DRAM bank end");
        if (memory.size() < address + command.page_size) memory.resize(address + command.page_size);
        std::memcpy(memory.data() + address, c.data() + 16 + p * command.page_size,
                    command.page_size);
    }
}

void FakeCluster::write_packed(std::span<const std::byte> c) {
    WritePacked command;
    decode(c.data(), command);
    const DispatchGeometry& g = config_->geometry;
    const bool multicast = (command.flags & kPackedMulticast) != 0;
    const bool shared = (command.flags & kPackedNoStride) != 0;
    const std::uint32_t sub_bytes = multicast ? 8 : 4;
    const std::uint32_t most = g.packed_write_max_unicast / (multicast ? 2 : 1);
    const std::uint32_t head = align_up(16 + command.count * sub_bytes, 16);
    const std::uint32_t page = g.dispatch.page_size_bytes();
    const std::uint32_t stride = align_up(command.size, 16);
    require(command.count != 0 && command.count <= most && head <= page, "inv. 102");
    require(command.size != 0 && command.size <= page, "inv. 103");
    require(!shared || head + command.size <= page, "inv. 28: shared payload in the first page");
    require(c.size() == head + stride * (shared ? 1 : command.count), "packed length");
    for (std::uint32_t k = 0; k < command.count; k++) {
        PackedMulticastSub sub;
        std::memcpy(&sub.noc_xy_addr, c.data() + 16 + k * sub_bytes, 4);
        if (multicast) decode(c.data() + 16 + k * sub_bytes, sub);
        const std::span<const std::byte> payload =
            c.subspan(head + (shared ? 0 : k * stride), command.size);
        const std::uint32_t address = offsets_[command.write_offset_index] + command.addr;
        if (!multicast)
            store(sub.noc_xy_addr, address, payload);
        else
            for (const std::uint32_t to : receivers(sub.noc_xy_addr, sub.num_mcast_dests))
                store(to, address, payload);
    }
}

void FakeCluster::write_packed_large(std::span<const std::byte> c) {
    WritePackedLarge command;
    decode(c.data(), command);
    require(command.count != 0 && command.count <= 35, "inv. 102: large sub-commands");
    std::uint32_t at = align_up(16 + command.count * 12u, 16);
    std::uint32_t linked_to = 0;
    for (std::uint32_t k = 0; k < command.count; k++) {
        WritePackedLargeSub sub;
        decode(c.data() + 16 + 12 * k, sub);
        require(sub.length != 0, "inv. 32");
        require(linked_to == 0 || linked_to == sub.noc_xy_addr, "inv. 108: one rectangle a run");
        linked_to = (sub.flags & kPackedLargeUnlink) != 0 ? 0 : sub.noc_xy_addr;
        for (const std::uint32_t to : receivers(sub.noc_xy_addr, sub.num_mcast_dests))
            store(to, offsets_[command.write_offset_index] + sub.addr, c.subspan(at, sub.length));
        at += align_up(sub.length, command.alignment);
    }
    require(linked_to == 0, "inv. 108: the last write unlinks");
    require(at == c.size(), "inv. 44: large length");
}

void FakeCluster::wait(std::span<const std::byte> c, std::uint8_t receiver) {
    Wait command;
    decode(c.data(), command);
    const std::uint32_t me =
        (receiver == kToDispatchS ? chip_.dispatch_s : chip_.dispatch).noc_xy();
    require(receiver == kToDispatcher || command.clear_count != 0,
            "dispatch_s needs no WAIT but to clear");
    require(command.addr == config_->dispatch.dispatch_message, "WAIT names the message word");
    if (command.wait != 0) {
        if (!outstanding_.empty()) waits_for_programs++;
        complete_until(me, command.count);
    }
    if (command.clear_count != 0) {
        require(outstanding_.empty(), "inv. 75: no completion in flight at a clear");
        require(receiver == kToDispatchS || !config_->geometry.has_dispatch_s() ||
                    word(chip_.dispatch_s.noc_xy(), command.addr) == 0,
                "the dispatcher's copy is cleared last");
        set_word(me, command.addr, 0);
    }
    if (command.barrier != 0) barrier_passed_ = true;
    if (command.notify_prefetch != 0) notifies_++;
}

void FakeCluster::send_go(std::span<const std::byte> c) {
    SendGoSignal command;
    decode(c.data(), command);
    const GoMessage message = decode_go(command.go_signal);
    const bool has_dispatch_s = config_->geometry.has_dispatch_s();
    require(message.master_x == counter().x && message.master_y == counter().y &&
                message.dispatch_message_offset == 0,
            "cores report to who sends the gos");
    require(command.wait_addr == config_->dispatch.dispatch_message, "a go names the message word");
    require(!has_dispatch_s || (worker_sems_ == 1 && go_notifies_ == goes + 1),
            "inv. 77: a notification precedes each go");
    if (!outstanding_.empty()) waits_for_programs++;
    complete_until(counter().noc_xy(), command.wait_count);
    require(outstanding_.empty(), "inv. 78: a go finds its cores idle");
    goes++;
    std::size_t index = command.noc_data_start_index;
    std::vector<std::uint32_t> targets;
    for (std::uint32_t k = 0; k < command.num_mcast_txns; k++, index += 2)
        for (const std::uint32_t to :
             receivers(has_dispatch_s ? multicast_xy_noc1(go_data_.at(index)) : go_data_.at(index),
                       go_data_.at(index + 1)))
            targets.push_back(to);
    for (std::uint32_t k = 0; k < command.num_unicast_txns; k++)
        targets.push_back(go_data_.at(index++));
    for (const std::uint32_t to : targets) {
        if (message.signal == kGoResetReadPtr)
            core(to).launch_index = 0;
        else
            start_program(to);
        outstanding_.push_back(to);
    }
}

// dispatch_s passes each count on to the dispatcher.
void FakeCluster::complete_until(std::uint32_t noc_xy, std::uint32_t count) {
    const std::uint32_t address = config_->dispatch.dispatch_message;
    const std::uint32_t counts = counter().noc_xy();
    while (static_cast<std::int32_t>(word(noc_xy, address) - count) < 0) {
        require(!outstanding_.empty(), "inv. 74: a wait's count is reached");
        complete(outstanding_.front());
        outstanding_.pop_front();
        const std::uint32_t next = word(counts, address) + 1;
        set_word(counts, address, next);
        set_word(chip_.dispatch.noc_xy(), address, next);
    }
}

}  // namespace cqfuzz::rt
