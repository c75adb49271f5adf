#include "harness/report/command_listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {

namespace {

constexpr std::size_t kWordsALine = 8;

std::uint8_t byte_at(const std::vector<std::byte>& bytes, std::size_t at) {
    return at < bytes.size() ? static_cast<std::uint8_t>(bytes[at]) : std::uint8_t{0};
}

// Bytes from this command to the next; 0 when what is there is no command.
std::size_t stride_of(const std::byte* command, std::size_t left) {
    if (left < rt::kCommandBytes) return 0;
    const auto id = static_cast<rt::PrefetchId>(*command);
    if (id == rt::PrefetchId::relay_inline || id == rt::PrefetchId::relay_inline_noflush) {
        rt::RelayInline inlined;
        rt::decode(command, inlined);
        return inlined.stride;
    }
    if (id == rt::PrefetchId::relay_paged_packed) {
        rt::RelayPagedPacked packed;
        rt::decode(command, packed);
        return packed.stride;
    }
    if (id == rt::PrefetchId::relay_ringbuffer) {
        rt::RelayRingbuffer relay;
        rt::decode(command, relay);
        return relay.stride;
    }
    if (id == rt::PrefetchId::debug) {
        rt::Debug debug;
        rt::decode(command, debug);
        return debug.stride;
    }
    return id > rt::PrefetchId::illegal && id < rt::PrefetchId::kCount ? rt::kBareMinBytes : 0;
}

std::string name_at(const std::vector<std::byte>& bytes, std::size_t at) {
    const auto id = static_cast<rt::PrefetchId>(bytes[at]);
    std::string name(rt::name_of(id));
    if (id != rt::PrefetchId::relay_inline && id != rt::PrefetchId::relay_inline_noflush)
        return name;
    const auto inner = static_cast<rt::DispatchId>(byte_at(bytes, at + rt::kCommandBytes));
    if (inner > rt::DispatchId::illegal && inner < rt::DispatchId::kCount)
        name += fmt::format(" ({})", rt::name_of(inner));
    return name;
}

}  // namespace

void CommandListing::observe(const LogEntry& entry) {
    if (entry.kind != LogKind::noc_arrive || entry.noc_kind != NocKind::read ||
        entry.target != pcie_ || entry.data == nullptr)
        return;
    const std::byte* from = entry.data;
    // Reads of one fetch follow each other; bursts are joined again.
    if (!fetches_.empty() &&
        fetches_.back().offset + fetches_.back().bytes.size() == entry.source_address) {
        fetches_.back().bytes.insert(fetches_.back().bytes.end(), from, from + entry.length);
        return;
    }
    fetches_.push_back({entry.step, entry.source_address, {from, from + entry.length}});
}

std::string CommandListing::text() const {
    std::string out =
        "# Words of the issue queue as they were fetched, little endian, in hexadecimal.\n";
    for (const Fetch& fetch : fetches_) {
        out += fmt::format("# fetch at step {}, hugepage offset {:#x}, {} bytes\n", fetch.step,
                           fetch.offset, fetch.bytes.size());
        std::size_t at = 0;
        while (at < fetch.bytes.size()) {
            std::size_t stride = stride_of(fetch.bytes.data() + at, fetch.bytes.size() - at);
            if (stride != 0) out += fmt::format("# {}\n", name_at(fetch.bytes, at));
            if (stride == 0) stride = fetch.bytes.size() - at;  // padding, or a command's rest
            const std::size_t end = std::min(fetch.bytes.size(), at + stride);
            for (std::size_t word = 0; at < end; at += 4, ++word) {
                std::uint32_t value = 0;
                std::memcpy(&value, fetch.bytes.data() + at, std::min<std::size_t>(4, end - at));
                out += fmt::format("{}{:08x}",
                                   word % kWordsALine != 0 ? " "
                                   : word == 0             ? ""
                                                           : "\n",
                                   value);
            }
            out += "\n";
        }
    }
    return out;
}

}  // namespace cqfuzz
