// BankSpace: one range of addresses, the same in every bank (DRAM) or in every worker (L1), handed
// out first fit from the bottom. Host memory only.
//
// Invariants: ranges in use never overlap; addresses and sizes are multiples of the DRAM alignment.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace cqfuzz::rt {

class BankSpace {
public:
    BankSpace(std::uint32_t base, std::uint32_t end);

    std::optional<std::uint32_t> take(std::uint64_t bytes);
    // REQUIRES: `address` came from `take` and was not given back.
    void give_back(std::uint32_t address);
    std::uint32_t size_bytes() const { return end_ - base_; }
    // The longest range that `take` would find.
    std::uint32_t largest_free_bytes() const;

private:
    struct Range {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
    };
    std::uint32_t base_;
    std::uint32_t end_;
    std::vector<Range> used_;  // by address
};

}  // namespace cqfuzz::rt
