// ConfigArrivals: what each core's kernel-config ring has received between two go words, so that a
// program that went to 64 cores by multicast is compared once and not 64 times.
//
// A multicast delivers one payload to all its receivers. So if two cores received the same
// multicasts in the same order, the bytes that these cover are equal on both, save where something
// else was written on one of them. And what came to one core alone is named by its bytes as they
// arrive: they are at hand then, while later they are spread over 64 memories.
//
// What is written before a go arrives is the *closed* window when the core sees that go; the next
// program's bytes may be arriving by then, in the *open* one.
//
// Invariant: every change of the ring's bytes is told here, as a multicast or as a change of one
// core alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cqfuzz {

// A number that depends on both. Numbers made by mixing are taken never to meet by chance.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Names bytes: equal bytes, equal name.
std::uint64_t name_of_bytes(const void* bytes, std::size_t length);

inline constexpr std::uint64_t kNoName = 0;

class ConfigArrivals {
public:
    void reset(std::uint32_t cores);

    // Bytes [begin, end) of the ring of `core` now hold what multicast `transaction` brought.
    void multicast(std::uint32_t core, std::uint32_t begin, std::uint32_t end,
                   std::uint32_t transaction) {
        Window& open = cores_[core].open();
        open.history = mixed(open.history, std::uint64_t{transaction} << 32 | begin);
        open.multicasts.add({begin, end, kNoName});
    }
    // … or something that no other core got: a unicast, a store; `name` of its bytes if they are
    // known.
    void alone(std::uint32_t core, std::uint32_t begin, std::uint32_t end, std::uint64_t name) {
        cores_[core].open().alone.add({begin, end, name});
    }
    // A go word arrives: what follows is for the next program.
    void close(std::uint32_t core) {
        cores_[core].newest ^= 1;
        cores_[core].open().clear();
    }

    // Names the multicasts of the closed window, and their order.
    std::uint64_t history(std::uint32_t core) const { return cores_[core].closed().history; }
    // Did those multicasts write every byte of [begin, end)?
    bool covers(std::uint32_t core, std::uint32_t begin, std::uint32_t end) const;
    // Was any byte of [begin, end) changed on this core alone since, or by anybody since the go?
    bool differs_in(std::uint32_t core, std::uint32_t begin, std::uint32_t end) const;
    // The name of exactly the bytes [begin, end), if they came to this core alone, in one piece, in
    // the closed window, and are as they came.
    std::uint64_t name_alone(std::uint32_t core, std::uint32_t begin, std::uint32_t end) const;

private:
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint64_t name = kNoName;
        bool meets(std::uint32_t from, std::uint32_t to) const { return begin < to && from < end; }
    };
    template <std::uint32_t kMax>
    struct Ranges {
        std::uint32_t count = 0;  // kMax + 1: there were more than are kept
        std::array<Range, kMax> kept;

        void add(const Range& range) {
            if (count < kMax) kept[count] = range;
            count = count < kMax ? count + 1 : kMax + 1;
        }
        bool complete() const { return count <= kMax; }
        bool meet(std::uint32_t begin, std::uint32_t end) const {
            if (!complete()) return true;
            for (std::uint32_t i = 0; i < count; ++i)
                if (kept[i].meets(begin, end)) return true;
            return false;
        }
    };
    struct Window {
        std::uint64_t history = 0;
        Ranges<64> multicasts;
        Ranges<16> alone;

        void clear() { history = 0, multicasts.count = alone.count = 0; }
        bool meets(std::uint32_t begin, std::uint32_t end) const {
            return multicasts.meet(begin, end) || alone.meet(begin, end);
        }
    };
    struct Core {
        std::array<Window, 2> windows;
        std::uint8_t newest = 0;

        Window& open() { return windows[newest]; }
        const Window& open() const { return windows[newest]; }
        const Window& closed() const { return windows[newest ^ 1]; }
    };
    std::vector<Core> cores_;
};

}  // namespace cqfuzz
