#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "fuzz_targets/target.hpp"
#include "harness/base/rng.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace cqfuzz::target {

namespace {

// One call in so many starts from a new scenario, hands the bytes to the engine, or makes a second
// change.
constexpr std::uint32_t kGenerateOneIn = 32;
constexpr std::uint32_t kEngineBytesOneIn = 16;
constexpr std::uint32_t kAnotherMutationOneIn = 2;
constexpr std::uint32_t kMutationsMax = 8;
// How often a result that is too long is drawn again, from scenarios that get smaller.
constexpr int kShrinkTriesMax = 64;

Scenario decoded(const std::uint8_t* data, std::size_t size) {
    return decode(std::as_bytes(std::span(data, size)));
}

std::size_t store(const std::vector<std::byte>& bytes, std::uint8_t* out) {
    if (bytes.empty()) {
        out[0] = 0;
        return 1;
    }
    std::memcpy(out, bytes.data(), bytes.size());
    return bytes.size();
}

// Makes a scenario shorter: drops an op, or what the ops refer to once they are gone.
void drop_something(Scenario& scenario, Rng& rng) {
    const auto drop_one = [&rng](auto& list) {
        if (list.empty()) return false;
        const std::uint32_t at = rng.below(static_cast<std::uint32_t>(list.size()));
        list.erase(list.begin() + at);
        return true;
    };
    if (drop_one(scenario.ops) || drop_one(scenario.commands)) return;
    scenario.programs.clear();
    scenario.traces.clear();
    scenario.buffers.clear();
    scenario.schedule.deviations.clear();
}

// Stores `scenario`, smaller if it must be; the default scenario's bytes, cut, when nothing fits.
std::size_t store_within(Scenario scenario, std::uint8_t* out, std::size_t size_max, Rng& rng) {
    for (int i = 0; i < kShrinkTriesMax; ++i) {
        const std::vector<std::byte> bytes = encode(scenario);
        if (bytes.size() <= size_max) return store(bytes, out);
        drop_something(scenario, rng);
        legalise(scenario);
    }
    std::vector<std::byte> bytes = encode(Scenario{});
    bytes.resize(std::min(bytes.size(), size_max));
    return store(bytes, out);
}

}  // namespace

std::size_t mutate_bytes(Domain domain, std::uint8_t* data, std::size_t size, std::size_t size_max,
                         std::uint32_t seed) {
    Rng rng(seed);
    Scenario scenario = decoded(data, size);
    if (action_count(scenario) == 0 || rng.one_in(kGenerateOneIn)) {
        scenario = generate(domain, rng, kOpsMax);
        return store_within(std::move(scenario), data, size_max, rng);
    }
    for (std::uint32_t i = 0; i < kMutationsMax; ++i) {
        mutate(scenario, domain, rng, kOpsMax);
        if (!rng.one_in(kAnotherMutationOneIn)) break;
    }
    return store_within(std::move(scenario), data, size_max, rng);
}

std::size_t crossover_bytes(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b,
                            std::size_t b_size, std::uint8_t* out, std::size_t size_max,
                            std::uint32_t seed) {
    Rng rng(seed);
    const Scenario first = decoded(a, a_size);
    const Scenario second = decoded(b, b_size);
    return store_within(crossover(first, second, rng, kOpsMax), out, size_max, rng);
}

std::size_t engine_mutate(Domain domain, std::uint8_t* data, std::size_t size, std::size_t size_max,
                          std::uint32_t seed) {
    if (seed % kEngineBytesOneIn != 0 || size > size_max)
        return mutate_bytes(domain, data, size, size_max, seed);
    const std::size_t mutated = LLVMFuzzerMutate(data, size, size_max);
    if (mutated == 0 || mutated > size_max) return mutate_bytes(domain, data, size, size_max, seed);
    // Bytes that mean nothing are not worth keeping.
    Rng rng(seed);
    return store_within(decoded(data, mutated), data, size_max, rng);
}

}  // namespace cqfuzz::target
