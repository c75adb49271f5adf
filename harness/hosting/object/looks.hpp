// Looks: what a hosted kernel has read of the words and counters that others change, and whether it
// waits. The kernel says nothing of it: a wait is told by what it reads again.
//
// Two rules. A second look at a word, with nothing but looks between, is a poll: the core gives way
// there. A loop that stores between its looks (a heartbeat) has no such second look; when one of
// its words has come again `kTurnsMax` times with the same value, the core rests.
#pragma once

#include <cstdint>

namespace cqfuzz::hosting {

// What the core does after a look.
enum class Turn : std::uint8_t {
    none,
    pause,  // so many new looks: others move first
    rest,   // until something comes, or nobody else can move: this may be a wait
};

struct Look {
    std::uint32_t address;  // or a number that no address has, of a counter
    std::uint32_t value;
};

struct Looks {
    static constexpr std::uint32_t kListMax = 4;  // a wait may look at several
    static constexpr std::uint32_t kLooksMax = 256;
    static constexpr std::uint32_t kTurnsMax = 64;

    Look list[kListMax];  // with nothing but each other between
    std::uint32_t count;
    std::uint32_t kept;   // first looks since the core last gave way
    Look again;           // one of them; address 0: none
    std::uint32_t turns;  // how often it has come again, unchanged

    void forget() { count = 0; }

    // The latest look at it; null: there was none.
    Look* before(std::uint32_t address) {
        for (std::uint32_t i = 0; i < count; ++i)
            if (list[i].address == address) return &list[i];
        return nullptr;
    }

    // A first look.
    Turn note(std::uint32_t address, std::uint32_t value) {
        if (count == kListMax) count = 0;
        list[count++] = {address, value};
        if (again.address == 0) {
            again = {address, value};
            turns = 0;
        } else if (again.address == address && again.value != value) {
            again.address = 0;
        } else if (again.address == address && ++turns == kTurnsMax) {
            kept = turns = 0;
            return Turn::rest;
        }
        if (++kept <= kLooksMax) return Turn::none;
        kept = again.address = 0;
        return Turn::pause;
    }

    // A second one. What is seen to have changed is a new first look: the wait may be over, and the
    // next look no wait.
    void note_poll(const Look& look, std::uint32_t value) {
        kept = 0;
        if (look.value != value) count = 0;
    }
};

}  // namespace cqfuzz::hosting
