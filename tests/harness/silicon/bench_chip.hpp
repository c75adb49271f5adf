// BenchChip: a machine for tests, with firmware written in the test: one function per tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/device_api/core_port.hpp"
#include "harness/silicon/machine.hpp"

namespace cqfuzz {

using device::HardwareCounter;
using device::Register;
using device::SoftwareCounter;

// One log entry as a test remembers it.
struct Seen {
    LogEntry entry;
    std::vector<std::byte> data;
};

class BenchChip final : public EventSink {
public:
    bool observe(const LogEntry& entry) override {
        Seen seen{entry, {}};
        if (entry.data != nullptr && entry.kind != LogKind::host_read)
            seen.data.assign(entry.data, entry.data + entry.length);
        seen.entry.data = nullptr;
        log.push_back(std::move(seen));
        hash(entry);
        return !stop_when || !stop_when(entry);
    }

    // A fresh run. Firmware added so far stays.
    void reset() { machine.reset(config, plan, restart(), &BenchChip::enter, this); }

    TileIndex tile(rt::Coord coord) const { return machine.tile_at(coord); }

    // Starts every core that has firmware, in order of chips and coordinates.
    void start_all() {
        for (const auto& [key, main] : firmware)
            machine.start_core(rt::CoreLaunch{rt::CoreRole::worker, coord_of(key), nullptr});
    }
    // reset, start, run until nothing moves.
    void run() {
        reset();
        try {
            start_all();
        } catch (const rt::RunEnded&) {
        }
        machine.quiesce();
    }

    void on(rt::Coord coord, std::function<void()> main) {
        firmware[key_of(coord)] = std::move(main);
    }

    std::vector<LogEntry> entries(LogKind kind) const {
        std::vector<LogEntry> found;
        for (const Seen& seen : log)
            if (seen.entry.kind == kind) found.push_back(seen.entry);
        return found;
    }
    std::size_t count(LogKind kind) const { return entries(kind).size(); }
    std::size_t count(NocRule rule) const {
        std::size_t found = 0;
        for (const LogEntry& entry : entries(LogKind::noc_rule))
            found += entry.value == static_cast<std::uint32_t>(rule);
        return found;
    }
    std::uint32_t word(rt::Coord coord, std::uint32_t address) const {
        std::uint32_t value;
        std::memcpy(&value, machine.bytes(tile(coord)) + address, sizeof value);
        return value;
    }

    Machine machine;
    MachineConfig config;
    SchedulePlan plan;
    std::vector<Seen> log;
    std::uint64_t fingerprint = 0;
    std::function<bool(const LogEntry&)> stop_when;
    std::map<std::uint32_t, std::function<void()>> firmware;

private:
    static std::uint32_t key_of(rt::Coord coord) {
        return coord.noc_xy() | static_cast<std::uint32_t>(coord.chip) << 12;
    }
    static rt::Coord coord_of(std::uint32_t key) {
        return {static_cast<std::uint8_t>(key & 63), static_cast<std::uint8_t>(key >> 6 & 63),
                static_cast<std::uint8_t>(key >> 12)};
    }
    static void enter(const rt::CoreLaunch& launch, void* context) {
        static_cast<BenchChip*>(context)->firmware.at(key_of(launch.coord))();
    }
    EventSink& restart() {
        log.clear();
        fingerprint = 0xcbf29ce484222325u;
        return *this;
    }
    void mix(std::uint64_t value) { fingerprint = (fingerprint ^ value) * 0x100000001b3u; }
    void hash(const LogEntry& e) {
        mix(e.step);
        mix(static_cast<std::uint64_t>(e.kind) | static_cast<std::uint64_t>(e.noc_kind) << 8 |
            static_cast<std::uint64_t>(e.noc) << 16 | static_cast<std::uint64_t>(e.flags) << 24 |
            static_cast<std::uint64_t>(e.tile) << 32 | static_cast<std::uint64_t>(e.target) << 48);
        mix(e.transaction);
        mix(static_cast<std::uint64_t>(e.source_address) << 32 | e.target_address);
        mix(static_cast<std::uint64_t>(e.length) << 32 | e.value);
    }
};

// --- a small dataflow API of the tests' own ------------------------------------------------------

inline constexpr rt::Coord kPrefetch{1, 13};
inline constexpr rt::Coord kDispatch{3, 13};

inline rt::Coord worker(std::uint32_t col, std::uint32_t row) {
    return {static_cast<std::uint8_t>(1 + col), static_cast<std::uint8_t>(1 + row)};
}

inline std::uint32_t rectangle(rt::Coord first, rt::Coord last) {
    return last.x | static_cast<std::uint32_t>(last.y) << 6 |
           static_cast<std::uint32_t>(first.x) << 12 | static_cast<std::uint32_t>(first.y) << 18;
}

struct Send {
    std::uint32_t noc = 0;
    std::uint32_t source = 0;
    std::uint32_t coordinate = 0;
    std::uint32_t target = 0;
    std::uint32_t length = 4;
    std::uint32_t control = 0;  // added to what the function sets
    std::uint32_t channel = 1;
    std::uint32_t receivers = 1;
};

inline void send(std::uint32_t buffer, const Send& s, std::uint32_t control) {
    device::wait_command_buffer_ready(s.noc, buffer);
    device::register_write(s.noc, buffer, Register::ret_addr_lo, s.target);
    device::register_write(s.noc, buffer, Register::ret_addr_coordinate, s.coordinate);
    device::register_write(s.noc, buffer, Register::ctrl,
                           control | s.control | s.channel << device::kNocCmdVcShift);
    device::noc_send(s.noc, buffer);
}

inline void raise_counter(std::uint32_t noc, SoftwareCounter which, std::uint32_t by) {
    device::software_counter(noc, which) += by;
}

inline void write(const Send& s) {
    device::wait_command_buffer_ready(s.noc, device::kWriteBuffer);
    device::register_write(s.noc, device::kWriteBuffer, Register::targ_addr_lo, s.source);
    device::register_write(s.noc, device::kWriteBuffer, Register::at_len_be, s.length);
    raise_counter(s.noc, SoftwareCounter::nonposted_writes_num_issued, 1);
    raise_counter(s.noc, SoftwareCounter::nonposted_writes_acked, s.receivers);
    send(device::kWriteBuffer, s, device::kNocCmdWrite | device::kNocCmdRespMarked);
}

inline void multicast(Send s) {
    device::note_receivers(s.noc, device::kWriteBuffer, s.receivers);
    s.control |= device::kNocCmdMulticast;
    if (s.channel == 1) s.channel = 5;
    write(s);
}

inline void write_inline(const Send& s, std::uint32_t value) {
    device::wait_command_buffer_ready(s.noc, device::kInlineBuffer);
    device::register_write(s.noc, device::kInlineBuffer, Register::at_data, value);
    device::register_write(s.noc, device::kInlineBuffer, Register::at_len_be, 0xf);
    raise_counter(s.noc, SoftwareCounter::nonposted_writes_num_issued, 1);
    raise_counter(s.noc, SoftwareCounter::nonposted_writes_acked, 1);
    send(device::kInlineBuffer, s,
         device::kNocCmdWrite | device::kNocCmdInline | device::kNocCmdRespMarked);
}

inline void atomic_add(const Send& s, std::uint32_t value) {
    device::register_write(s.noc, device::kAtomicBuffer, Register::at_data, value);
    raise_counter(s.noc, SoftwareCounter::nonposted_atomics_acked, 1);
    send(device::kAtomicBuffer, s, device::kNocCmdAtomic | device::kNocCmdRespMarked);
}

// `source` at `coordinate`, `target` in the own L1.
inline void read(const Send& s) {
    device::register_write(s.noc, device::kReadBuffer, Register::targ_addr_lo, s.source);
    device::register_write(s.noc, device::kReadBuffer, Register::targ_addr_coordinate,
                           s.coordinate);
    device::register_write(s.noc, device::kReadBuffer, Register::at_len_be, s.length);
    raise_counter(s.noc, SoftwareCounter::reads_num_issued, 1);
    send(device::kReadBuffer, s, device::kNocCmdRead | device::kNocCmdRespMarked);
}

inline void wait_equal(std::uint32_t noc, HardwareCounter hardware, SoftwareCounter software) {
    while (device::poll_hardware_counter(noc, hardware) !=
           device::software_counter(noc, software)) {
    }
}
inline void writes_flushed(std::uint32_t noc) {
    wait_equal(noc, HardwareCounter::nonposted_wr_req_sent,
               SoftwareCounter::nonposted_writes_num_issued);
}
inline void write_barrier(std::uint32_t noc) {
    wait_equal(noc, HardwareCounter::wr_ack_received, SoftwareCounter::nonposted_writes_acked);
}
inline void read_barrier(std::uint32_t noc) {
    wait_equal(noc, HardwareCounter::rd_resp_received, SoftwareCounter::reads_num_issued);
}
inline void atomic_barrier(std::uint32_t noc) {
    wait_equal(noc, HardwareCounter::atomic_resp_received,
               SoftwareCounter::nonposted_atomics_acked);
}
inline void full_barrier(std::uint32_t noc) {
    write_barrier(noc);
    read_barrier(noc);
    atomic_barrier(noc);
}

}  // namespace cqfuzz
