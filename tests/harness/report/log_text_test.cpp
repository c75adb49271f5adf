// Log entries as text, and when two of them are the same event.
#include "harness/report/log_text.hpp"

#include <gtest/gtest.h>

namespace cqfuzz {
namespace {

LogEntry write_arrival() {
    LogEntry entry;
    entry.step = 512;
    entry.kind = LogKind::noc_arrive;
    entry.tile = 2;
    entry.target = 9;
    entry.transaction = 77;
    entry.source_address = 0x4a00;
    entry.target_address = 0x6a000;
    entry.length = 64;
    return entry;
}

TEST(LogTextTest, TransactionTellsWhoWhereAndHowMuch) {
    const std::string text = describe(write_arrival(), nullptr);
    EXPECT_EQ(text.substr(0, 10), "step 512  ");
    EXPECT_NE(text.find("tile 2 -> tile 9  NoC 0  #77  0x4a00 -> 0x6a000  64 bytes"),
              std::string::npos)
        << text;
}

TEST(LogTextTest, SameEventLooksAtEveryField) {
    const LogEntry entry = write_arrival();
    EXPECT_TRUE(same_event(entry, write_arrival()));
    LogEntry other = entry;
    other.step = 513;
    EXPECT_FALSE(same_event(entry, other));
    other = entry;
    other.receivers.last.x = 1;
    EXPECT_FALSE(same_event(entry, other));
    other = entry;
    other.flags = kLogPosted;
    EXPECT_FALSE(same_event(entry, other));
}

}  // namespace
}  // namespace cqfuzz
