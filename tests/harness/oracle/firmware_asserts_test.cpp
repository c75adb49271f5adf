// Firmware asserts: a failed assertion is a violation that carries its text.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

LogEntry failed(const char* text) {
    LogEntry e;
    e.kind = LogKind::firmware_assert;
    e.tile = kDispatchD;
    e.data = reinterpret_cast<const std::byte*>(text);
    e.length = static_cast<std::uint32_t>(std::strlen(text));
    return e;
}

TEST(FirmwareAssertsTest, CarriesTheTextOfTheAssertion) {
    LogBuilder log;
    log.entry(failed("id != 0"));
    EXPECT_EQ(log.property(), "firmware-asserts/failed");
    EXPECT_EQ(log.found()->place, "id != 0");
    EXPECT_EQ(log.found()->actor, "dispatch_d");
}

TEST(FirmwareAssertsTest, IsSilentWhenSwitchedOff) {
    LogBuilder log(split_machine(), 0);
    log.entry(failed("id != 0"));
    EXPECT_EQ(log.property(), "nothing");
}

}  // namespace
}  // namespace cqfuzz::test
