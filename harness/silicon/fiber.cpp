#include "harness/silicon/fiber.hpp"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cerrno>

#include "harness/base/check.hpp"

#if CQFUZZ_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace cqfuzz {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t kGuardBytes = 4096;

void announce_switch([[maybe_unused]] Fiber& from, [[maybe_unused]] const Fiber& to) {
#if CQFUZZ_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(from.finished ? nullptr : &from.fake_stack, to.stack_bottom,
                                   to.stack_bytes);
#endif
}

// `previous` is who switched here; the caller's own stack gets its bounds this way.
void confirm_switch([[maybe_unused]] void* fake_stack, [[maybe_unused]] Fiber& previous) {
#if CQFUZZ_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(fake_stack, &previous.stack_bottom, &previous.stack_bytes);
#endif
}

// What a switch hands over; it lives in the frame of the one who sleeps.
struct Switch {
    Fiber* from;
    Fiber* to;
};

void begin(context::transfer_t transfer) {
    const Switch handed = *static_cast<const Switch*>(transfer.data);
    handed.from->context = transfer.fctx;
    confirm_switch(nullptr, *handed.from);
    handed.to->main();
    CHECK(false, "the main function of a fiber returned");
}

}  // namespace

void switch_fiber(Fiber& from, Fiber& to) {
    Switch handed{&from, &to};
    announce_switch(from, to);
    const context::transfer_t transfer = context::jump_fcontext(to.context, &handed);
    Fiber& previous = *static_cast<const Switch*>(transfer.data)->from;
    previous.context = transfer.fctx;
    confirm_switch(from.fake_stack, previous);
}

FiberStacks::~FiberStacks() {
    for (const Stack& stack : stacks_) {
        if (stack.bottom == nullptr) continue;
#if CQFUZZ_ADDRESS_SANITIZER
        __lsan_unregister_root_region(stack.bottom, kFiberStackBytes);
        ASAN_UNPOISON_MEMORY_REGION(stack.bottom, kFiberStackBytes);
#endif
        ::munmap(stack.bottom - kGuardBytes, kFiberStackBytes + kGuardBytes);
    }
}

void FiberStacks::prepare(Fiber& fiber, std::uint32_t index, FiberMain main) {
    if (index >= stacks_.size()) stacks_.resize(index + 1);
    Stack& stack = stacks_[index];
    if (stack.bottom == nullptr) {
        void* mapped = ::mmap(nullptr, kFiberStackBytes + kGuardBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        CHECK(mapped != MAP_FAILED, "no address space for a fiber's stack (errno %d)", errno);
        CHECK(::mprotect(mapped, kGuardBytes, PROT_NONE) == 0, "a fiber's guard page (errno %d)",
              errno);
        stack.bottom = static_cast<std::byte*>(mapped) + kGuardBytes;
#if CQFUZZ_ADDRESS_SANITIZER
        __lsan_register_root_region(stack.bottom, kFiberStackBytes);
#endif
    }
#if CQFUZZ_ADDRESS_SANITIZER
    // Frames of a fiber that was forgotten in the middle of something leave their redzones behind.
    ASAN_UNPOISON_MEMORY_REGION(stack.bottom, kFiberStackBytes);
#endif
    fiber = Fiber{};
    fiber.stack_bottom = stack.bottom;
    fiber.stack_bytes = kFiberStackBytes;
    fiber.main = main;
    fiber.context =
        context::make_fcontext(stack.bottom + kFiberStackBytes, kFiberStackBytes, begin);
}

}  // namespace cqfuzz
