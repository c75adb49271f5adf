// Target scenario_file: the readers of scenarios: bytes, and text as TOML.
//
// Surface: decode, encode, legalise, TOML out and in. A decoded scenario is legal, legalising it
// changes nothing, and both forms give it back exactly; text is read or refused with a message.
// Nothing is run. Cannot reach: the title line and options of a case file (tests/harness/cli).
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fuzz_targets/target.hpp"
#include "harness/base/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cqfuzz;
    const Scenario scenario = decode(std::as_bytes(std::span(data, size)));
    CHECK(illegality_of(scenario).empty(), "a decoded scenario is legal");
    CHECK(equal(decode(encode(scenario)), scenario), "bytes give it back");
    Scenario legalised = scenario;
    legalise(legalised);
    CHECK(equal(legalised, scenario), "a legal scenario stays as it is");
    const Result<Scenario> reread = scenario_from_toml(scenario_to_toml(scenario), "reread");
    CHECK(reread.ok() && equal(reread.value(), scenario), "text gives it back");

    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<Scenario> read = scenario_from_toml(text, "input");
    CHECK(read.ok() || !read.message().empty(), "a refusal says why");
    if (read.ok()) {
        const Result<Scenario> again = scenario_from_toml(scenario_to_toml(read.value()), "again");
        CHECK(again.ok() && equal(again.value(), read.value()), "text gives it back");
    }
    return 0;
}
