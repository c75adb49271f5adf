#include "harness/silicon/holds.hpp"

#include <algorithm>

namespace cqfuzz {

void Holds::reset(std::span<const MachineHold> holds) {
    by_hold_.clear();
    by_until_.clear();
    fulfilled_.assign(holds.size(), 0);
    for (std::uint32_t index = 0; index < holds.size(); ++index) {
        by_hold_.push_back(Entry{packed(holds[index].hold), index});
        by_until_.push_back(Entry{packed(holds[index].until), index});
    }
    const auto before = [](const Entry& a, const Entry& b) {
        return a.name != b.name ? a.name < b.name : a.hold < b.hold;
    };
    std::sort(by_hold_.begin(), by_hold_.end(), before);
    std::sort(by_until_.begin(), by_until_.end(), before);
}

bool Holds::holds(const MachineMoveName& name) const {
    const std::uint64_t key = packed(name);
    auto entry = std::lower_bound(by_hold_.begin(), by_hold_.end(), key,
                                  [](const Entry& e, std::uint64_t k) { return e.name < k; });
    for (; entry != by_hold_.end() && entry->name == key; ++entry)
        if (fulfilled_[entry->hold] == 0) return true;
    return false;
}

bool Holds::speaks_of_parts(const std::vector<Entry>& entries, TileIndex source, std::uint32_t noc,
                            std::uint32_t ordinal) {
    const std::uint64_t from = packed(MachineMoveName{source, MachineMove::step, 0, ordinal});
    const std::uint64_t to =
        packed(MachineMoveName{source, MachineMove::source_read, 0xff, ordinal});
    auto entry = std::lower_bound(entries.begin(), entries.end(), from,
                                  [](const Entry& e, std::uint64_t k) { return e.name < k; });
    for (; entry != entries.end() && entry->name <= to; ++entry) {
        const std::uint64_t low = entry->name & 0xff;
        if (low != kEthernetMoves && (low & 1) == noc && low >> 1 != 0) return true;
    }
    return false;
}

bool Holds::singles_out(TileIndex source, std::uint32_t noc, std::uint32_t ordinal) const {
    return any() && (speaks_of_parts(by_hold_, source, noc, ordinal) ||
                     speaks_of_parts(by_until_, source, noc, ordinal));
}

bool Holds::made(const MachineMoveName& name) {
    const std::uint64_t key = packed(name);
    auto entry = std::lower_bound(by_until_.begin(), by_until_.end(), key,
                                  [](const Entry& e, std::uint64_t k) { return e.name < k; });
    bool waited = false;
    for (; entry != by_until_.end() && entry->name == key; ++entry) {
        waited |= fulfilled_[entry->hold] == 0;
        fulfilled_[entry->hold] = 1;
    }
    return waited;
}

void Holds::give_up(const MachineMoveName& name) {
    const std::uint64_t key = packed(name);
    auto entry = std::lower_bound(by_hold_.begin(), by_hold_.end(), key,
                                  [](const Entry& e, std::uint64_t k) { return e.name < k; });
    for (; entry != by_hold_.end() && entry->name == key; ++entry) fulfilled_[entry->hold] = 1;
}

}  // namespace cqfuzz
