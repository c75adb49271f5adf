// The switchable historical faults: one list, one line each to add (faults.def), one `if` at the
// place of the mistake.
//
// A FaultSet is off by default; `on` costs one predictable branch and counts that the faulty line
// was reached.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cqfuzz::rt {

enum class Fault : std::uint8_t {
#define CQFUZZ_FAULT(identifier, name, sentence, source, invariant, place) identifier,
#include "runtime_under_test/faults/faults.def"
#undef CQFUZZ_FAULT
    kCount,
};

struct FaultInfo {
    Fault fault{};
    std::string_view name;       // "late-orphan-packed"
    std::string_view sentence;   // the mistake
    std::string_view source;     // URL or facts section
    std::string_view invariant;  // "inv. 19"
    std::string_view place;      // file the mistake lives in
};

std::span<const FaultInfo> all_faults();

class FaultSet {
public:
    bool on(Fault fault) {
        const bool is_on = (bits_[word_of(fault)] & bit_of(fault)) != 0;
        if (is_on) [[unlikely]]
            reached_[static_cast<unsigned>(fault)]++;
        return is_on;
    }
    void enable(Fault fault) { bits_[word_of(fault)] |= bit_of(fault); }
    void clear() { *this = FaultSet{}; }
    bool any() const { return bits_ != decltype(bits_){}; }
    bool any_reached() const {
        for (const std::uint64_t count : reached_)
            if (count != 0) return true;
        return false;
    }
    std::uint64_t reached(Fault fault) const { return reached_[static_cast<unsigned>(fault)]; }

private:
    static constexpr unsigned kWordBits = 64;
    static constexpr unsigned kFaults = static_cast<unsigned>(Fault::kCount);
    static constexpr unsigned word_of(Fault fault) {
        return static_cast<unsigned>(fault) / kWordBits;
    }
    static constexpr std::uint64_t bit_of(Fault fault) {
        return std::uint64_t{1} << static_cast<unsigned>(fault) % kWordBits;
    }

    std::array<std::uint64_t, (kFaults + kWordBits - 1) / kWordBits> bits_{};
    std::array<std::uint64_t, kFaults> reached_{};
};

// A group ("late-orphan-write") enables several; nullopt for an unknown name.
std::optional<FaultSet> faults_named(std::string_view name);
// Names that faults_named takes, groups included, in list order.
std::span<const std::string_view> fault_names();

}  // namespace cqfuzz::rt
