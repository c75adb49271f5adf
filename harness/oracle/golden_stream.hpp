// Golden memory of a command stream: what it writes, predicted from its commands as values
// (base/stream_plan.hpp), compared when it matters. Stands in golden memory's place when no host
// runtime is there to call.
//
// Checks:
//  - each arrival in a worker's or ethernet core's L1 or in DRAM is a piece of a write that the
//  stream has, with its bytes: else "stray-write", or "wrong-bytes" where only the bytes differ;
//  - when a core sees go: what a WAIT's barrier has made certain before it lies there
//    ("wrong-at-go", inv. 70); more goes than the stream has: "extra-go"; fewer at the end:
//    "missing-go" (inv. 78);
//  - what the host reads back: "wrong-completion";
//  - when the run is over: every byte written, where the order of writes says which ("wrong-at-end").
//
// Does not check:
//  - bytes that writes of no order between them meet in: unicast and multicast without a barrier
//  between them, or by dispatch_d and dispatch_h (design §4);
//  - streams with broken commands: nobody can say what they write.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/stream_plan.hpp"
#include "harness/base/violation.hpp"

namespace cqfuzz {

class GoldenStream {
public:
    void reset(const MachineView& machine, const MemoryView& memory);
    // Is there a stream in this run?
    bool active() const { return plan_ != nullptr; }

    std::optional<Violation> observe(const LogEntry& entry);
    std::optional<Violation> observe(const HostCall& call, bool ended, std::uint64_t step);
    std::optional<Violation> finish(std::uint64_t step) const;

private:
    using Found = std::optional<Violation>;
    struct Interval {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    Found on_arrive(const LogEntry& entry);
    Found on_kernel_begin(const LogEntry& entry);
    bool judged(TileIndex tile) const;
    bool reaches(const StreamWrite& write, TileIndex tile) const;
    static bool ordered(const StreamWrite& first, const StreamWrite& second);
    // The bytes of write `w` in `tile` that must be there once it has arrived, whatever of the others
    // has.
    Found check_write(std::size_t w, TileIndex tile, const char* property,
                      std::uint64_t step) const;
    const StreamGo* go_of(TileIndex tile, std::uint32_t number) const;
    Found check_go_counts(std::uint64_t step) const;
    Violation at_tile(const char* property, TileIndex tile, std::uint32_t op, std::uint64_t step,
                      std::string sentence) const;

    const MachineView* machine_ = nullptr;
    const MemoryView* memory_ = nullptr;
    const StreamPlan* plan_ = nullptr;
    std::vector<std::uint32_t> matched_;  // by tile: the write that the last arrival was of
    std::vector<std::uint32_t> begun_;    // by tile: goes seen
    std::vector<std::uint32_t> ethernet_number_;  // by tile
};

}  // namespace cqfuzz
