// Never-written bytes: one word of the fake memory counts as never written; who sends, loads or
// fetches it is seen, who goes past it is not.
#include "harness/oracle/never_written.hpp"

#include <gtest/gtest.h>

#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kHole = 0x840;

class NeverWrittenTest : public testing::Test {
protected:
    LogBuilder log{split_machine(), 1u << static_cast<unsigned>(OracleId::never_written)};
};

TEST_F(NeverWrittenTest, SourceBytesOfAWriteAreLookedAtWhenItDeparts) {
    log.memory().never_written(kDispatchD, kHole);
    log.complete(log.write(kDispatchD, kHole - 64, kWorker0, kConfigBase, 64));
    log.complete(log.write(kDispatchD, kHole + 4, kWorker0, kConfigBase, 64));
    log.complete(log.write(kPrefetchD, kHole, kDispatchD, kRingBase, 64));
    const std::uint32_t write = log.write(kDispatchD, kHole - 60, kWorker0, kConfigBase, 64);
    EXPECT_FALSE(log.found()) << log.story();
    log.depart(write);
    ASSERT_EQ(log.property(), "never-written/sent");
    EXPECT_EQ(log.found()->actor, "dispatch_d");
    EXPECT_NE(log.found()->actual.find("the one at " + std::to_string(kHole)), std::string::npos);
}

TEST_F(NeverWrittenTest, LoadsMayReadFiveWordsTooMany) {
    log.memory().never_written(kPrefetchD, kHole);
    log.load(kPrefetchD, kHole - 24, 44);
    log.load(kPrefetchD, kHole - 4, 4);
    EXPECT_FALSE(log.found()) << log.story();
    log.load(kPrefetchD, kHole - 24, 48);
    EXPECT_EQ(log.property(), "never-written/loaded");
}

TEST_F(NeverWrittenTest, AWordIsLookedAtWhole) {
    log.memory().never_written(kPrefetchD, kHole);
    log.load(kPrefetchD, kHole, 4);
    EXPECT_EQ(log.property(), "never-written/loaded");
}

TEST_F(NeverWrittenTest, AFetchOfBytesThatTheHostNeverWroteIsSeen) {
    log.memory().never_written(kHost, kHole);
    log.complete(log.read(kPrefetchH, kCommandData, kHost, kHole - 32, 32));
    EXPECT_FALSE(log.found()) << log.story();
    log.complete(log.read(kPrefetchH, kCommandData, kHost, kHole - 32, 64));
    EXPECT_EQ(log.property(), "never-written/fetched");
}

TEST_F(NeverWrittenTest, TheRestOfABatchHeaderMeansNothing) {
    log.memory().never_written(kPrefetchH, kHole);
    log.complete(log.write(kPrefetchH, kHole - 4, kPrefetchD, kRingBase, 96));
    EXPECT_FALSE(log.found()) << log.story();
    log.complete(log.write(kPrefetchH, kHole - 32, kPrefetchD, kRingBase, 96));
    EXPECT_EQ(log.property(), "never-written/sent");
}

// A buffer may be read back before its first write; a kernel's memory is its own.
TEST_F(NeverWrittenTest, DramAndProgramsAreExempt) {
    log.memory().never_written(kDram0, kHole);
    log.complete(log.read(kPrefetchD, kScratch, kDram0, kHole, 64));
    log.memory().never_written(kWorker0, kHole);
    log.complete(log.write(kWorker0, kHole, kDispatchD, kCompletions, 4));
    log.load(kWorker0, kHole, 4);
    EXPECT_FALSE(log.found()) << log.story();
}

}  // namespace
}  // namespace cqfuzz::test
