// Fibers: the stacks that firmware runs on, and the switch between them.
//
// Stacks are mapped once, each between guard pages, and reused over runs. A fiber that is never
// resumed again is simply forgotten: frames of firmware own nothing that needs a destructor (design
// §8).
//
// Invariants:
//  1. A switch is announced to AddressSanitizer on both sides; the last one of a finished fiber
//  frees its fake stack.
//  2. All stacks are root regions of LeakSanitizer: what only a sleeping fiber points to is no
//  leak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/silicon/sanitizer.hpp"

namespace cqfuzz {

// Oracles run on the stack of whoever caused the event and may format a story there. Sanitizer
// builds have larger frames.
inline constexpr std::size_t kFiberStackBytes = kAddressSanitizer ? 256u << 10 : 128u << 10;

using FiberMain = void (*)();

struct Fiber {
    void* context = nullptr;  // where it sleeps
    FiberMain main = nullptr;
    const void* stack_bottom = nullptr;
    std::size_t stack_bytes = 0;
    void* fake_stack = nullptr;
    bool finished = false;
};

// Sleeps in `from` and wakes `to`; returns when somebody switches back to `from`.
void switch_fiber(Fiber& from, Fiber& to);

class FiberStacks {
public:
    FiberStacks() = default;
    ~FiberStacks();
    FiberStacks(const FiberStacks&) = delete;
    FiberStacks& operator=(const FiberStacks&) = delete;

    // A fiber on stack number `index` that will begin with `main`, which must never return.
    // Whatever slept there is forgotten.
    void prepare(Fiber& fiber, std::uint32_t index, FiberMain main);

private:
    struct Stack {
        std::byte* bottom = nullptr;  // first usable byte, behind the guard page
    };
    std::vector<Stack> stacks_;
};

}  // namespace cqfuzz
