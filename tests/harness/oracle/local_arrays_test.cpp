// Local arrays: a store past the end is a violation that names the array.
#include <gtest/gtest.h>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

LogEntry overrun(const char* name) {
    LogEntry e;
    e.kind = LogKind::local_overrun;
    e.tile = kPrefetchD;
    e.value = 108;
    e.length = 108;
    e.data = reinterpret_cast<const std::byte*>(name);
    return e;
}

TEST(LocalArraysTest, CatchesAStorePastTheEnd) {
    LogBuilder log;
    log.begin(kPrefetchD, static_cast<std::uint32_t>(rt::PrefetchId::relay_paged_packed), 0)
        .entry(overrun("l1_cache"));
    EXPECT_EQ(log.property(), "local-arrays/store-past-end");
    EXPECT_EQ(log.found()->signature(),
              "local-arrays/store-past-end|l1_cache|prefetch|RELAY");
}

TEST(LocalArraysTest, IsSilentWhenSwitchedOff) {
    LogBuilder log(split_machine(),
                   kAllOracles & ~(1u << static_cast<unsigned>(OracleId::local_arrays)));
    log.entry(overrun("l1_cache"));
    EXPECT_EQ(log.property(), "nothing");
}

}  // namespace
}  // namespace cqfuzz::test
