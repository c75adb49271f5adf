// Violation and Verdict: how a run is judged (design §8).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/tile.hpp"

namespace cqfuzz {

enum class VerdictKind : std::uint8_t { pass, violation, hang, livelock, refused, harness_fault };

// The process exit codes of each (README).
inline constexpr int kExitPass = 0;
inline constexpr int kExitBadUsage = 2;
inline constexpr int kExitViolation = 10;
inline constexpr int kExitHang = 11;
inline constexpr int kExitLivelock = 12;
inline constexpr int kExitRefused = 13;
inline constexpr int kExitHarnessFault = 20;

int exit_code_of(VerdictKind kind);
std::string_view name_of(VerdictKind kind);

inline constexpr std::uint32_t kNoOp = 0xffffffff;
inline constexpr std::uint32_t kNoRingPage = 0xffffffff;

// The bytes of a memory that a violation is about.
struct ViolationBytes {
    TileIndex tile = kNoTile;   // kNoTile: none in particular
    std::uint32_t address = 0;  // in L1, or in the hugepage for a pcie tile
    std::uint32_t length = 0;   // 0: all that the tile itself wrote
    std::string name;  // subject and verb of a sentence: "the go word was"
};

// An edge of the wait-for graph of a hang.
struct WaitFor {
    TileIndex who = kNoTile;
    TileIndex on = kNoTile;  // kNoTile: nobody in particular
    std::string reason;      // what it waits for
};

struct Violation {
    // The signature: same root cause, same signature: no addresses, counts or numbers, and the same
    // for actors and commands that run the same code (harness/base/signature.cpp).
    std::string property;  // "page-ownership/overwritten-while-owned"
    std::string place;     // ring or memory: "dispatch_cb"
    std::string actor;     // who did it, as a role: "prefetch_d"
    std::string command;   // what it was doing: "WRITE_PACKED"
    // The story, a sentence a line, first line first.
    std::string summary;
    std::vector<std::string> story;
    std::string expected;
    std::string actual;
    std::string invariant;  // "inv. 4"
    std::uint64_t step = 0;
    std::uint32_t op_index = kNoOp;
    ViolationBytes bytes;
    std::vector<WaitFor> waits;        // of a hang: the chain from the host on, then the others
    std::uint32_t page = kNoRingPage;  // of the ring `place`, where one page is concerned

    std::string signature() const;  // "property|place|actor|command"
};

struct Verdict {
    VerdictKind kind = VerdictKind::pass;
    Violation violation;  // of every kind but pass; for a hang its story is the wait-for chain

    bool bad() const { return kind != VerdictKind::pass; }
};

}  // namespace cqfuzz
