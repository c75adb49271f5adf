#include "harness/hosting/crash_guard.hpp"

#include <signal.h>
#include <ucontext.h>

#include <array>
#include <cstddef>

#include "harness/base/check.hpp"

namespace cqfuzz::hosting {

namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
constexpr std::size_t kSignalCount = std::size(kSignals);
// The handler touches little of it; the kernel pushes the registers.
constexpr std::size_t kHandlerStackBytes = 64u << 10;
constexpr std::uintptr_t kGuardBytes = 4096;
constexpr std::uintptr_t kPointerMax = std::uintptr_t{1} << 32;

struct State {
    std::span<GuardedKernel* const> kernels;
    bool installed = false;
    bool own_stack = false;
    std::array<struct sigaction, kSignalCount> before{};
};
State state;
alignas(64) std::array<std::byte, kHandlerStackBytes> handler_stack;

// Where a signal found the processor, and how to make it go on elsewhere.
struct Registers {
    ucontext_t* context;

#if defined(__x86_64__)
    std::uintptr_t pc() const { return word(REG_RIP); }
    std::uintptr_t stack() const { return word(REG_RSP); }
    // A return address that a call into nowhere left behind.
    std::uintptr_t return_address() const {
        return *reinterpret_cast<const std::uintptr_t*>(stack());
    }
    void call(void (*function)(GuardedKernel*), GuardedKernel* kernel, std::uintptr_t on) const {
        set(REG_RIP, reinterpret_cast<std::uintptr_t>(function));
        set(REG_RDI, reinterpret_cast<std::uintptr_t>(kernel));
        set(REG_RSP, (on & ~std::uintptr_t{15}) - 8);  // as behind a call
    }

private:
    std::uintptr_t word(int which) const {
        return static_cast<std::uintptr_t>(context->uc_mcontext.gregs[which]);
    }
    void set(int which, std::uintptr_t value) const {
        context->uc_mcontext.gregs[which] = static_cast<greg_t>(value);
    }
#elif defined(__aarch64__)
    std::uintptr_t pc() const { return context->uc_mcontext.pc; }
    std::uintptr_t stack() const { return context->uc_mcontext.sp; }
    std::uintptr_t return_address() const { return context->uc_mcontext.regs[30]; }
    void call(void (*function)(GuardedKernel*), GuardedKernel* kernel, std::uintptr_t on) const {
        context->uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(function);
        context->uc_mcontext.regs[0] = reinterpret_cast<std::uintptr_t>(kernel);
        context->uc_mcontext.sp = on & ~std::uintptr_t{15};
    }
#else
#error "hosted kernels run on x86-64 and AArch64"
#endif
};

void resume(GuardedKernel* kernel) { std::longjmp(kernel->resume, 1); }

const char* text_of(int number, std::uintptr_t address) {
    switch (number) {
        case SIGFPE: return "a division by zero, or one whose result does not fit";
        case SIGILL:
        case SIGTRAP: return "a trap (__builtin_trap, or code that cannot be reached)";
        case SIGBUS: return "an access that the processor cannot make";
        default:
            return address < kPointerMax ? "a pointer outside the core's L1"
                                         : "a pointer of more than 32 bits that is no memory";
    }
}

// What the kernel did, or no text: it was somebody else.
KernelFault fault_of(const GuardedKernel& kernel, int number, std::uintptr_t address,
                     const Registers& at) {
    const MemoryRange guard{kernel.stack.begin - kGuardBytes, kernel.stack.begin};
    const std::uintptr_t pc = at.pc();
    const bool in_image = kernel.image.contains(pc);
    const bool started = kernel.stack.end != 0;
    if (started && number == SIGSEGV && guard.contains(address))
        return {"its stack is full, an endless recursion?", in_image ? pc + 1 : *kernel.latest_pc};
    // Past the instruction's first byte, where a return address would be.
    if (in_image) return {text_of(number, address), pc + 1};
    if (started && number == SIGSEGV && address == pc && kernel.stack.contains(at.stack())) {
        const std::uintptr_t caller = at.return_address();
        return {"a call of a function that is none",
                kernel.image.contains(caller) ? caller : *kernel.latest_pc};
    }
    return {};
}

// Somebody else's: as if this handler had never been there.
void pass_on(int number, const siginfo_t& info) {
    std::size_t which = 0;
    while (kSignals[which] != number) ++which;
    sigaction(number, &state.before[which], nullptr);
    // A fault happens again when the instruction does.
    const bool is_fault = info.si_code > 0 && number != SIGTRAP;
    if (!is_fault) raise(number);
}

void on_signal(int number, siginfo_t* info, void* context) {
    const Registers at{static_cast<ucontext_t*>(context)};
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (info->si_code > 0) {  // of the processor; others can be sent by anybody
        for (GuardedKernel* kernel : state.kernels) {
            const KernelFault fault = fault_of(*kernel, number, address, at);
            if (fault.text == nullptr) continue;
            kernel->fault = fault;
            // Returning restores the signal mask and leaves the handler's stack.
            at.call(&resume, kernel, kernel->resume_stack);
            return;
        }
    }
    pass_on(number, *info);
}

}  // namespace

void leave_kernel(GuardedKernel& kernel, const KernelFault& fault) {
    kernel.fault = fault;
    std::longjmp(kernel.resume, 1);
}

void CrashGuard::begin(std::span<GuardedKernel* const> kernels) {
    state.kernels = kernels;
    if (state.installed) return;
    stack_t stack{};
    CHECK(sigaltstack(nullptr, &stack) == 0, "sigaltstack");
    state.own_stack = (stack.ss_flags & SS_DISABLE) != 0;
    if (state.own_stack) {
        stack = stack_t{};
        stack.ss_sp = handler_stack.data();
        stack.ss_size = handler_stack.size();
        CHECK(sigaltstack(&stack, nullptr) == 0, "sigaltstack");
    }
    struct sigaction action {};
    action.sa_sigaction = &on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kSignalCount; ++i)
        CHECK(sigaction(kSignals[i], &action, &state.before[i]) == 0, "sigaction");
    state.installed = true;
}

void CrashGuard::end() {
    if (!state.installed) return;
    for (std::size_t i = 0; i < kSignalCount; ++i)
        sigaction(kSignals[i], &state.before[i], nullptr);
    if (state.own_stack) {
        stack_t stack{};
        stack.ss_flags = SS_DISABLE;
        sigaltstack(&stack, nullptr);
    }
    state.kernels = {};
    state.installed = false;
}

}  // namespace cqfuzz::hosting
