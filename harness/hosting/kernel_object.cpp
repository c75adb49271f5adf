#include "harness/hosting/kernel_object.hpp"

#include <dlfcn.h>
#include <fmt/core.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "harness/silicon/running_core.hpp"

namespace cqfuzz::hosting {

namespace {

struct Search {
    std::uintptr_t base = 0;
    MemoryRange image;
    std::vector<MemoryRange> writable;
};

void include(MemoryRange& range, const MemoryRange& more) {
    if (range.end == 0) range = more;
    range = {std::min(range.begin, more.begin), std::max(range.end, more.end)};
}

// All segments, and those that stay writable after relocation; of those, what is read-only by then
// is left out.
int collect(dl_phdr_info* info, std::size_t, void* context) {
    Search& search = *static_cast<Search*>(context);
    if (info->dlpi_addr != search.base) return 0;
    std::uintptr_t fixed_begin = 0, fixed_end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_GNU_RELRO) continue;
        fixed_begin = info->dlpi_addr + segment.p_vaddr;
        fixed_end = fixed_begin + segment.p_memsz;
    }
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
        const std::uintptr_t end = begin + segment.p_memsz;
        include(search.image, {begin, end});
        if ((segment.p_flags & PF_W) == 0) continue;
        if (begin >= fixed_begin && begin < fixed_end) begin = fixed_end;
        if (begin < end) search.writable.push_back({begin, end});
    }
    return 1;
}

// The shell's words of a path: nothing in it is special inside single quotes but the quote.
std::string quoted(const std::string& path) {
    std::string out = "'";
    for (const char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// The loader takes a file that it has loaded for the one it has: of each object as many files as
// there are instances, which are unlinked once they are loaded.
std::string private_copy(const std::string& path) {
    static std::uint32_t instances = 0;
    std::string copy = fmt::format("{}.{}.{}", path, getpid(), ++instances);
    std::error_code error;  // told by the loader: there is no such file
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing,
                               error);
    return copy;
}

constexpr std::size_t kOwnFrameBytesMax = 4096;

constexpr int kNoSuchCommand = 127;  // the shell's
constexpr std::string_view kApiHeaders[] = {
    "dataflow_api.h:", "noc_registers.h:", "noc_nonblocking_api.h:",
    "interleaved.h:",  "cq_noc.h:",        "noc_overlay_parameters.h:"};

bool is_of_api(std::string_view place) {
    return std::any_of(std::begin(kApiHeaders), std::end(kApiHeaders), [&](std::string_view name) {
        return place.compare(0, name.size(), name) == 0;
    });
}

// " (inlined by) give_back(unsigned int) at kernel.cpp:70" as "kernel.cpp:70 in give_back"; empty
// when the line is not known.
std::string place_in(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    constexpr std::string_view kInlined = " (inlined by) ";
    if (text.compare(0, kInlined.size(), kInlined) == 0) text.erase(0, kInlined.size());
    const std::size_t at = text.rfind(" at ");
    if (at == std::string::npos || text.find(":?", at) != std::string::npos) return "";
    const std::string function = text.substr(0, std::min(at, text.find('(')));
    return text.substr(at + 4) + " in " + function;
}

}  // namespace

Result<std::unique_ptr<KernelObject>> KernelObject::load(const std::string& path) {
    std::unique_ptr<KernelObject> object(new KernelObject);
    object->path_ = path;
    const std::string copy = private_copy(path);
    object->handle_ = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    const std::string mistake = object->handle_ == nullptr ? dlerror() : "";
    unlink(copy.c_str());
    if (object->handle_ == nullptr) return Error{mistake};
    object->run_ = reinterpret_cast<void (*)(const Abi*)>(dlsym(object->handle_, kObjectRunSymbol));
    const auto state =
        reinterpret_cast<const ObjectState* (*)()>(dlsym(object->handle_, kObjectStateSymbol));
    if (object->run_ == nullptr || state == nullptr)
        return Error{path + ": is no object of cqfuzz host build"};
    object->state_ = state();
    if (object->state_->version != kAbiVersion)
        return Error{path + ": is of another version of cqfuzz than this one (--sdk)"};
    link_map* map = nullptr;
    dlinfo(object->handle_, RTLD_DI_LINKMAP, &map);
    object->base_ = map->l_addr;
    object->find_segments();
    object->guarded_.latest_pc = &object->state_->pc;
    return object;
}

KernelObject::~KernelObject() {
    if (handle_ != nullptr) dlclose(handle_);
}

void KernelObject::find_segments() {
    Search search;
    search.base = base_;
    dl_iterate_phdr(&collect, &search);
    guarded_.image = search.image;
    for (const MemoryRange& range : search.writable) {
        include(statics_, range);
        auto* const begin = reinterpret_cast<std::byte*>(range.begin);
        areas_.push_back({begin, std::vector<std::byte>(begin, begin + (range.end - range.begin))});
    }
}

void KernelObject::restore() {
    for (const Area& area : areas_) std::memcpy(area.base, area.saved.data(), area.saved.size());
    guarded_.stack = {};
}

KernelFault KernelObject::run(Abi& abi) {
    const auto range_of = [](std::span<const std::byte> bytes) {
        const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
        return MemoryRange{begin, begin + bytes.size()};
    };
    const RunningCore core = running_core();
    const MemoryRange counters = range_of(core.counters);
    guarded_.stack = range_of(core.stack);
    // Far enough below this frame for what it still needs.
    guarded_.resume_stack =
        reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - kOwnFrameBytesMax;
    guarded_.fault = {};
    abi.image[0] = guarded_.image.begin;
    abi.image[1] = guarded_.image.end;
    abi.statics[0] = statics_.begin;
    abi.statics[1] = statics_.end;
    abi.stack_bottom = guarded_.stack.begin;
    abi.counters[0] = counters.begin;
    abi.counters[1] = counters.end;
    abi.self = &guarded_;
    if (setjmp(guarded_.resume) == 0) {
        run_(&abi);
        return {};
    }
    return guarded_.fault;
}

// What `command` says of the place, and whether there is such a command.
bool KernelObject::ask(const char* command, std::uintptr_t offset, std::string& place) const {
    const std::string line = fmt::format("{} {} {:#x} 2>/dev/null", command, quoted(path_), offset);
    std::FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) return false;
    // Inlined frames follow, the innermost first; the kernel's own line is the first that is not in
    // the API's headers.
    std::array<char, 512> text{};
    bool is_own = false;
    while (std::fgets(text.data(), text.size(), pipe) != nullptr) {
        const std::string found = place_in(text.data());
        if (found.empty() || is_own) continue;
        is_own = !is_of_api(found);
        if (is_own || place.empty()) place = found;
    }
    const int status = pclose(pipe);
    return WIFEXITED(status) && WEXITSTATUS(status) != kNoSuchCommand;
}

std::string KernelObject::place_of(std::uintptr_t pc) const {
    if (!guarded_.image.contains(pc)) return "";
    const auto known = places_.find(pc);
    if (known != places_.end()) return known->second;
    // One before the return address: inside the instruction that called.
    const std::uintptr_t offset = pc - base_ - 1;
    std::string place;
    lines_known_ = ask("addr2line -Cfpsie", offset, place) ||
                   ask("llvm-symbolizer --output-style=GNU -C -f -p -s -i -e", offset, place);
    if (!lines_known_)
        place =
            fmt::format("{:#x} of {}", offset, std::filesystem::path(path_).filename().string());
    return places_[pc] = place;
}

}  // namespace cqfuzz::hosting
