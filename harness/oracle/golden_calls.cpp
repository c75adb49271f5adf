// What golden memory learns from host calls: which programs will run, and what buffers hold.
#include <cstring>

#include "harness/oracle/golden_memory.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kDramAlignment = 32;  // facts §7

}  // namespace

GoldenMemory::Found GoldenMemory::observe(const HostCall& call, bool ended, std::uint64_t step) {
    if (!ended) {
        expect(call);
        return std::nullopt;
    }
    if (!call.succeeded) {
        withdraw(call);
        return std::nullopt;
    }
    if (call.kind == HostCallKind::create_buffer) {
        if (buffers_.size() <= call.buffer) buffers_.resize(call.buffer + 1u);
        Buffer& buffer = buffers_[call.buffer];
        buffer.address = call.address;
        buffer.page_count = call.page_count;
        buffer.page_size_bytes = call.page_size_bytes;
        buffer.created = true;
        buffer.known = false;
    }
    if (call.kind == HostCallKind::write_buffer && call.buffer < buffers_.size() &&
        call.data != nullptr) {
        Buffer& buffer = buffers_[call.buffer];
        if (buffer.created &&
            call.data->size() == std::size_t{buffer.page_count} * buffer.page_size_bytes) {
            buffer.contents.assign(call.data->begin(), call.data->end());
            buffer.known = true;
        }
    }
    if (call.kind == HostCallKind::read_buffer) return check_read_back(call, step);
    return std::nullopt;
}

// A call's programs may run before the call returns, so they are expected from its beginning on.
void GoldenMemory::expect(const HostCall& call) {
    if (call.kind == HostCallKind::enqueue_program) append(call.program, call.op_index);
    if (call.kind == HostCallKind::replay_trace)
        for (const ProgramImage* program : call.traced) append(program, call.op_index);
}

std::uint32_t GoldenMemory::plan_of(const ProgramImage* program) {
    for (std::size_t i = 0; i < plan_count_; ++i)
        if (&plans_[i].image() == program) return static_cast<std::uint32_t>(i);
    if (plans_.size() == plan_count_) plans_.emplace_back();
    const auto number = static_cast<std::uint32_t>(plan_count_++);
    plans_[number].make(*program, logical_cores_);
    return number;
}

void GoldenMemory::append(const ProgramImage* program, std::uint32_t op_index) {
    const std::uint32_t plan = plan_of(program);
    for (const bool on_ethernet : {false, true}) {
        if (!plans_[plan].runs_on(on_ethernet)) continue;
        drop_passed(runs(on_ethernet), on_ethernet);
        runs(on_ethernet).list.push_back({plan, op_index});
    }
}

void GoldenMemory::take_back(const ProgramImage* program) {
    const std::uint32_t plan = plan_of(program);
    for (const bool on_ethernet : {false, true})
        if (plans_[plan].runs_on(on_ethernet) && !runs(on_ethernet).list.empty())
            runs(on_ethernet).list.pop_back();
}

// A refused call runs nothing, unless it is refused in the middle. What it announced is still at
// the end of the lists, since calls do not overlap.
void GoldenMemory::withdraw(const HostCall& call) {
    if (call.kind != HostCallKind::enqueue_program && call.kind != HostCallKind::replay_trace)
        return;
    if (call.kind == HostCallKind::enqueue_program) take_back(call.program);
    for (const ProgramImage* program : call.traced) take_back(program);
    programs_refused_ = true;
}

GoldenMemory::Found GoldenMemory::check_read_back(const HostCall& call, std::uint64_t step) const {
    if (call.buffer >= buffers_.size() || !buffers_[call.buffer].known || call.data == nullptr)
        return std::nullopt;
    const Buffer& buffer = buffers_[call.buffer];
    const std::size_t length = buffer.contents.size();
    if (call.data->size() == length &&
        (length == 0 || std::memcmp(call.data->data(), buffer.contents.data(), length) == 0))
        return std::nullopt;
    // Wrong bytes on the way back, or already in DRAM?
    const bool dram_right = !compare_dram(buffer).has_value();
    Violation violation;
    violation.property = "golden-memory/wrong-read-back";
    violation.place = dram_right ? "completion queue" : "dram buffer";
    violation.actor = "host";
    violation.op_index = call.op_index;
    violation.step = step;
    violation.summary =
        "the read of buffer " + std::to_string(call.buffer) + " in op " +
        std::to_string(call.op_index) + " returned other bytes than were written" +
        (dram_right ? "; DRAM holds the right ones" : "; DRAM holds wrong ones too");
    violation.story.push_back(violation.summary);
    if (call.data->size() != length) {
        violation.expected = std::to_string(length) + " bytes";
        violation.actual = std::to_string(call.data->size()) + " bytes";
    } else {
        const Mismatch first =
            difference("", "", buffer.contents.data(), call.data->data(), length, 0);
        violation.expected = first.expected;
        violation.actual = first.actual;
        violation.story.push_back("from byte " + std::to_string(first.offset) + ", page " +
                                  std::to_string(first.offset / buffer.page_size_bytes) + ", on");
        violation.story.push_back("expected " + first.expected);
        violation.story.push_back("actual   " + first.actual);
    }
    return violation;
}

std::optional<Mismatch> GoldenMemory::compare_dram(const Buffer& buffer) const {
    const auto banks = static_cast<std::uint32_t>(bank_tiles_.size());
    if (banks == 0) return std::nullopt;
    const std::uint32_t stride =
        (buffer.page_size_bytes + kDramAlignment - 1) / kDramAlignment * kDramAlignment;
    for (std::uint32_t page = 0; page < buffer.page_count; ++page) {
        const TileIndex tile = bank_tiles_[page % banks];
        const std::uint64_t address =
            std::uint64_t{buffer.address} + std::uint64_t{page / banks} * stride;
        const std::byte* expected =
            buffer.contents.data() + std::size_t{page} * buffer.page_size_bytes;
        const std::string what = "page " + std::to_string(page) + " in " + machine_->describe(tile);
        if (address + buffer.page_size_bytes > memory_->size_bytes(tile)) {
            Mismatch beyond;
            beyond.place = "dram buffer";
            beyond.what = what;
            beyond.expected = "inside the bank";
            beyond.actual = "at " + std::to_string(address);
            return beyond;
        }
        const std::byte* actual = memory_->bytes(tile) + address;
        if (std::memcmp(expected, actual, buffer.page_size_bytes) != 0)
            return difference("dram buffer", what, expected, actual, buffer.page_size_bytes,
                              static_cast<std::uint32_t>(address));
    }
    return std::nullopt;
}

}  // namespace cqfuzz
