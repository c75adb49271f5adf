// The signature of a violation: what is left of it when everything is taken away that a scenario
// chooses: which of equal actors, which queue, which chip, which of the commands that run the same
// code, and how late the same mistake is noticed.
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "harness/base/violation.hpp"

namespace cqfuzz {

namespace {

struct Renamed {
    std::string_view from, to;
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string with_words_renamed(std::string text, const Renamed& renamed) {
    for (std::size_t at = 0; (at = text.find(renamed.from, at)) != std::string::npos;) {
        const std::size_t end = at + renamed.from.size();
        const bool whole =
            (at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]));
        if (whole) text.replace(at, renamed.from.size(), renamed.to);
        at += whole ? renamed.to.size() : 1;
    }
    return text;
}

// "chip 1 ", "cq1 ", "[0]", and the number of a NoC.
std::string without_numbers(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = i == 0 || !in_word(text[i - 1]);
        for (const std::string_view prefix : {"chip ", "cq", "NoC ", "["}) {
            std::size_t end = i + prefix.size();
            if (!(begins || prefix == "[") || text.compare(i, prefix.size(), prefix) != 0) continue;
            const std::size_t digits = end;
            while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
                ++end;
            if (end == digits) continue;
            const char behind = end < text.size() ? text[end] : '\0';
            if (prefix == "NoC ") {
                out += "NoC";
                i = end;
            } else if (behind == (prefix == "[" ? ']' : ' ')) {
                i = end + 1;
            }
        }
        if (i < text.size()) out += text[i];
    }
    return out;
}

// Merged and split actors, both ends of a tunnel, and both kinds of core run the same firmware.
constexpr std::array kSameActor = {
    Renamed{"prefetch_hd", "prefetch"},
    Renamed{"prefetch_h", "prefetch"},
    Renamed{"prefetch_d", "prefetch"},
    Renamed{"dispatch_hd", "dispatch"},
    Renamed{"dispatch_h", "dispatch"},
    Renamed{"dispatch_d", "dispatch"},
    Renamed{"mux_d", "mux"},
    Renamed{"demux_d", "demux"},
    Renamed{"tunneler_d", "tunneler"},
    Renamed{"tunneler.in", "tunnel"},
    Renamed{"tunneler.out", "tunnel"},
    Renamed{"ethernet", "worker"},
};

// The same mistake, noticed at another of its steps, or in another part of what it spoils.
constexpr std::array kSameMistake = {
    Renamed{"page-ownership/used-after-release", "page-ownership/released-too-early"},
    Renamed{"page-ownership/hand-over-without-data", "page-ownership/filled-without-credit"},
    Renamed{"golden-memory/changed-while-running", "golden-memory/wrong-at-go"},
    Renamed{"golden-memory/wrong-read-back", "golden-memory/wrong-completion"},
    Renamed{"runtime args", "program"},
    Renamed{"kernel binary", "program"},
};

// Commands that run the same code of the prefetcher, or that the dispatcher sends on to the host.
constexpr std::array kSameCode = {
    Renamed{"RELAY_INLINE_NOFLUSH", "RELAY_INLINE"},
    Renamed{"RELAY_LINEAR", "RELAY"},
    Renamed{"RELAY_PAGED", "RELAY"},
    Renamed{"RELAY_PAGED_PACKED", "RELAY"},
    Renamed{"RELAY_RINGBUFFER", "RELAY"},
    Renamed{"WRITE_LINEAR_H", "TO_HOST"},
    Renamed{"WRITE_LINEAR_H_HOST", "TO_HOST"},
    Renamed{"EXEC_BUF_END", "TO_HOST"},
    Renamed{"TERMINATE", "TO_HOST"},
};

// Noticed when some later command counts, waits or fetches, whichever that is, or made by what all
// commands share.
constexpr std::array<std::string_view, 8> kAtAnyCommand = {"hang",
                                                           "firmware-asserts/failed",
                                                           "noc-rules/wrong-receiver-count",
                                                           "page-ownership/conservation",
                                                           "page-ownership/credit-return",
                                                           "page-ownership/hand-over-before-data",
                                                           "page-ownership/overwritten-while-owned",
                                                           "page-ownership/read-before-ready"};

template <std::size_t kCount>
std::string renamed(std::string text, const std::array<Renamed, kCount>& names) {
    for (const Renamed& name : names) text = with_words_renamed(std::move(text), name);
    return text;
}

}  // namespace

std::string Violation::signature() const {
    // To whoever fills it, the ring in front of a tunnel is the one behind it.
    std::string ring = place;
    if (actor.find("mux") == std::string::npos) {
        ring = with_words_renamed(ring, {"mux.in", "prefetch_d.cmddat_q"});
        ring = with_words_renamed(ring, {"mux_d.in", "dispatch_h.cb"});
    }
    const std::string where = renamed(without_numbers(ring + "|" + actor), kSameActor);
    std::string out = renamed(property + "|" + where, kSameMistake) + "|";
    for (const std::string_view any : kAtAnyCommand)
        if (property == any) return out;
    return out + renamed(command, kSameCode);
}

}  // namespace cqfuzz
