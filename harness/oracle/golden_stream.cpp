#include "harness/oracle/golden_stream.hpp"

#include <algorithm>
#include <cstring>

#include "harness/oracle/golden_program.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kGoBytes = 4;

bool meet(std::uint32_t a, std::uint32_t a_length, std::uint32_t b, std::uint32_t b_length) {
    return a < b + b_length && b < a + a_length;
}

const char* place_of(TileKind kind) {
    switch (kind) {
        case TileKind::worker: return "worker L1";
        case TileKind::ethernet: return "ethernet L1";
        case TileKind::dram: return "dram";
        default: return "memory";
    }
}

}  // namespace

void GoldenStream::reset(const MachineView& machine, const MemoryView& memory) {
    machine_ = &machine;
    memory_ = &memory;
    plan_ = nullptr;
    matched_.assign(machine.tiles.size(), 0);
    begun_.assign(machine.tiles.size(), 0);
    ethernet_number_.assign(machine.tiles.size(), 0);
    std::uint32_t number = 0;
    for (std::size_t t = 0; t < machine.tiles.size(); ++t)
        if (machine.tiles[t].kind == TileKind::ethernet) ethernet_number_[t] = number++;
}

GoldenStream::Found GoldenStream::observe(const HostCall& call, bool ended, std::uint64_t step) {
    if (call.kind == HostCallKind::open_device && !ended) plan_ = call.stream;
    if (plan_ == nullptr || !plan_->predicted || !ended || !call.succeeded ||
        call.kind != HostCallKind::read_completion || call.data == nullptr)
        return std::nullopt;
    // They come in the order of the stream; the host knows only the op.
    for (const StreamCompletion& due : plan_->completions) {
        if (due.op != call.op_index) continue;
        const auto expected = plan_->bytes_of(due.bytes);
        if (expected.size() == call.data->size() &&
            std::equal(expected.begin(), expected.end(), call.data->begin()))
            return std::nullopt;
    }
    Violation violation;
    violation.property = "golden-memory/wrong-completion";
    violation.place = "completion queue";
    violation.actor = "host";
    violation.op_index = call.op_index;
    violation.step = step;
    violation.summary = "what op " + std::to_string(call.op_index) +
                        " sent to the host came with other bytes than it has";
    violation.story.push_back(violation.summary);
    return violation;
}

GoldenStream::Found GoldenStream::observe(const LogEntry& entry) {
    if (!plan_->predicted) return std::nullopt;
    if (entry.kind == LogKind::noc_arrive && entry.noc_kind != NocKind::read)
        return on_arrive(entry);
    if (entry.kind == LogKind::kernel_begin) return on_kernel_begin(entry);
    return std::nullopt;
}

bool GoldenStream::judged(TileIndex tile) const {
    const TileKind kind = machine_->tiles[tile].kind;
    return kind == TileKind::worker || kind == TileKind::ethernet || kind == TileKind::dram;
}

bool GoldenStream::reaches(const StreamWrite& write, TileIndex tile) const {
    const TileView& view = machine_->tiles[tile];
    // A rectangle of workers holds nothing else; a single tile is itself.
    return write.receivers.contains(view.coord) &&
           (!write.multicast || view.kind == TileKind::worker);
}

GoldenStream::Found GoldenStream::on_arrive(const LogEntry& entry) {
    const bool multicast = (entry.flags & kLogMulticast) != 0;
    TileIndex tile = entry.target;
    if (tile == kNoTile) tile = machine_->tile_at(entry.receivers.first, 0);
    if (tile == kNoTile || !judged(tile)) return std::nullopt;
    const TileView& view = machine_->tiles[tile];
    const bool is_core = view.kind != TileKind::dram;
    const std::uint32_t address =
        is_core ? entry.target_address & kL1OffsetMask : entry.target_address;
    const MailboxView& box =
        view.kind == TileKind::ethernet ? machine_->ethernet_mailbox : machine_->worker_mailbox;
    if (is_core && address == box.go_address && entry.length == kGoBytes &&
        entry.noc_kind == NocKind::write && !plan_->gos.empty())
        return std::nullopt;
    bool meets_one = false;
    std::uint32_t op = kNoOp;
    // Mostly the one that the last arrival was of, or the one behind it.
    const auto count = static_cast<std::uint32_t>(plan_->writes.size());
    for (std::uint32_t n = 0; n < count && entry.noc_kind == NocKind::write; ++n) {
        const std::uint32_t w = (matched_[tile] + n) % count;
        const StreamWrite& write = plan_->writes[w];
        if (write.multicast != multicast || !reaches(write, tile)) continue;
        if (address < write.address ||
            address + entry.length > write.address + write.bytes.length)
            continue;
        if (multicast && entry.target == kNoTile && entry.receivers != write.receivers) continue;
        const std::byte* expected = plan_->bytes_of(write.bytes).data() + (address - write.address);
        if (std::memcmp(expected, entry.data, entry.length) == 0) {
            matched_[tile] = w;
            return std::nullopt;
        }
        op = meets_one ? op : write.op;
        meets_one = true;
    }
    const std::string what = std::to_string(entry.length) + " bytes at " + std::to_string(address) +
                             " of " + machine_->describe(tile);
    Violation violation =
        at_tile(meets_one ? "wrong-bytes" : "stray-write", tile, op, entry.step,
                machine_->describe(entry.tile) + " wrote " + what +
                    (meets_one ? ", and no command has these bytes for it"
                               : ", where no command of the stream writes"));
    violation.actor = name_of(machine_->tiles[entry.tile].role);
    return violation;
}

// Design §4: one core, one virtual channel, one receiver. A barrier orders what the dispatcher
// wrote before it with all that is sent after it.
bool GoldenStream::ordered(const StreamWrite& first, const StreamWrite& second) {
    if (first.by_host_side == second.by_host_side && first.multicast == second.multicast)
        return true;
    return !first.by_host_side && second.barriers > first.barriers;
}

GoldenStream::Found GoldenStream::check_write(std::size_t w, TileIndex tile, const char* property,
                                              std::uint64_t step) const {
    const StreamWrite& write = plan_->writes[w];
    const std::uint32_t end = write.address + write.bytes.length;
    std::vector<Interval> covered;
    for (std::size_t other = 0; other < plan_->writes.size(); ++other) {
        const StreamWrite& o = plan_->writes[other];
        if (other == w || !meet(write.address, write.bytes.length, o.address, o.bytes.length) ||
            !reaches(o, tile))
            continue;
        // Earlier ones that came for certain before this one are below it.
        if (other < w && ordered(o, write)) continue;
        covered.push_back({o.address, o.address + o.bytes.length});
    }
    std::sort(covered.begin(), covered.end(), [](const Interval& a, const Interval& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    const std::byte* actual = memory_->bytes(tile);
    const std::byte* expected = plan_->bytes_of(write.bytes).data();
    std::uint32_t at = write.address;
    covered.push_back({end, end});
    for (const Interval& next : covered) {
        const std::uint32_t to = std::min(std::max(next.begin, at), end);
        const std::uint32_t length = to - at;
        if (length != 0 &&
            std::memcmp(actual + at, expected + (at - write.address), length) != 0) {
            const Mismatch first = difference("", "", expected + (at - write.address), actual + at,
                                              length, at);
            Violation violation =
                at_tile(property, tile, write.op, step,
                        "what op " + std::to_string(write.op) + " writes to " +
                            machine_->describe(tile) + " at " + std::to_string(write.address) +
                            " is wrong from " + std::to_string(first.address) + " on");
            violation.bytes = {tile, first.address, 1, "its first wrong byte was"};
            violation.expected = first.expected;
            violation.actual = first.actual;
            violation.story.push_back("expected " + first.expected);
            violation.story.push_back("actual   " + first.actual);
            return violation;
        }
        at = std::min(std::max(at, next.end), end);
    }
    return std::nullopt;
}

const StreamGo* GoldenStream::go_of(TileIndex tile, std::uint32_t number) const {
    const bool worker = machine_->tiles[tile].kind == TileKind::worker;
    for (const StreamGo& go : plan_->gos) {
        const bool named = worker ? go.workers : ethernet_number_[tile] < go.ethernet;
        if (named && number-- == 0) return &go;
    }
    return nullptr;
}

GoldenStream::Found GoldenStream::on_kernel_begin(const LogEntry& entry) {
    const TileIndex tile = entry.tile;
    const StreamGo* go = go_of(tile, begun_[tile]++);
    if (go == nullptr)
        return at_tile("extra-go", tile, kNoOp, entry.step,
                       machine_->describe(tile) + " saw a go that no command of the stream tells");
    for (std::size_t w = 0; w < go->writes_sure; ++w) {
        const StreamWrite& write = plan_->writes[w];
        if (write.by_host_side || !reaches(write, tile)) continue;
        if (Found found = check_write(w, tile, "wrong-at-go", entry.step)) {
            found->op_index = go->op;
            found->invariant = "inv. 70";
            return found;
        }
    }
    return std::nullopt;
}

GoldenStream::Found GoldenStream::check_go_counts(std::uint64_t step) const {
    for (TileIndex tile = 0; tile < machine_->tiles.size(); ++tile) {
        const TileKind kind = machine_->tiles[tile].kind;
        if (kind != TileKind::worker && kind != TileKind::ethernet) continue;
        const StreamGo* missing = go_of(tile, begun_[tile]);
        if (missing == nullptr) continue;
        return at_tile("missing-go", tile, missing->op, step,
                       machine_->describe(tile) + " never saw the go of op " +
                           std::to_string(missing->op));
    }
    return std::nullopt;
}

GoldenStream::Found GoldenStream::finish(std::uint64_t step) const {
    if (!plan_->predicted) return std::nullopt;
    if (Found found = check_go_counts(step)) return found;
    for (std::size_t w = 0; w < plan_->writes.size(); ++w) {
        const NocRectangle& to = plan_->writes[w].receivers;
        for (std::uint8_t y = to.first.y; y <= to.last.y; ++y)
            for (std::uint8_t x = to.first.x; x <= to.last.x; ++x) {
                const TileIndex tile = machine_->tile_at({x, y}, 0);
                if (tile == kNoTile) continue;
                if (Found found = check_write(w, tile, "wrong-at-end", step))
                    return found;
            }
    }
    return std::nullopt;
}

Violation GoldenStream::at_tile(const char* property, TileIndex tile, std::uint32_t op,
                                std::uint64_t step, std::string sentence) const {
    Violation violation;
    violation.property = std::string("golden-memory/") + property;
    violation.place = place_of(machine_->tiles[tile].kind);
    violation.actor = name_of(machine_->tiles[tile].role);
    violation.op_index = op;
    violation.step = step;
    violation.summary = std::move(sentence);
    violation.story.push_back(violation.summary);
    return violation;
}

}  // namespace cqfuzz
