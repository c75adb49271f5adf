// The printed names of the values in base, in one place.
#include "harness/base/log_entry.hpp"
#include "harness/base/tile.hpp"
#include "harness/base/violation.hpp"

namespace cqfuzz {

std::string_view name_of(Role role) {
    switch (role) {
        case Role::none: return "none";
        case Role::host: return "host";
        case Role::prefetch_hd: return "prefetch_hd";
        case Role::prefetch_h: return "prefetch_h";
        case Role::prefetch_d: return "prefetch_d";
        case Role::dispatch_hd: return "dispatch_hd";
        case Role::dispatch_h: return "dispatch_h";
        case Role::dispatch_s: return "dispatch_s";
        case Role::dispatch_d: return "dispatch_d";
        case Role::worker: return "worker";
        case Role::ethernet: return "ethernet";
        case Role::mux: return "mux";
        case Role::demux: return "demux";
        case Role::mux_d: return "mux_d";
        case Role::demux_d: return "demux_d";
        case Role::tunneler: return "tunneler";
    }
    return "?";
}

std::string_view name_of(TileKind kind) {
    switch (kind) {
        case TileKind::worker: return "worker";
        case TileKind::ethernet: return "ethernet";
        case TileKind::dispatch: return "dispatch";
        case TileKind::dram: return "dram";
        case TileKind::pcie: return "pcie";
    }
    return "?";
}

std::string_view name_of(LogKind kind) {
    switch (kind) {
        case LogKind::noc_issue: return "issue";
        case LogKind::noc_depart: return "depart";
        case LogKind::noc_sample: return "sample";
        case LogKind::noc_arrive: return "arrive";
        case LogKind::noc_ack: return "ack";
        case LogKind::core_start: return "core start";
        case LogKind::core_exit: return "core exit";
        case LogKind::l1_load: return "load";
        case LogKind::l1_poll: return "poll";
        case LogKind::l1_store: return "store";
        case LogKind::command_begin: return "command begin";
        case LogKind::command_end: return "command end";
        case LogKind::kernel_begin: return "kernel begin";
        case LogKind::kernel_end: return "kernel end";
        case LogKind::local_overrun: return "local overrun";
        case LogKind::firmware_assert: return "firmware assert";
        case LogKind::noc_rule: return "NoC rule";
        case LogKind::host_write_issue: return "host write";
        case LogKind::host_write_arrive: return "host write arrives";
        case LogKind::host_read: return "host read";
        case LogKind::host_call_begin: return "host call begin";
        case LogKind::host_call_end: return "host call end";
        case LogKind::run_end: return "run end";
    }
    return "?";
}

std::string_view name_of(NocKind kind) {
    switch (kind) {
        case NocKind::write: return "write";
        case NocKind::inline_write: return "inline write";
        case NocKind::atomic: return "atomic";
        case NocKind::read: return "read";
    }
    return "?";
}

std::string_view name_of(NocRule rule) {
    switch (rule) {
        case NocRule::zero_length: return "zero-length";
        case NocRule::burst_exceeded: return "burst-exceeded";
        case NocRule::misaligned: return "misaligned";
        case NocRule::unknown_target: return "unknown-target";
        case NocRule::wrong_receiver_count: return "wrong-receiver-count";
        case NocRule::linked_chain_broken: return "linked-chain-broken";
        case NocRule::busy_register_write: return "busy-register-write";
        case NocRule::in_flight_at_exit: return "in-flight-at-exit";
        case NocRule::counter_mismatch: return "counter-mismatch";
    }
    return "?";
}

std::string_view name_of(VerdictKind kind) {
    switch (kind) {
        case VerdictKind::pass: return "pass";
        case VerdictKind::violation: return "violation";
        case VerdictKind::hang: return "hang";
        case VerdictKind::livelock: return "livelock";
        case VerdictKind::refused: return "refused";
        case VerdictKind::harness_fault: return "harness fault";
    }
    return "?";
}

int exit_code_of(VerdictKind kind) {
    switch (kind) {
        case VerdictKind::pass: return kExitPass;
        case VerdictKind::violation: return kExitViolation;
        case VerdictKind::hang: return kExitHang;
        case VerdictKind::livelock: return kExitLivelock;
        case VerdictKind::refused: return kExitRefused;
        case VerdictKind::harness_fault: return kExitHarnessFault;
    }
    return kExitHarnessFault;
}

}  // namespace cqfuzz
