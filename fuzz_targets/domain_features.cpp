#include "fuzz_targets/domain_features.hpp"

#include "harness/run/reach.hpp"

namespace {

[[gnu::used,
  gnu::section("__libfuzzer_extra_counters")]] std::uint8_t extra_counters[cqfuzz::kReachFeatures];

// Centipede: a word per feature, its domain above bit 32; 0 is none.
constexpr std::uint64_t kUserDomain = 1ull << 32;
[[gnu::used,
  gnu::section("__centipede_extra_features")]] std::uint64_t user_features[cqfuzz::kReachFeatures];

#if CQFUZZ_DOMAIN_EDGES
// An empty case is folded into its neighbours; one with an instruction stream of its own is not.
#define CQFUZZ_EDGE(n)                 \
    case (n):                          \
        asm volatile("# %0" ::"i"(n)); \
        break;
#define CQFUZZ_EDGES_8(n)                                                               \
    CQFUZZ_EDGE(n)                                                                      \
    CQFUZZ_EDGE((n) + 1)                                                                \
    CQFUZZ_EDGE((n) + 2) CQFUZZ_EDGE((n) + 3) CQFUZZ_EDGE((n) + 4) CQFUZZ_EDGE((n) + 5) \
        CQFUZZ_EDGE((n) + 6) CQFUZZ_EDGE((n) + 7)
#define CQFUZZ_EDGES_64(n)                                                     \
    CQFUZZ_EDGES_8(n)                                                          \
    CQFUZZ_EDGES_8((n) + 8)                                                    \
    CQFUZZ_EDGES_8((n) + 16) CQFUZZ_EDGES_8((n) + 24) CQFUZZ_EDGES_8((n) + 32) \
        CQFUZZ_EDGES_8((n) + 40) CQFUZZ_EDGES_8((n) + 48) CQFUZZ_EDGES_8((n) + 56)
#define CQFUZZ_EDGES_512(n)                                                          \
    CQFUZZ_EDGES_64(n)                                                               \
    CQFUZZ_EDGES_64((n) + 64)                                                        \
    CQFUZZ_EDGES_64((n) + 128) CQFUZZ_EDGES_64((n) + 192) CQFUZZ_EDGES_64((n) + 256) \
        CQFUZZ_EDGES_64((n) + 320) CQFUZZ_EDGES_64((n) + 384) CQFUZZ_EDGES_64((n) + 448)

static_assert(cqfuzz::kReachFeatures <= 4096, "the switch below has a case for each feature");

[[gnu::noinline]] void edge_of(std::uint16_t feature) {
    switch (feature) {
        CQFUZZ_EDGES_512(0)
        CQFUZZ_EDGES_512(512)
        CQFUZZ_EDGES_512(1024)
        CQFUZZ_EDGES_512(1536)
        CQFUZZ_EDGES_512(2048)
        CQFUZZ_EDGES_512(2560)
        CQFUZZ_EDGES_512(3072)
        CQFUZZ_EDGES_512(3584)
        default: break;
    }
}
#else
void edge_of(std::uint16_t) {}
#endif

}  // namespace

namespace cqfuzz::target {

void note_domain_features(std::span<const std::uint16_t> features) {
    for (const std::uint16_t feature : features) {
        extra_counters[feature] = 1;
        user_features[feature] = kUserDomain | feature;
        edge_of(feature);
    }
}

}  // namespace cqfuzz::target
