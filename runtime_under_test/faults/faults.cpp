#include "runtime_under_test/faults/faults.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::size_t kFaultCount = static_cast<std::size_t>(Fault::kCount);

constexpr std::array<FaultInfo, kFaultCount> kFaults{{
#define CQFUZZ_FAULT(identifier, name, sentence, source, invariant, place) \
    {Fault::identifier, name, sentence, source, invariant, place},
#include "runtime_under_test/faults/faults.def"
#undef CQFUZZ_FAULT
}};

// A group: one historical mistake that was made at several places.
struct FaultGroup {
    std::string_view name;
    std::span<const Fault> members;
};

constexpr std::array<Fault, 5> kLateOrphanWrite{Fault::late_orphan_linear, Fault::late_orphan_paged,
                                                Fault::late_orphan_relay, Fault::late_orphan_packed,
                                                Fault::late_orphan_large};

constexpr std::array<FaultGroup, 1> kGroups{{{"late-orphan-write", kLateOrphanWrite}}};

constexpr auto kNames = [] {
    std::array<std::string_view, kGroups.size() + kFaultCount> names{};
    std::size_t next = 0;
    for (const FaultGroup& group : kGroups) names[next++] = group.name;
    for (const FaultInfo& info : kFaults) names[next++] = info.name;
    return names;
}();

}  // namespace

std::span<const FaultInfo> all_faults() { return kFaults; }

std::span<const std::string_view> fault_names() { return kNames; }

std::optional<FaultSet> faults_named(std::string_view name) {
    FaultSet set;
    for (const FaultGroup& group : kGroups) {
        if (group.name != name) continue;
        for (const Fault member : group.members) set.enable(member);
        return set;
    }
    for (const FaultInfo& info : kFaults) {
        if (info.name != name) continue;
        set.enable(info.fault);
        return set;
    }
    return std::nullopt;
}

}  // namespace cqfuzz::rt
