// CrashGuard: what the processor stops a hosted kernel for (a wild pointer, a full stack, a trap)
// becomes the kernel's fault, and the tool goes on.
//
// A signal that the kernel caused resumes the fiber in KernelObject::run, at the bottom of the
// kernel's stack: whatever the kernel had there is forgotten. Every other signal goes to whoever
// handled it before (a sanitizer, a debugger, the default).
//
// The kernel caused it when the instruction lies in its object, when its stack ran into the guard
// page, or when it jumped to where no code is. A crash of the tool's own code on the kernel's fiber
// stays a crash.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <span>

namespace cqfuzz::hosting {

struct MemoryRange {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    bool contains(std::uintptr_t address) const { return address - begin < end - begin; }
};

// What ended a kernel before it returned.
struct KernelFault {
    const char* text = nullptr;  // null: it returned
    std::uintptr_t pc = 0;       // a return address behind the place; 0: unknown
};

// A kernel that may be on a fiber now.
struct GuardedKernel {
    MemoryRange image;  // of its object
    MemoryRange stack;  // of its fiber; empty while it has not started
    std::uintptr_t resume_stack = 0;
    std::jmp_buf resume;
    const std::uintptr_t* latest_pc = nullptr;  // of its latest access or call
    KernelFault fault;
};

// Back to KernelObject::run. REQUIRES: the kernel's fiber.
[[noreturn]] void leave_kernel(GuardedKernel& kernel, const KernelFault& fault);

// Takes the signals of processor faults, for this thread's runs, until `end`. The kernels outlive
// that. A second begin replaces the kernels of the first.
class CrashGuard {
public:
    static void begin(std::span<GuardedKernel* const> kernels);
    static void end();
};

}  // namespace cqfuzz::hosting
