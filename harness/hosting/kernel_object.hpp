// KernelObject: an instance of a kernel's shared object in this process: its statics, which are its
// own however often the object is loaded, and which are what they were after loading before every
// run; its edges, and where it was when something happened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/hosting/abi.hpp"
#include "harness/hosting/crash_guard.hpp"

namespace cqfuzz::hosting {

class KernelObject {
public:
    static Result<std::unique_ptr<KernelObject>> load(const std::string& path);
    ~KernelObject();
    KernelObject(const KernelObject&) = delete;
    KernelObject& operator=(const KernelObject&) = delete;

    // Writable data back to what it was after loading: a kernel begins with fresh statics.
    void restore();
    // On the core's fiber; returns when the kernel does, or what it did wrong. The part of the Abi
    // that is the object's and the fiber's is filled in here.
    KernelFault run(Abi& abi);
    GuardedKernel& guarded() { return guarded_; }
    std::uint32_t edges() const { return state_->edges; }
    // "late_dispatch.cpp:123 in send_payload", of the latest access or call, or of `pc`; empty
    // when its code has no line.
    std::string place() const { return place_of(state_->pc); }
    std::string place_of(std::uintptr_t pc) const;
    // False: a place was asked for, and there is no addr2line, nor what could stand in for it.
    bool lines_known() const { return lines_known_; }

private:
    struct Area {
        std::byte* base = nullptr;
        std::vector<std::byte> saved;
    };

    KernelObject() = default;
    void find_segments();
    bool ask(const char* command, std::uintptr_t offset, std::string& place) const;

    std::string path_;
    void* handle_ = nullptr;
    std::uintptr_t base_ = 0;
    void (*run_)(const Abi*) = nullptr;
    const ObjectState* state_ = nullptr;
    std::vector<Area> areas_;
    MemoryRange statics_;
    GuardedKernel guarded_;
    mutable bool lines_known_ = true;
    mutable std::map<std::uintptr_t, std::string> places_;  // asked for so far
};

}  // namespace cqfuzz::hosting
