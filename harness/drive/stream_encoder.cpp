#include "harness/drive/stream_encoder.hpp"

#include <algorithm>
#include <cstring>

#include "harness/base/check.hpp"
#include "harness/drive/contents.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz {
namespace {

using rt::align_up;
using rt::kBareMinBytes;
using rt::kCommandBytes;

constexpr std::uint32_t kUnit = 32;
constexpr std::uint32_t kLargeSubBytes = 12;
constexpr std::uint32_t kRelaySubBytes = 12;
constexpr std::uint32_t kCacheSubBytes = 8;
constexpr std::uint32_t kPayloadAlignment = 16;

std::vector<std::byte> drawn(std::uint32_t seed, std::uint32_t length) {
    std::vector<std::byte> bytes;
    fill_bytes(seed, length, bytes);
    return bytes;
}

// A dispatcher command that is its head alone.
template <class... Encoded>
std::vector<std::byte> head_of(const Encoded&... command) {
    std::vector<std::byte> bytes(kCommandBytes);
    rt::encode(bytes.data(), command...);
    return bytes;
}

std::uint32_t checksum_of(const std::vector<std::byte>& payload) {
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at < payload.size(); at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, payload.data() + at, sizeof word);
        sum += word;
    }
    return sum;
}

}  // namespace

void StreamEncoder::encode(const Command& command, rt::CommandSequence& out) {
    out_ = &out;
    std::visit(*this, command);
}

void StreamEncoder::encode_end(rt::CommandSequence& out) {
    corruptions_.clear();
    CommandWait everything;
    everything.barrier = true;
    everything.wait = true;
    encode(everything, out);
}

// --- units

std::byte* StreamEncoder::open(std::uint32_t bytes) {
    const std::size_t at = unit_.size();
    unit_.resize(at + bytes);
    return unit_.data() + at;
}

void StreamEncoder::close_unit() {
    for (const CommandCorrupt& c : corruptions_) corrupt_unit(c);
    corruptions_.clear();
    out_->add_unit(unit_);
    unit_.clear();
}

void StreamEncoder::corrupt_unit(const CommandCorrupt& c) {
    constexpr std::uint32_t kHeadWords = kCommandBytes / 4;
    const auto words = static_cast<std::uint32_t>(unit_.size() / 4);
    std::uint32_t at = c.at % words;
    if (c.place == CorruptPlace::prefetch_head) at = c.at % kHeadWords;
    if (c.place == CorruptPlace::dispatch_head) at = kHeadWords + c.at % kHeadWords;
    std::uint32_t word = 0;
    std::memcpy(&word, unit_.data() + at * 4, sizeof word);
    word = c.replace ? c.value : word ^ c.value;
    std::memcpy(unit_.data() + at * 4, &word, sizeof word);
}

// RELAY_INLINE; the caller closes the unit.
void StreamEncoder::add_inline(const std::vector<std::byte>& dispatcher_bytes) {
    rt::RelayInline command;
    command.length = static_cast<std::uint32_t>(dispatcher_bytes.size());
    command.stride = align_up(kCommandBytes + command.length, kBareMinBytes);
    std::byte* out = open(command.stride);
    rt::encode(out, rt::PrefetchId::relay_inline, command);
    std::copy(dispatcher_bytes.begin(), dispatcher_bytes.end(), out + kCommandBytes);
}

void StreamEncoder::add_fed(const std::vector<std::byte>& head, const Source& from,
                            std::uint32_t length, std::uint32_t seed) {
    if (from.feed == Feed::in_line) {
        std::vector<std::byte> bytes = head;
        const std::vector<std::byte> payload = drawn(seed, length);
        bytes.insert(bytes.end(), payload.begin(), payload.end());
        add_inline(bytes);
    } else {
        rt::RelayInline command;
        command.length = static_cast<std::uint32_t>(head.size());
        command.stride = align_up(kCommandBytes + command.length, kBareMinBytes);
        std::byte* out = open(command.stride);
        rt::encode(out, rt::PrefetchId::relay_inline_noflush, command);
        std::copy(head.begin(), head.end(), out + kCommandBytes);
        add_relay(from, length);
    }
    close_unit();
}

void StreamEncoder::add_relay(const Source& from, std::uint32_t length) {
    const std::uint32_t base = layout_.sources(false);
    switch (from.feed) {
        case Feed::in_line: return;
        case Feed::linear:
            rt::encode(open(kBareMinBytes),
                       rt::RelayLinear{layout_.bank(from.start, false).noc_xy(),
                                       base + from.start * kUnit, length});
            break;
        case Feed::paged: {
            rt::RelayPaged command;
            command.start_page = static_cast<std::uint8_t>(from.start);
            command.is_dram = !from.on_workers;
            command.base_addr = layout_.sources(from.on_workers);
            command.page_size = from.page_size;
            command.pages = (length + from.page_size - 1) / from.page_size;
            command.length_adjust =
                static_cast<std::uint16_t>(command.pages * from.page_size - length);
            rt::encode(open(kBareMinBytes), command);
            break;
        }
        case Feed::packed: {
            rt::RelayPagedPacked command;
            command.count = static_cast<std::uint16_t>(from.parts);
            command.total_length = length;
            command.stride = align_up(kCommandBytes + from.parts * kRelaySubBytes, kBareMinBytes);
            std::byte* out = open(command.stride);
            rt::encode(out, command);
            for (std::uint32_t i = 0; i < from.parts; ++i) {
                rt::RelayPagedPackedSub sub;
                sub.start_page = static_cast<std::uint16_t>(from.start + i);
                sub.log_page_size = static_cast<std::uint16_t>(from.log_page);
                sub.base_addr = base;
                sub.length = rules::part_bytes(length, from.parts, i);
                rt::encode(out + kCommandBytes + i * kRelaySubBytes, sub);
            }
            break;
        }
        case Feed::cache: {
            rt::RelayRingbuffer command;
            command.count = static_cast<std::uint16_t>(from.parts);
            command.stride = align_up(kCommandBytes + from.parts * kCacheSubBytes, kBareMinBytes);
            std::byte* out = open(command.stride);
            rt::encode(out, command);
            rt::RelayRingbufferSub sub;
            sub.start = from.start * kUnit;
            for (std::uint32_t i = 0; i < from.parts; ++i, sub.start += sub.length) {
                sub.length = rules::part_bytes(length, from.parts, i);
                rt::encode(out + kCommandBytes + i * kCacheSubBytes, sub);
            }
            break;
        }
    }
}

template <class Encoded>
void StreamEncoder::add_bare_inline(const Encoded& command) {
    add_inline(head_of(command));
    close_unit();
}

// --- writes

rt::PackedMulticastSub StreamEncoder::multicast(const CoreRange& cores) const {
    const rt::Coord first = layout_.worker(cores.x0, cores.y0);
    const rt::Coord last = layout_.worker(cores.x1, cores.y1);
    return {rt::multicast_xy(first.x, first.y, last.x, last.y),
            (cores.x1 - cores.x0 + 1) * (cores.y1 - cores.y0 + 1)};
}

void StreamEncoder::operator()(const CommandWriteLinear& c) {
    rt::WriteLinear command;
    const rt::PackedMulticastSub receivers =
        c.multicast ? multicast(c.to.cores)
                    : rt::PackedMulticastSub{layout_.receiver(c.to).noc_xy(), 0};
    command.noc_xy_addr = receivers.noc_xy_addr;
    command.num_mcast_dests = static_cast<std::uint8_t>(receivers.num_mcast_dests);
    command.addr = layout_.destinations(c.to.memory) + c.to.offset;
    command.length = c.length;
    // dispatch_h has offsets of its own, which nobody sets (inv. 80).
    const bool other_core = c.from_host_side && config_.geometry.split;
    if (!other_core) {
        command.write_offset_index = static_cast<std::uint8_t>(c.offset_index);
        command.addr = without_offset(command.addr, c.offset_index);
    }
    add_fed(head_of(c.from_host_side ? rt::DispatchId::write_linear_h : rt::DispatchId::write_linear,
                    command),
            c.from, c.length, c.content_seed);
}

void StreamEncoder::operator()(const CommandWritePaged& c) {
    rt::WritePaged command;
    command.is_dram = c.on_workers ? 0 : 1;
    command.start_page = static_cast<std::uint16_t>(c.start_page);
    command.base_addr =
        layout_.destinations(c.on_workers ? MemoryKind::worker : MemoryKind::dram) + c.offset;
    command.page_size = c.page_size;
    command.pages = c.pages;
    add_fed(head_of(command), c.from, c.pages * c.page_size, c.content_seed);
}

void StreamEncoder::operator()(const CommandWritePacked& c) {
    rt::WritePacked command;
    command.flags = static_cast<std::uint8_t>((c.multicast ? rt::kPackedMulticast : 0) |
                                              (c.shared_payload ? rt::kPackedNoStride : 0));
    command.count = static_cast<std::uint16_t>(c.count);
    command.write_offset_index = static_cast<std::uint16_t>(c.offset_index);
    command.size = static_cast<std::uint16_t>(c.size);
    command.addr = without_offset(layout_.destinations(c.to.memory) + c.to.offset, c.offset_index);
    const std::uint32_t sub_bytes = c.multicast ? 8 : 4;
    std::vector<std::byte> head(
        align_up(kCommandBytes + c.count * sub_bytes, kPayloadAlignment));
    rt::encode(head.data(), command);
    const CoreRange& r = c.to.cores;
    const std::uint32_t cols = r.x1 - r.x0 + 1;
    const std::uint32_t rows = r.y1 - r.y0 + 1;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        std::byte* sub = head.data() + kCommandBytes + i * sub_bytes;
        if (c.multicast) {
            const std::uint32_t row = r.y0 + i % rows;
            rt::encode(sub, multicast(c.by_rows ? CoreRange{r.x0, row, r.x1, row} : r));
            continue;
        }
        Destination single = c.to;
        single.cores.x0 = r.x0 + i % (cols * rows) % cols;
        single.cores.y0 = r.y0 + i % (cols * rows) / cols;
        const std::uint32_t xy = layout_.receiver(single).noc_xy();
        std::memcpy(sub, &xy, sizeof xy);
    }
    const std::uint32_t payloads = c.shared_payload ? 1 : c.count;
    add_fed(head, Source{}, payloads * align_up(c.size, kPayloadAlignment), c.content_seed);
}

void StreamEncoder::operator()(const CommandWriteLarge& c) {
    rt::WritePackedLarge command;
    command.count = static_cast<std::uint16_t>(c.parts.size());
    command.alignment = static_cast<std::uint16_t>(c.alignment);
    command.write_offset_index = static_cast<std::uint16_t>(c.offset_index);
    std::vector<std::byte> head(
        align_up(kCommandBytes + command.count * kLargeSubBytes, kPayloadAlignment));
    rt::encode(head.data(), command);
    const std::uint32_t area = layout_.destinations(MemoryKind::worker);
    for (std::size_t i = 0; i < c.parts.size(); ++i) {
        const LargePart& part = c.parts[i];
        const rt::PackedMulticastSub receivers =
            part.multicast
                ? multicast(part.cores)
                : rt::PackedMulticastSub{layout_.worker(part.cores.x0, part.cores.y0).noc_xy(), 0};
        rt::WritePackedLargeSub sub;
        sub.noc_xy_addr = receivers.noc_xy_addr;
        sub.num_mcast_dests = static_cast<std::uint8_t>(receivers.num_mcast_dests);
        sub.addr = without_offset(area + part.offset, c.offset_index);
        sub.length = static_cast<std::uint16_t>(part.length);
        sub.flags = part.linked ? std::uint8_t{0} : rt::kPackedLargeUnlink;
        rt::encode(head.data() + kCommandBytes + i * kLargeSubBytes, sub);
    }
    add_fed(head, c.from, rules::payload_bytes(c), c.content_seed);
}

void StreamEncoder::operator()(const CommandWriteHost& c) {
    rt::WriteLinearHHost command;
    command.length = kCommandBytes + c.length;
    add_fed(head_of(command), c.from, c.length, c.content_seed);
}

// --- commands without a payload of their own

void StreamEncoder::operator()(const CommandWait& c) {
    rt::Wait command;
    command.barrier = c.barrier ? 1 : 0;
    command.wait = c.wait ? 1 : 0;
    command.clear_count = c.clear ? 1 : 0;
    command.notify_prefetch = c.notify ? 1 : 0;
    command.addr = config_.message_pointer();
    command.count = kept_.completions - std::min(c.behind, kept_.completions);
    if (c.clear) kept_.completions = 0;
    add_inline(head_of(command));
    // One STALL for one notification (inv. 50).
    if (c.notify) rt::encode(open(kBareMinBytes), rt::PrefetchId::stall);
    close_unit();
}

void StreamEncoder::operator()(const CommandDelay& c) { add_bare_inline(rt::Delay{c.iterations}); }

void StreamEncoder::operator()(const CommandDispatchDebug& c) {
    const std::vector<std::byte> payload = drawn(c.content_seed, c.words * 4);
    rt::Debug command;
    command.checksum = checksum_of(payload);
    command.size = c.words * 4;
    command.stride = align_up(kCommandBytes + command.size, kPayloadAlignment);
    std::vector<std::byte> bytes(command.stride + kCommandBytes);
    rt::encode(bytes.data(), rt::DispatchId::debug, command);
    std::copy(payload.begin(), payload.end(), bytes.begin() + kCommandBytes);
    // Something that does nothing and goes on to the next page.
    if (knows(rt::DispatchId::sink))
        rt::encode(bytes.data() + command.stride, rt::DispatchId::sink);
    else
        rt::encode(bytes.data() + command.stride, rt::Delay{0});
    add_inline(bytes);
    close_unit();
}

void StreamEncoder::operator()(const CommandPrefetchDebug& c) {
    const std::vector<std::byte> payload = drawn(c.content_seed, c.words * 4);
    rt::Debug command;
    command.checksum = checksum_of(payload);
    command.size = c.words * 4;
    command.stride = align_up(kCommandBytes + command.size, kBareMinBytes);
    std::byte* out = open(command.stride);
    rt::encode(out, rt::PrefetchId::debug, command);
    std::copy(payload.begin(), payload.end(), out + kCommandBytes);
    close_unit();
}

void StreamEncoder::operator()(const CommandSetWriteOffset& c) {
    kept_.offsets = {c.offset0, c.offset1, c.offset2};
    rt::SetWriteOffset command;
    std::copy(kept_.offsets.begin(), kept_.offsets.end(), std::begin(command.offset));
    add_bare_inline(command);
}

void StreamEncoder::operator()(const CommandGoTable& c) {
    kept_.table_by_rows = c.by_rows;
    const Topology& t = scenario_.topology;
    std::vector<std::uint32_t> words;
    for (std::uint32_t row = 0; row < (c.by_rows ? t.worker_rows : 1); ++row) {
        const std::uint32_t last = c.by_rows ? row : t.worker_rows - 1;
        const rt::PackedMulticastSub to = multicast({0, row, t.worker_cols - 1, last});
        words.push_back(to.noc_xy_addr);
        words.push_back(to.num_mcast_dests);
    }
    for (const rt::Coord core : config_.chip.ethernet_cores) words.push_back(core.noc_xy());
    std::vector<std::byte> bytes(kCommandBytes + words.size() * 4);
    rt::encode(bytes.data(), rt::SetGoSignalNocData{static_cast<std::uint32_t>(words.size())});
    std::memcpy(bytes.data() + kCommandBytes, words.data(), words.size() * 4);
    add_inline(bytes);
    close_unit();
}

void StreamEncoder::operator()(const CommandGo& c) {
    const Topology& t = scenario_.topology;
    const std::uint32_t multicasts = kept_.table_by_rows ? t.worker_rows : 1;
    rt::SendGoSignal go;
    go.go_signal = rt::encode(
        rt::GoMessage{0, config_.chip.dispatch.x, config_.chip.dispatch.y, rt::kGoGo});
    go.num_mcast_txns = static_cast<std::uint8_t>(c.workers ? multicasts : 0);
    go.num_unicast_txns = static_cast<std::uint8_t>(c.ethernet);
    go.noc_data_start_index = static_cast<std::uint8_t>(c.workers ? 0 : 2 * multicasts);
    go.wait_count = kept_.completions;
    go.wait_addr = config_.message_pointer();
    kept_.completions += c.ethernet + (c.workers ? t.worker_cols * t.worker_rows : 0);
    add_bare_inline(go);
}

void StreamEncoder::operator()(const CommandBare& c) {
    switch (c.command) {
        case BareKind::sink: return add_bare_inline(rt::DispatchId::sink);
        case BareKind::go: return add_bare_inline(rt::DispatchId::go);
        case BareKind::num_worker_sems: return add_bare_inline(rt::SetNumWorkerSems{c.value});
    }
}

void StreamEncoder::operator()(const CommandCacheLoad& c) {
    rt::PagedToRingbuffer command;
    command.flags = c.reset ? rt::kRingbufferResetToStart : std::uint8_t{0};
    command.log2_page_size = static_cast<std::uint8_t>(c.log_page);
    command.start_page = static_cast<std::uint8_t>(c.start);
    command.wp_offset_update = c.keep ? 0 : c.length;
    command.base_addr = layout_.sources(false);
    command.length = c.length;
    rt::encode(open(kBareMinBytes), command);
    close_unit();
}

void StreamEncoder::operator()(const CommandCacheOffset& c) {
    rt::encode(open(kBareMinBytes), rt::SetRingbufferOffset{c.offset, 0});
    close_unit();
}

// --- bodies

std::vector<std::byte> StreamEncoder::encode_body(std::uint32_t body) {
    const Kept outside = kept_;
    kept_ = Kept{};
    rt::CommandSequence sequence;
    out_ = &sequence;
    // Whatever ran before: the body starts from what it is encoded for.
    if (knows(rt::DispatchId::set_write_offset)) (*this)(CommandSetWriteOffset{});
    if (knows(rt::DispatchId::set_go_signal_noc_data)) (*this)(CommandGoTable{});
    for (const Command& command : scenario_.bodies[body].commands) std::visit(*this, command);
    sequence.add_exec_buf_end();
    if (bodies_.size() <= body) bodies_.resize(body + 1u);
    bodies_[body].left_behind = kept_;
    kept_ = outside;
    return {sequence.bytes().begin(), sequence.bytes().end()};
}

std::uint32_t StreamEncoder::place_body(std::uint32_t body, std::uint32_t bytes) {
    const rt::DispatchGeometry& g = config_.geometry;
    const std::uint32_t page = 1u << g.trace_log_page_size;
    Placed& placed = bodies_[body];
    placed.address = bodies_end_;
    placed.pages = (bytes + page - 1) / page;
    bodies_end_ += (placed.pages + g.dram_banks - 1) / g.dram_banks * page;
    return placed.address;
}

// The count begins anew, since the body's waits name counts of its own.
void StreamEncoder::operator()(const CommandExecBuf& c) {
    CommandWait clear;
    clear.wait = true;
    clear.clear = true;
    (*this)(clear);
    const Placed& placed = bodies_[c.body];
    rt::ExecBuf command;
    command.base_addr = placed.address;
    command.log_page_size = config_.geometry.trace_log_page_size;
    command.pages = placed.pages;
    rt::encode(open(kBareMinBytes), command);
    close_unit();
    kept_ = placed.left_behind;
}

}  // namespace cqfuzz
