// The completion queue: one planted mistake per check, and the same without it.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kToggle = 0x80000000u;

std::uint32_t pointer_word(std::uint32_t count) {
    const std::uint32_t address = kCompletionBase + count % kCompletionPages * kCompletionPage;
    return address >> 4 | (count / kCompletionPages % 2 != 0 ? kToggle : 0);
}

class CompletionQueueTest : public testing::Test {
protected:
    std::uint32_t issue_data(std::uint32_t count) {
        return log_.write(kDispatchH, kRingBase, kHost,
                          kCompletionBase + count % kCompletionPages * kCompletionPage, 64);
    }
    std::uint32_t issue_pointer() {
        log_.store(kDispatchH, kWritePointer, 4);
        return log_.write(kDispatchH, kWritePointer, kHost, kHostWritePointer, 4);
    }
    void stage(LogKind kind, std::uint32_t transaction, std::uint32_t word) {
        LogEntry e;
        e.kind = kind;
        e.tile = kDispatchH;
        e.target = kHost;
        e.target_address = kHostWritePointer;
        e.length = 4;
        e.transaction = transaction;
        e.data = reinterpret_cast<const std::byte*>(&word);
        log_.entry(e);
    }
    void push(std::uint32_t count) {
        log_.complete(issue_data(count));
        const std::uint32_t pointer = issue_pointer();
        stage(LogKind::noc_depart, pointer, pointer_word(count + 1));
        stage(LogKind::noc_arrive, pointer, pointer_word(count + 1));
    }
    void pop(std::uint32_t word) {
        LogEntry e;
        e.kind = LogKind::host_write_arrive;
        e.tile = kHost;
        e.target = kDispatchH;
        e.target_address = kReadPointer;
        e.length = 4;
        e.data = reinterpret_cast<const std::byte*>(&word);
        log_.entry(e);
    }
    void begin_event(std::uint8_t is_event) {
        rt::WriteLinearHHost command;
        command.is_event = is_event;
        command.length = 32;
        rt::encode(log_.memory().at(kDispatchD, kRingBase), command);
        log_.begin(kDispatchD, static_cast<std::uint32_t>(rt::DispatchId::write_linear_h_host),
                   kRingBase);
    }

    LogBuilder log_{split_machine(), 1u << static_cast<unsigned>(OracleId::completion_queue)};
};

TEST_F(CompletionQueueTest, IsSilentOverThreeLaps) {
    for (std::uint32_t count = 0; count < 3 * kCompletionPages; ++count) {
        push(count);
        if (count >= 2) pop(pointer_word(count - 1));
    }
    EXPECT_EQ(log_.property(), "nothing") << log_.story();
}

TEST_F(CompletionQueueTest, IsSilentWhenTheWholeQueueIsPoppedAtOnce) {
    for (std::uint32_t count = 0; count < kCompletionPages; ++count) push(count);
    pop(pointer_word(kCompletionPages));
    for (std::uint32_t count = 0; count < kCompletionPages; ++count) push(kCompletionPages + count);
    EXPECT_EQ(log_.property(), "nothing") << log_.story();
}

TEST_F(CompletionQueueTest, CatchesAPageThatIsOverwrittenBeforeItsPop) {
    for (std::uint32_t count = 0; count < kCompletionPages; ++count) push(count);
    issue_data(kCompletionPages);
    EXPECT_EQ(log_.property(), "completion-queue/overwritten-before-pop");
}

TEST_F(CompletionQueueTest, CatchesAPointerThatOvertakesItsData) {
    const std::uint32_t data = issue_data(0);
    log_.depart(data);
    const std::uint32_t pointer = issue_pointer();
    stage(LogKind::noc_depart, pointer, pointer_word(1));
    EXPECT_EQ(log_.property(), "nothing") << log_.story();
    stage(LogKind::noc_arrive, pointer, pointer_word(1));
    EXPECT_EQ(log_.property(), "completion-queue/pointer-before-data");
}

TEST_F(CompletionQueueTest, CatchesAPointerThatIsChangedBeforeItHasDeparted) {
    issue_pointer();
    issue_pointer();
    EXPECT_EQ(log_.property(), "completion-queue/pointer-changed-in-flight");
}

TEST_F(CompletionQueueTest, CatchesTogglesOfAWrongLap) {
    for (std::uint32_t count = 0; count < kCompletionPages; ++count) push(count);
    pop(pointer_word(1));
    EXPECT_EQ(log_.property(), "nothing") << log_.story();
    pop(pointer_word(2) | kToggle);
    EXPECT_EQ(log_.property(), "completion-queue/toggle");
    EXPECT_EQ(log_.found()->actor, "host");
}

TEST_F(CompletionQueueTest, CatchesAWritersToggleThatDoesNotFlip) {
    for (std::uint32_t count = 0; count + 1 < kCompletionPages; ++count) push(count);
    pop(pointer_word(2));
    stage(LogKind::noc_depart, issue_pointer(), pointer_word(kCompletionPages) & ~kToggle);
    EXPECT_EQ(log_.property(), "completion-queue/toggle");
}

TEST_F(CompletionQueueTest, CatchesAHostThatPopsMoreThanWasPushed) {
    push(0);
    pop(pointer_word(2));
    EXPECT_EQ(log_.property(), "completion-queue/popped-before-push");
}

TEST_F(CompletionQueueTest, CatchesAnEventBeforeTheAcknowledgements) {
    const std::uint32_t write = log_.write(kDispatchD, kRingBase, kDram0, 0, 64);
    log_.depart(write).arrive(write);
    begin_event(1);
    EXPECT_EQ(log_.property(), "completion-queue/event-before-acknowledgements");
    EXPECT_EQ(log_.found()->command, "WRITE_LINEAR_H_HOST");
}

TEST_F(CompletionQueueTest, IsSilentAboutAnEventAfterThemAndAboutReads) {
    const std::uint32_t write = log_.write(kDispatchD, kRingBase, kDram0, 0, 64);
    log_.depart(write).arrive(write);
    begin_event(0);  // bytes of a buffer, which promise nothing about other writes
    log_.ack(write);
    log_.write(kDispatchD, kRingBase, kDispatchH, kRingBase, 64);  // the event's own page
    begin_event(1);
    EXPECT_EQ(log_.property(), "nothing") << log_.story();
}

TEST(TerminateOrderTest, DispatchDComesFirst) {
    constexpr auto kTerminate = static_cast<std::uint32_t>(rt::DispatchId::terminate);
    constexpr std::uint32_t kOracle = 1u << static_cast<unsigned>(OracleId::completion_queue);
    LogBuilder sound(split_machine(), kOracle);
    sound.begin(kDispatchD, kTerminate, kRingBase).begin(kDispatchH, kTerminate, kRingBase);
    EXPECT_FALSE(sound.found()) << sound.story();
    LogBuilder log(split_machine(), kOracle);
    log.begin(kDispatchH, kTerminate, kRingBase);
    ASSERT_EQ(log.property(), "completion-queue/terminated-out-of-order");
    EXPECT_EQ(log.found()->invariant, "inv. 98");
}

}  // namespace
}  // namespace cqfuzz::test
