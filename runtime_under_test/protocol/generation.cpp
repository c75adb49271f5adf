#include "runtime_under_test/protocol/generation.hpp"

#include <algorithm>

namespace cqfuzz::rt {
namespace {

template <class Id>
Id id_of(std::string_view name) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Id::kCount); ++i)
        if (name_of(static_cast<Id>(i)) == name) return static_cast<Id>(i);
    return Id::kCount;
}

template <std::size_t n>
bool put_id(std::byte& at, const std::array<std::uint8_t, n>& ids) {
    const auto id = std::to_integer<std::size_t>(at);
    if (id >= n || ids[id] == Generation::kUnknown) return false;
    at = static_cast<std::byte>(ids[id]);
    return true;
}

// Dispatcher commands that share a payload: all but DEBUG take it to its end.
void translate_dispatch(std::span<std::byte> payload, const Generation& to) {
    while (payload.size() >= kCommandBytes) {
        const auto id = static_cast<DispatchId>(payload[0]);
        if (!put_id(payload[0], to.dispatch) || id != DispatchId::debug) return;
        Debug debug;
        decode(payload.data(), debug);
        if (debug.stride < kCommandBytes || debug.stride > payload.size()) return;
        payload = payload.subspan(debug.stride);
    }
}

// From one prefetch command to the next; 0: nobody can say.
std::uint32_t stride_of(std::span<std::byte> unit, PrefetchId id) {
    switch (id) {
        case PrefetchId::relay_paged_packed: {
            RelayPagedPacked command;
            decode(unit.data(), command);
            return command.stride;
        }
        case PrefetchId::relay_inline:
        case PrefetchId::relay_inline_noflush:
        case PrefetchId::exec_buf_end: {
            RelayInline command;
            decode(unit.data(), command);
            return command.stride;
        }
        case PrefetchId::debug: {
            Debug command;
            decode(unit.data(), command);
            return command.stride;
        }
        case PrefetchId::relay_ringbuffer: {
            RelayRingbuffer command;
            decode(unit.data(), command);
            return command.stride;
        }
        default: return kBareMinBytes;
    }
}

bool carries_dispatch(PrefetchId id) {
    return id == PrefetchId::relay_inline || id == PrefetchId::relay_inline_noflush ||
           id == PrefetchId::exec_buf_end;
}

}  // namespace

Generation late_2024() {
    Generation g;
    for (std::size_t i = 0; i < g.prefetch.size(); ++i)
        g.prefetch[i] = static_cast<std::uint8_t>(i);
    for (std::size_t i = 0; i < g.dispatch.size(); ++i)
        g.dispatch[i] = static_cast<std::uint8_t>(i);
    return g;
}

Generation mid_2024() {
    Generation g = late_2024();
    g.id(PrefetchId::terminate) = 11;
    for (const PrefetchId id : {PrefetchId::paged_to_ringbuffer, PrefetchId::set_ringbuffer_offset,
                                PrefetchId::relay_ringbuffer})
        g.id(id) = Generation::kUnknown;
    for (const DispatchId id :
         {DispatchId::go, DispatchId::sink, DispatchId::set_write_offset,
          DispatchId::send_go_signal, DispatchId::notify_subordinate_go_signal,
          DispatchId::set_num_worker_sems, DispatchId::set_go_signal_noc_data})
        g.id(id) = Generation::kUnknown;
    return g;
}

PrefetchId prefetch_id_of(std::string_view name) { return id_of<PrefetchId>(name); }
DispatchId dispatch_id_of(std::string_view name) { return id_of<DispatchId>(name); }

void translate(std::span<std::byte> units, const Generation& to) {
    while (units.size() >= kCommandBytes) {
        const auto id = static_cast<PrefetchId>(units[0]);
        if (!put_id(units[0], to.prefetch)) return;
        const std::uint32_t stride = stride_of(units, id);
        if (carries_dispatch(id)) {
            RelayInline command;
            decode(units.data(), command);
            if (command.length <= units.size() - kCommandBytes)
                translate_dispatch(units.subspan(kCommandBytes, command.length), to);
        }
        if (stride < kCommandBytes || stride > units.size()) return;
        units = units.subspan(stride);
    }
}

}  // namespace cqfuzz::rt
