// Reach: what runs have touched, as features: role × command × block phase × how the command ends.
// The same numbers feed the fuzzing engine (extra counters), our own search (new features keep a
// scenario) and the reach table.
//
// Nothing is allocated per event; a run costs what its commands cost.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"

namespace cqfuzz {

inline constexpr std::uint32_t kReachRoles = 10;     // Role values; the last is dispatch_s's
inline constexpr std::uint32_t kReachCommands = 20;  // command ids
inline constexpr std::uint32_t kReachPhases =
    4;  // first, middle, last page of a block; the only one
inline constexpr std::uint32_t kReachEnds =
    5;  // within the block, exactly at its end, over one end, over more, over the ring's end
inline constexpr std::uint32_t kReachFeatures =
    4096;  // kReachRoles x kReachCommands x kReachPhases x kReachEnds, rounded up

class Reach {
public:
    // A new run on this machine; totals stay.
    void begin_run(const MachineView& view);
    void observe(const LogEntry& entry);
    void end_run();

    // Features of the last run, each once.
    const std::vector<std::uint16_t>& features() const { return features_; }
    std::uint32_t dispatched_commands() const { return dispatched_commands_; }

    // Totals.
    std::uint64_t runs() const { return runs_; }
    std::uint64_t commands() const { return commands_total_; }
    std::uint64_t runs_with_eight_commands() const { return runs_with_eight_; }
    std::uint64_t hits(std::uint16_t feature) const { return hits_[feature]; }
    // Commands × roles × block phases with their counts, and what was never reached.
    std::string table() const;

private:
    struct Open {
        bool open = false;
        std::uint8_t command = 0;
        std::uint32_t page = 0;
    };
    struct RingOf {
        std::uint32_t base = 0;
        std::uint32_t page_size = 0;
        std::uint32_t pages = 0;
        std::uint32_t pages_per_block = 0;
    };

    void hit(std::uint32_t feature);

    std::vector<Role> roles_;    // by tile
    std::vector<RingOf> rings_;  // by tile: the ring it consumes
    std::vector<Open> open_;     // by tile
    std::vector<std::uint16_t> features_;
    std::array<std::uint64_t, kReachFeatures> hits_{};
    std::array<std::uint64_t, kReachFeatures> seen_in_{};  // the run that hit it last
    std::uint64_t runs_ = 0;
    std::uint64_t commands_total_ = 0;
    std::uint64_t runs_with_eight_ = 0;
    std::uint32_t dispatched_commands_ = 0;
};

// Parts of a feature's number, for tables; `role` counts from 0 to kReachRoles - 1.
Role reach_role(std::uint32_t role);
std::string_view reach_phase_name(std::uint32_t phase);  // "first"
std::string_view reach_end_name(std::uint32_t end);      // "over-one"
// "WRITE_PACKED"; empty where the role has no such command.
std::string_view reach_command_name(std::uint32_t role, std::uint32_t command);
std::uint32_t reach_feature(std::uint32_t role, std::uint32_t command, std::uint32_t phase,
                            std::uint32_t end);

// "dispatch_d WRITE_PACKED first over-one-end"
std::string reach_feature_name(std::uint32_t feature);

}  // namespace cqfuzz
