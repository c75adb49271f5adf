// print: a command as one line a person reads.
#include <fmt/core.h>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

std::string text_of(const CoreRange& cores) {
    return cores.x0 == cores.x1 && cores.y0 == cores.y1
               ? fmt::format("({}, {})", cores.x0, cores.y0)
               : fmt::format("({}, {}) to ({}, {})", cores.x0, cores.y0, cores.x1, cores.y1);
}

std::string text_of(const Destination& to, bool multicast) {
    switch (to.memory) {
        case MemoryKind::ethernet:
            return fmt::format("ethernet core {} at {}", to.cores.x0, to.offset);
        case MemoryKind::dram: return fmt::format("DRAM bank {} at {}", to.cores.x0, to.offset);
        case MemoryKind::worker: break;
    }
    const CoreRange first{to.cores.x0, to.cores.y0, to.cores.x0, to.cores.y0};
    return fmt::format("worker {} at {}", text_of(multicast ? to.cores : first), to.offset);
}

std::string text_of(const Source& from) {
    switch (from.feed) {
        case Feed::in_line: return "in line";
        case Feed::linear: return fmt::format("linear from {}", from.start);
        case Feed::paged:
            return fmt::format("from {} pages of {}, from page {} on",
                               from.on_workers ? "L1" : "DRAM", from.page_size, from.start);
        case Feed::packed:
            return fmt::format("packed in {} parts of pages of {}", from.parts,
                               1u << from.log_page);
        case Feed::cache: return fmt::format("from the cache in {} parts", from.parts);
    }
    return "?";
}

std::string text_of(const CommandWriteLinear& c) {
    return fmt::format("write {} bytes {}to {}, {}{}", c.length, c.multicast ? "multicast " : "",
                       text_of(c.to, c.multicast), text_of(c.from),
                       c.from_host_side ? ", by the host side" : "");
}
std::string text_of(const CommandWritePaged& c) {
    return fmt::format("write {} pages of {} to {}, from page {} on, {}", c.pages, c.page_size,
                       c.on_workers ? "L1" : "DRAM", c.start_page, text_of(c.from));
}
std::string text_of(const CommandWritePacked& c) {
    return fmt::format("write packed {} x {} bytes {}to {}{}", c.count, c.size,
                       c.multicast ? "multicast " : "", text_of(c.to, true),
                       c.shared_payload ? ", one payload for all" : "");
}
std::string text_of(const CommandWriteLarge& c) {
    return fmt::format("write packed large, {} parts aligned to {}, {}", c.parts.size(),
                       c.alignment, text_of(c.from));
}
std::string text_of(const CommandWriteHost& c) {
    return fmt::format("write {} bytes to the host, {}", c.length, text_of(c.from));
}
std::string text_of(const CommandWait& c) {
    std::string text = "wait:";
    if (c.barrier) text += " barrier";
    if (c.wait) text += c.behind == 0 ? " all" : fmt::format(" all but {}", c.behind);
    if (c.clear) text += " clear";
    if (c.notify) text += " notify and stall";
    return text;
}
std::string text_of(const CommandDelay& c) { return fmt::format("delay {}", c.iterations); }
std::string text_of(const CommandDispatchDebug& c) {
    return fmt::format("debug of the dispatcher, {} words", c.words);
}
std::string text_of(const CommandPrefetchDebug& c) {
    return fmt::format("debug of the prefetcher, {} words", c.words);
}
std::string text_of(const CommandSetWriteOffset& c) {
    return fmt::format("set write offsets {}, {}, {}", c.offset0, c.offset1, c.offset2);
}
std::string text_of(const CommandGoTable& c) {
    return c.by_rows ? "go table by rows" : "go table of the grid";
}
std::string text_of(const CommandGo& c) {
    return fmt::format("go to {} and {} ethernet cores", c.workers ? "all workers" : "no worker",
                       c.ethernet);
}
std::string text_of(const CommandBare& c) {
    switch (c.command) {
        case BareKind::sink: return "sink";
        case BareKind::go: return "the go command that does nothing";
        case BareKind::num_worker_sems: return fmt::format("set number of semaphores {}", c.value);
    }
    return "?";
}
std::string text_of(const CommandCacheLoad& c) {
    return fmt::format("load {} bytes into the cache{}{}", c.length, c.reset ? " at its start" : "",
                       c.keep ? ", pointer kept" : "");
}
std::string text_of(const CommandCacheOffset& c) {
    return fmt::format("cache offset {}", c.offset);
}
std::string text_of(const CommandExecBuf& c) { return fmt::format("run body {}", c.body); }
std::string text_of(const CommandSubmit&) { return "submit"; }
std::string text_of(const CommandReadCompletions&) { return "read completions"; }
std::string text_of(const CommandCorrupt& c) {
    return fmt::format("corrupt the next one: word {} of {} {} {:#x}", c.at,
                       EnumNames<CorruptPlace>::names[static_cast<std::size_t>(c.place)],
                       c.replace ? "becomes" : "xor", c.value);
}

}  // namespace

std::string print(const Command& command, std::uint32_t index) {
    return std::visit(
        [index](const auto& kind) { return fmt::format("op {}: {}", index, text_of(kind)); },
        command);
}

}  // namespace cqfuzz
