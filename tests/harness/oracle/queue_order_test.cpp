// Goal: only events, the host and the order of one queue say that an action comes before another.
#include "harness/oracle/queue_order.hpp"

#include <gtest/gtest.h>

namespace cqfuzz {
namespace {

HostCall call_of(HostCallKind kind, std::uint32_t queue, std::uint32_t event = 0) {
    HostCall call;
    call.kind = kind;
    call.queue = queue;
    call.event = event;
    return call;
}

TEST(QueueOrderTest, OneQueueIsInOrder) {
    QueueOrder order(2);
    const auto first = order.enqueue(0);
    const auto second = order.enqueue(0);
    EXPECT_TRUE(QueueOrder::before(first, second));
    EXPECT_FALSE(QueueOrder::before(second, first));
}

TEST(QueueOrderTest, TwoQueuesAreNotUntilOneWaits) {
    QueueOrder order(2);
    const auto a = order.enqueue(0);
    order.observe(call_of(HostCallKind::record_event, 0, 3));
    const auto behind = order.enqueue(0);
    const auto early = order.enqueue(1);
    order.observe(call_of(HostCallKind::wait_event, 1, 3));
    const auto late = order.enqueue(1);
    EXPECT_FALSE(QueueOrder::before(a, early));
    EXPECT_TRUE(QueueOrder::before(a, late));
    EXPECT_FALSE(QueueOrder::before(behind, late));  // recorded before it
}

TEST(QueueOrderTest, TheHostKnowsWhatItWaitedFor) {
    QueueOrder order(2);
    const auto a = order.enqueue(0);
    EXPECT_FALSE(order.before_all_to_come(a));
    order.observe(call_of(HostCallKind::finish, 0));
    EXPECT_TRUE(order.before_all_to_come(a));
    EXPECT_TRUE(QueueOrder::before(a, order.enqueue(1)));
}

TEST(QueueOrderTest, AQueryTellsNothingUntilItIsComplete) {
    QueueOrder order(2);
    const auto a = order.enqueue(1);
    order.observe(call_of(HostCallKind::record_event, 1));
    HostCall query = call_of(HostCallKind::query_event, 0);
    order.observe(query);
    EXPECT_FALSE(order.before_all_to_come(a));
    query.complete = true;
    order.observe(query);
    EXPECT_TRUE(order.before_all_to_come(a));
}

TEST(QueueOrderTest, EverythingComesBeforeTheEnd) {
    QueueOrder order(2);
    const auto a = order.enqueue(0);
    const auto b = order.enqueue(1);
    EXPECT_TRUE(QueueOrder::before(a, order.end()));
    EXPECT_TRUE(QueueOrder::before(b, order.end()));
}

}  // namespace
}  // namespace cqfuzz
