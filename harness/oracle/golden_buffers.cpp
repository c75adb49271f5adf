#include "harness/oracle/golden_buffers.hpp"

#include <algorithm>
#include <cstring>

#include "harness/oracle/provenance.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kDramAlignment = 32;  // facts §7
constexpr std::uint32_t kL1Alignment = 16;

std::uint32_t div_ceil(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

const char* place_name(PagePlacement placement) {
    return placement == PagePlacement::dram ? "dram buffer" : "l1 buffer";
}

}  // namespace

void GoldenBuffers::reset(const MachineView& machine, const MemoryView& memory,
                          std::uint32_t chip) {
    machine_ = &machine;
    memory_ = &memory;
    banks_.clear();
    workers_.clear();
    worker_cols_ = 0;
    for (TileIndex t = 0; t < machine.tiles.size(); ++t) {
        const TileView& tile = machine.tiles[t];
        if (tile.chip != chip) continue;
        if (tile.kind == TileKind::dram) {
            if (banks_.size() <= tile.bank) banks_.resize(tile.bank + 1u, kNoTile);
            banks_[tile.bank] = t;
        }
        if (tile.kind != TileKind::worker) continue;
        if (workers_.empty() || tile.coord.y == machine.tiles[workers_[0]].coord.y) ++worker_cols_;
        workers_.push_back(t);
    }
    order_.reset(std::max(machine.command_queues(), 1u));
    for (Buffer& buffer : buffers_) buffer.created = false;
}

std::optional<Violation> GoldenBuffers::observe(const HostCall& call, std::uint64_t step) {
    if (call.kind == HostCallKind::create_buffer) create(call);
    const bool known_buffer = call.buffer < buffers_.size() && buffers_[call.buffer].created;
    std::optional<Violation> found;
    if (call.kind == HostCallKind::write_buffer && known_buffer) write(buffers_[call.buffer], call);
    if (call.kind == HostCallKind::read_buffer && known_buffer) found = check_read_back(call, step);
    order_.observe(call);
    return found;
}

void GoldenBuffers::write(Buffer& buffer, const HostCall& call) {
    const std::size_t whole = std::size_t{buffer.shape.page_count} * buffer.shape.page_size_bytes;
    if (call.data == nullptr || call.data->size() != whole) return;
    const QueueOrder::Action action = order_.enqueue(call.queue);
    // What nobody will see any more gives its memory to the new write.
    const auto stale = [&](const Write& old) {
        if (!QueueOrder::before(old.action, action)) return false;
        if (order_.before_all_to_come(action)) return true;
        return std::any_of(buffer.writes.begin(), buffer.writes.end(), [&](const Write& newer) {
            return QueueOrder::before(old.action, newer.action) &&
                   order_.before_all_to_come(newer.action);
        });
    };
    Write next;
    for (std::size_t i = 0; i < buffer.writes.size();) {
        if (!stale(buffer.writes[i])) {
            ++i;
            continue;
        }
        next.contents = std::move(buffer.writes[i].contents);
        buffer.writes.erase(buffer.writes.begin() + static_cast<std::ptrdiff_t>(i));
    }
    next.action = action;
    next.contents.assign(call.data->begin(), call.data->end());
    buffer.writes.push_back(std::move(next));
}

void GoldenBuffers::find(const Buffer& buffer, const QueueOrder::Action& action, Candidates& out) {
    out.clear();
    bool any_before = false;
    for (const Write& write : buffer.writes) {
        any_before = any_before || QueueOrder::before(write.action, action);
        const bool overwritten =
            std::any_of(buffer.writes.begin(), buffer.writes.end(), [&](const Write& newer) {
                return QueueOrder::before(write.action, newer.action) &&
                       QueueOrder::before(newer.action, action);
            });
        if (!overwritten) out.push_back(&write);
    }
    if (!any_before) out.clear();  // what was there before may still be
}

std::size_t GoldenBuffers::first_wrong(const Candidates& candidates, const std::byte* bytes,
                                       std::size_t offset, std::size_t length) {
    for (const Write* write : candidates)
        if (length == 0 || std::memcmp(write->contents.data() + offset, bytes, length) == 0)
            return length;
    for (std::size_t i = 0; i < length; ++i) {
        const bool right = std::any_of(
            candidates.begin(), candidates.end(),
            [&](const Write* write) { return write->contents[offset + i] == bytes[i]; });
        if (!right) return i;
    }
    return length;
}

void GoldenBuffers::create(const HostCall& call) {
    if (buffers_.size() <= call.buffer) buffers_.resize(call.buffer + 1u);
    Buffer& buffer = buffers_[call.buffer];
    buffer.shape = call.shape;
    buffer.spots.clear();
    for (std::uint32_t page = 0; page < call.shape.page_count; ++page)
        buffer.spots.push_back(spot_of(call, page));
    buffer.created = true;
    buffer.writes.clear();
}

TileIndex GoldenBuffers::worker(std::uint32_t x, std::uint32_t y) const {
    const std::size_t number = std::size_t{y} * worker_cols_ + x;
    return x < worker_cols_ && number < workers_.size() ? workers_[number] : kNoTile;
}

PageSpot GoldenBuffers::spot_of(const HostCall& call, std::uint32_t page) const {
    const BufferShape& shape = call.shape;
    const bool dram = shape.placement == PagePlacement::dram;
    if (dram || shape.placement == PagePlacement::l1) {
        const std::vector<TileIndex>& banks = dram ? banks_ : workers_;
        const std::uint32_t unit = dram ? kDramAlignment : kL1Alignment;
        const auto count = static_cast<std::uint32_t>(banks.size());
        if (count == 0) return {};
        const std::uint32_t row_bytes = div_ceil(shape.page_size_bytes, unit) * unit;
        return {banks[page % count], call.address + page / count * row_bytes};
    }
    // The core's block of the rows and columns of pages.
    const std::uint32_t wide = shape.cores.last.x - shape.cores.first.x + 1u;
    const std::uint32_t high = shape.cores.last.y - shape.cores.first.y + 1u;
    const std::uint32_t rows = div_ceil(shape.page_count, shape.row_pages);
    std::uint32_t block_rows = rows;
    std::uint32_t block_cols = shape.row_pages;
    if (shape.placement == PagePlacement::height_sharded) block_rows = div_ceil(rows, wide * high);
    if (shape.placement == PagePlacement::width_sharded)
        block_cols = div_ceil(shape.row_pages, wide * high);
    if (shape.placement == PagePlacement::block_sharded) {
        block_rows = div_ceil(rows, high);
        block_cols = div_ceil(shape.row_pages, wide);
    }
    const std::uint32_t row = page / shape.row_pages;
    const std::uint32_t col = page % shape.row_pages;
    std::uint32_t x = col / block_cols;
    std::uint32_t y = row / block_rows;
    if (shape.placement != PagePlacement::block_sharded) {
        const std::uint32_t core = x + y;  // one of them is 0
        x = core % wide;
        y = core / wide;
    }
    const std::uint32_t slot = row % block_rows * block_cols + col % block_cols;
    return {worker(shape.cores.first.x + x, shape.cores.first.y + y),
            call.address + slot * shape.page_size_bytes};
}

bool GoldenBuffers::holds(TileIndex tile, std::uint32_t address, std::uint32_t length) const {
    for (const Buffer& buffer : buffers_) {
        if (!buffer.created || buffer.shape.placement == PagePlacement::dram) continue;
        std::uint32_t at = address;  // pages follow each other
        const std::uint32_t end = address + length;
        for (const PageSpot& spot : buffer.spots)
            if (spot.tile == tile && at >= spot.address &&
                at < spot.address + buffer.shape.page_size_bytes)
                at = std::min(end, spot.address + buffer.shape.page_size_bytes);
        if (at == end) return true;
    }
    return false;
}

std::optional<Violation> GoldenBuffers::check_read_back(const HostCall& call, std::uint64_t step) {
    const Buffer& buffer = buffers_[call.buffer];
    find(buffer, order_.enqueue(call.queue), candidates_);
    if (candidates_.empty() || call.data == nullptr) return std::nullopt;
    const std::size_t length = candidates_[0]->contents.size();
    const bool whole = call.data->size() == length;
    if (whole && first_wrong(candidates_, call.data->data(), 0, length) == length)
        return std::nullopt;
    // Wrong bytes on the way back, or already in the buffer?
    const bool memory_right = !compare(buffer, candidates_).has_value();
    Violation violation;
    violation.property = "golden-memory/wrong-read-back";
    violation.place = memory_right ? "completion queue" : place_name(buffer.shape.placement);
    violation.actor = "host";
    violation.op_index = call.op_index;
    violation.step = step;
    violation.summary =
        "the read of buffer " + std::to_string(call.buffer) + " in op " +
        std::to_string(call.op_index) + " returned other bytes than were written" +
        (memory_right ? "; the buffer holds the right ones" : "; the buffer holds wrong ones too");
    violation.story.push_back(violation.summary);
    if (!whole) {
        violation.expected = std::to_string(length) + " bytes";
        violation.actual = std::to_string(call.data->size()) + " bytes";
        return violation;
    }
    const std::size_t at = first_wrong(candidates_, call.data->data(), 0, length);
    const Mismatch first = difference("", "", candidates_.back()->contents.data() + at,
                                      call.data->data() + at, length - at, 0);
    violation.expected = first.expected;
    violation.actual = first.actual;
    violation.story.push_back("from byte " + std::to_string(at) + ", page " +
                              std::to_string(at / buffer.shape.page_size_bytes) + ", on");
    violation.story.push_back("expected " + first.expected);
    violation.story.push_back("actual   " + first.actual);
    const std::size_t q = call.device * machine_->command_queues() + call.queue;
    if (memory_right && q < machine_->completion_regions.size()) {
        const CompletionRegionView& region = machine_->completion_regions[q];
        violation.bytes = {region.pcie, region.base, region.page_count * region.page_size_bytes,
                           "the completion region was"};
    }
    if (candidates_.size() > 1)
        violation.story.push_back("nothing orders " + std::to_string(candidates_.size()) +
                                  " writes on two command queues: either's bytes would do");
    return violation;
}

std::optional<Mismatch> GoldenBuffers::compare(const Buffer& buffer,
                                               const Candidates& candidates) const {
    const std::uint32_t page_size = buffer.shape.page_size_bytes;
    for (std::uint32_t page = 0; page < buffer.shape.page_count; ++page) {
        const PageSpot& spot = buffer.spots[page];
        if (spot.tile == kNoTile) continue;
        const std::size_t offset = std::size_t{page} * page_size;
        const std::string what =
            "page " + std::to_string(page) + " in " + machine_->describe(spot.tile);
        if (std::uint64_t{spot.address} + page_size > memory_->size_bytes(spot.tile)) {
            Mismatch beyond;
            beyond.place = place_name(buffer.shape.placement);
            beyond.what = what;
            beyond.expected = "inside its memory";
            beyond.actual = "at " + std::to_string(spot.address);
            return beyond;
        }
        const std::byte* actual = memory_->bytes(spot.tile) + spot.address;
        const std::size_t wrong = first_wrong(candidates, actual, offset, page_size);
        if (wrong != page_size)
            return difference(place_name(buffer.shape.placement), what,
                              candidates.back()->contents.data() + offset, actual, page_size,
                              spot.address);
    }
    return std::nullopt;
}

std::optional<Violation> GoldenBuffers::finish(std::uint64_t step) {
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
        if (!buffers_[b].created) continue;
        find(buffers_[b], order_.end(), candidates_);
        if (candidates_.empty()) continue;
        std::optional<Mismatch> mismatch = compare(buffers_[b], candidates_);
        if (!mismatch) continue;
        Violation violation = violation_of("wrong-buffer", *mismatch, step);
        violation.actor = buffers_[b].shape.placement == PagePlacement::dram ? "dram" : "worker";
        violation.summary = "buffer " + std::to_string(b) + ", " + mismatch->what +
                            ": wrong from byte " + std::to_string(mismatch->offset) +
                            " on, after everything was finished";
        violation.story = {violation.summary, "expected " + mismatch->expected,
                           "actual   " + mismatch->actual};
        return violation;
    }
    return std::nullopt;
}

}  // namespace cqfuzz
