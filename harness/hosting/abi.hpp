// Abi: what a kernel's shared object and the tool know of each other. The object reaches the core
// it runs on through this table alone, so it needs no symbol of the tool, and neither sees the
// other's C++ library.
//
// Compiled into both sides; kAbiVersion is raised with every change.
#pragma once

#include <cstdint>

#include "harness/device_api/core_port.hpp"

namespace cqfuzz::hosting {

inline constexpr std::uint32_t kAbiVersion = 3;
inline constexpr std::uint32_t kEdgesMax = 1u << 16;

struct Abi {
    // The core's own L1, as its addresses in the kernel's pointers.
    std::uint32_t l1_base = 0;
    std::uint32_t l1_bytes = 0;
    // Branches that a kernel may take between two calls of the table: past it the kernel loops.
    std::uint32_t edge_budget = 0;
    std::uint8_t* edges = nullptr;  // kEdgesMax hit counts
    // What a kernel may touch besides L1: its constants, its statics, its stack above the frame of
    // whoever looks, the core's software counters. [begin, end)
    std::uintptr_t image[2] = {};
    std::uintptr_t statics[2] = {};
    std::uintptr_t stack_bottom = 0;
    std::uintptr_t counters[2] = {};

    // The port of harness/device_api/core_port.hpp, function by function.
    void (*register_write)(std::uint32_t, std::uint32_t, device::Register, std::uint32_t) = nullptr;
    std::uint32_t (*register_read)(std::uint32_t, std::uint32_t, device::Register) = nullptr;
    void (*wait_command_buffer_ready)(std::uint32_t, std::uint32_t) = nullptr;
    void (*noc_send)(std::uint32_t, std::uint32_t) = nullptr;
    void (*note_receivers)(std::uint32_t, std::uint32_t, std::uint32_t) = nullptr;
    std::uint32_t (*poll_hardware_counter)(std::uint32_t, device::HardwareCounter) = nullptr;
    std::uint32_t (*read_hardware_counter)(std::uint32_t, device::HardwareCounter) = nullptr;
    std::uint32_t& (*software_counter)(std::uint32_t, device::SoftwareCounter) = nullptr;
    std::uint32_t (*poll_l1)(std::uint32_t) = nullptr;
    std::uint16_t (*poll_l1_u16)(std::uint32_t) = nullptr;
    void (*l1_load)(std::uint32_t, void*, std::uint32_t) = nullptr;
    void (*l1_store)(std::uint32_t, const void*, std::uint32_t) = nullptr;
    void (*l1_will_store)(std::uint32_t, std::uint32_t) = nullptr;
    std::uint32_t (*my_x)() = nullptr;
    std::uint32_t (*my_y)() = nullptr;
    void (*pause)() = nullptr;
    void (*rest)() = nullptr;
    void (*waypoint)(const char*) = nullptr;
    void (*command_begin)(std::uint32_t, std::uint32_t) = nullptr;
    void (*command_end)(std::uint32_t) = nullptr;
    // After loads of one byte of L1, by kernels that do not tell their commands.
    void (*byte_loaded)(void* commands, const void* at) = nullptr;
    void* commands = nullptr;
    // Ends the run; `text` says what the kernel did, `pc` where (0: unknown). Does not return.
    void (*kernel_fault)(void* self, const char* text, std::uintptr_t pc) = nullptr;
    void* self = nullptr;  // which kernel this is, for kernel_fault
};

// What an object exports.
struct ObjectState {
    std::uint32_t version = kAbiVersion;
    std::uintptr_t pc = 0;    // the kernel's latest access or call
    std::uint32_t edges = 0;  // instrumented branches of the object
};
inline constexpr const char* kObjectRunSymbol = "cqfuzz_object_run";      // void(const Abi*)
inline constexpr const char* kObjectStateSymbol = "cqfuzz_object_state";  // const ObjectState*()

}  // namespace cqfuzz::hosting
