// What golden memory learns from host calls: which programs will run.
#include "harness/oracle/golden_memory.hpp"

namespace cqfuzz {

GoldenMemory::Found GoldenMemory::observe(const HostCall& call, bool ended, std::uint64_t step) {
    if (!ended) {
        expect(call);
        return std::nullopt;
    }
    if (!call.succeeded) {
        withdraw(call);
        return std::nullopt;
    }
    return buffers_.observe(call, step);
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

}  // namespace cqfuzz
