// Goal: the memory maps hold what the geometry asks, without overlap, aligned as facts §3.3 says.
#include "runtime_under_test/protocol/layout.hpp"

#include <gtest/gtest.h>

#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz::rt {
namespace {

TEST(LayoutTest, MergedMapsFollowEachOther) {
    const DispatchGeometry g = ethernet_dispatch_geometry();
    const DeviceConfig c = make_device_config(g, ChipDescription{});
    EXPECT_EQ(refusal_of(c), "");
    EXPECT_GE(c.prefetch.cmddat_q_base, c.prefetch.prefetch_q_base + 2 * g.prefetch_q_entries);
    EXPECT_GE(c.prefetch.scratch_base, c.prefetch.cmddat_q_base + g.cmddat_q_bytes);
    EXPECT_EQ(c.prefetch.end, c.prefetch.scratch_base + g.ringbuffer_bytes);
    EXPECT_EQ(c.prefetch.prefetch_q_base % 32, 0u);
    EXPECT_EQ(c.prefetch.cmddat_q_base % 32, 0u);
    EXPECT_EQ(c.prefetch.scratch_base % 32, 0u);
    EXPECT_EQ(c.dispatch.ring_base % g.dispatch.page_size_bytes(), 0u);
    EXPECT_EQ(c.dispatch.end, c.dispatch.ring_base + g.dispatch.size_bytes());
}

TEST(LayoutTest, SplitMapsPutTheScratchBesideTheRing) {
    DispatchGeometry g = ethernet_dispatch_geometry();
    g.split = true;
    const DeviceConfig c = make_device_config(g, ChipDescription{});
    EXPECT_EQ(c.prefetch.scratch_base, 0u);
    EXPECT_EQ(c.prefetch_d.ring_base % g.prefetch_d.page_size_bytes(), 0u);
    EXPECT_GE(c.prefetch_d.scratch_base, c.prefetch_d.ring_base + g.prefetch_d.size_bytes());
    EXPECT_EQ(c.dispatch_h.ring_base % g.dispatch_h.page_size_bytes(), 0u);
}

TEST(LayoutTest, TheLongerOfScratchAndRingBufferCacheEndsTheMap) {
    DispatchGeometry g = ethernet_dispatch_geometry();
    g.ringbuffer_bytes = 4096;
    const DeviceConfig c = make_device_config(g, ChipDescription{});
    EXPECT_EQ(c.prefetch.end, c.prefetch.scratch_base + g.scratch_bytes);
}

TEST(LayoutTest, TheLargestRingBufferCacheFitsTheRealRings) {
    DispatchGeometry g = worker_dispatch_geometry();
    EXPECT_EQ(refusal_of(make_device_config(g, ChipDescription{})), "");
    g.split = true;
    EXPECT_EQ(refusal_of(make_device_config(g, ChipDescription{})), "");
}

TEST(LayoutTest, TheLargestLegalMapsFit) {
    DispatchGeometry g = worker_dispatch_geometry();
    g.split = true;
    g.prefetch_d = g.dispatch = g.dispatch_h = RingGeometry{12, 256, 8};
    g.ringbuffer_bytes = g.scratch_bytes;
    ASSERT_EQ(refusal_of(g), "");
    EXPECT_EQ(refusal_of(make_device_config(g, ChipDescription{})), "");
}

TEST(LayoutTest, RefusesAMapThatDoesNotFit) {
    DeviceConfig c = make_device_config(ethernet_dispatch_geometry(), ChipDescription{});
    c.dispatch.end = 1464 * 1024 + 1;
    EXPECT_NE(refusal_of(c).find("rule G10"), std::string::npos);
}

TEST(LayoutTest, WorkerMailboxAndConfigDoNotOverlap) {
    const DeviceConfig c = make_device_config(ethernet_dispatch_geometry(), ChipDescription{});
    EXPECT_EQ(c.worker.launch_base % 16, 0u);
    EXPECT_GE(c.worker.launch_read_index,
              c.worker.launch_base + DispatchGeometry::kLaunchEntries * kLaunchMessageBytes);
    EXPECT_EQ(c.worker.go_message % 16, 0u);
    EXPECT_GE(c.worker.config_base, c.worker.go_message + 16);
    EXPECT_EQ(c.worker.config_base % 32, 0u);
    EXPECT_EQ(c.worker.config_bytes, 69u * 1024);
    EXPECT_EQ(c.ethernet.config_bytes, 25u * 1024);
}

TEST(LayoutTest, HugepageHoldsPointersThenIssueThenCompletion) {
    const DispatchGeometry g = ethernet_dispatch_geometry();
    const HostLayout host = make_device_config(g, ChipDescription{}).host;
    EXPECT_GE(host.issue_base, host.completion_read_ptr + 4);
    EXPECT_EQ(host.issue_base % 32, 0u);
    EXPECT_GE(host.completion_base, host.issue_base + g.issue_region_bytes);
    EXPECT_EQ(host.completion_base % 4096, 0u);
    EXPECT_EQ(host.end, host.completion_base + g.completion_region_bytes);
}

}  // namespace
}  // namespace cqfuzz::rt
