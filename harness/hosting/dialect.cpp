#include "harness/hosting/dialect.hpp"

#include "harness/scenario/edit.hpp"

namespace cqfuzz::hosting {

namespace {

using rt::DispatchId;
using rt::PrefetchId;

// One command; false: there is nothing like it.
struct Keeper {
    const rt::Generation& knows;

    void keep(Source& from) const {
        const bool has = [&] {
            switch (from.feed) {
                case Feed::in_line: return true;
                case Feed::linear: return knows.has(PrefetchId::relay_linear);
                case Feed::paged: return knows.has(PrefetchId::relay_paged);
                case Feed::packed: return knows.has(PrefetchId::relay_paged_packed);
                case Feed::cache: return knows.has(PrefetchId::relay_ringbuffer);
            }
            return false;
        }();
        if (!has || !knows.has(PrefetchId::relay_inline_noflush)) from = Source{};
    }
    void keep(std::uint32_t& offset_index) const {
        if (!knows.has(DispatchId::set_write_offset)) offset_index = 0;
    }

    bool operator()(CommandWriteLinear& c) const {
        keep(c.from);
        keep(c.offset_index);
        c.from_host_side = c.from_host_side && knows.has(DispatchId::write_linear_h);
        return knows.has(DispatchId::write_linear);
    }
    bool operator()(CommandWritePaged& c) const {
        keep(c.from);
        return knows.has(DispatchId::write_paged);
    }
    bool operator()(CommandWritePacked& c) const {
        keep(c.offset_index);
        return knows.has(DispatchId::write_packed);
    }
    bool operator()(CommandWriteLarge& c) const {
        keep(c.from);
        keep(c.offset_index);
        for (LargePart& part : c.parts) {
            if (!part.multicast)
                part.cores = {part.cores.x0, part.cores.y0, part.cores.x0, part.cores.y0};
            part.multicast = true;
        }
        return knows.has(DispatchId::write_packed_large);
    }
    bool operator()(CommandWriteHost& c) const {
        keep(c.from);
        return knows.has(DispatchId::write_linear_h_host);
    }
    bool operator()(CommandWait& c) const {
        c.notify = c.notify && knows.has(PrefetchId::stall);
        return true;
    }
    bool operator()(CommandDelay&) const { return knows.has(DispatchId::delay); }
    bool operator()(CommandDispatchDebug&) const { return knows.has(DispatchId::debug); }
    bool operator()(CommandPrefetchDebug&) const { return knows.has(PrefetchId::debug); }
    bool operator()(CommandSetWriteOffset&) const {
        return knows.has(DispatchId::set_write_offset);
    }
    bool operator()(CommandGoTable&) const { return knows.has(DispatchId::set_go_signal_noc_data); }
    bool operator()(CommandGo&) const {
        return knows.has(DispatchId::send_go_signal) &&
               knows.has(DispatchId::set_go_signal_noc_data);
    }
    bool operator()(CommandBare& c) const {
        switch (c.command) {
            case BareKind::sink: return knows.has(DispatchId::sink);
            case BareKind::go: return knows.has(DispatchId::go);
            case BareKind::num_worker_sems: return knows.has(DispatchId::set_num_worker_sems);
        }
        return false;
    }
    bool operator()(CommandCacheLoad&) const { return knows.has(PrefetchId::paged_to_ringbuffer); }
    bool operator()(CommandCacheOffset&) const {
        return knows.has(PrefetchId::set_ringbuffer_offset);
    }
    bool operator()(CommandExecBuf&) const { return knows.has(PrefetchId::exec_buf); }
    bool operator()(CommandSubmit&) const { return true; }
    bool operator()(CommandReadCompletions&) const { return true; }
    bool operator()(CommandCorrupt&) const { return false; }
};

}  // namespace

void keep_to(const rt::Generation& generation, Scenario& scenario) {
    if (scenario.commands.empty()) return;
    const auto keep = [keeper = Keeper{generation}](Command& c) { return std::visit(keeper, c); };
    for (CommandBody& body : scenario.bodies) keep_if(body.commands, keep);
    keep_if(scenario.commands, keep);
    if (scenario.commands.empty()) scenario.commands.push_back(CommandWait{});
}

}  // namespace cqfuzz::hosting
