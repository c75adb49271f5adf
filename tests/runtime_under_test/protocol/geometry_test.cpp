// Goal: legal geometries are accepted, and each rule refuses just beyond its limit, by name.
#include "runtime_under_test/protocol/geometry.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace cqfuzz::rt {
namespace {

TEST(GeometryTest, AcceptsTheTwoRealSets) {
    EXPECT_EQ(refusal_of(ethernet_dispatch_geometry()), "");
    EXPECT_EQ(refusal_of(worker_dispatch_geometry()), "");
    DispatchGeometry split = ethernet_dispatch_geometry();
    split.split = true;
    EXPECT_EQ(refusal_of(split), "");
}

TEST(GeometryTest, AcceptsTheSmallestRings) {
    DispatchGeometry g;
    g.prefetch_q_entries = 2;
    g.max_prefetch_command_bytes = 4096;
    g.cmddat_q_bytes = 8192;
    g.scratch_bytes = 1024;
    g.ringbuffer_bytes = 1024;
    g.dispatch = RingGeometry{12, 4, 4};
    g.dispatch_h = RingGeometry{12, 4, 4};
    g.prefetch_d = RingGeometry{10, 12, 4};
    g.issue_region_bytes = 4 * 4096;
    g.completion_region_bytes = 2 * 4096;
    g.dram_banks = 1;
    g.trace_log_page_size = 10;
    g.packed_write_max_unicast = 2;
    g.worker_config_bytes = 8192;
    EXPECT_EQ(refusal_of(g), "");
    g.split = true;
    EXPECT_EQ(refusal_of(g), "");
}

struct Row {
    const char* rule;
    std::function<void(DispatchGeometry&)> change;
};

TEST(GeometryTest, RefusesEachRuleByItsName) {
    using G = DispatchGeometry;
    const std::vector<Row> rows{
        {"G1", [](G& g) { g.dispatch.log_page_size = 9; }},
        {"G1", [](G& g) { g.prefetch_d.log_page_size = 13; }},
        {"G1",
         [](G& g) {
             g.split = true;
             g.dispatch_h.log_page_size = 11;
         }},
        {"G2", [](G& g) { g.dispatch.blocks = 2; }},
        {"G2", [](G& g) { g.dispatch.pages = 33; }},
        {"G2", [](G& g) { g.dispatch_h.pages = 132; }},
        {"G2", [](G& g) { g.prefetch_d.pages = 0; }},
        {"G3",
         [](G& g) {
             g.dispatch = RingGeometry{10, 16, 4};
             g.max_prefetch_command_bytes = 4096;
         }},
        {"G3",
         [](G& g) {
             g.dispatch = RingGeometry{11, 32, 8};
             g.max_prefetch_command_bytes = 65536;
         }},
        {"G4", [](G& g) { g.scratch_bytes += 32; }},
        {"G4", [](G& g) { g.scratch_bytes = 960; }},
        {"G5", [](G& g) { g.max_prefetch_command_bytes = 4064; }},
        {"G5", [](G& g) { g.max_prefetch_command_bytes += 16; }},
        {"G5", [](G& g) { g.cmddat_q_bytes -= 32; }},
        {"G5", [](G& g) { g.prefetch_q_entries = 1; }},
        {"G5",
         [](G& g) {
             g.split = true;
             g.prefetch_d.pages = 16;
         }},
        {"G6", [](G& g) { g.dram_banks = 17; }},
        {"G6", [](G& g) { g.dram_banks = 0; }},
        {"G6", [](G& g) { g.trace_log_page_size = 13; }},
        {"G6",
         [](G& g) {
             g.max_prefetch_command_bytes = 8192;
             g.cmddat_q_bytes = 32768;
         }},
        {"G7", [](G& g) { g.completion_region_bytes = 4096; }},
        {"G7", [](G& g) { g.completion_region_bytes += 32; }},
        {"G7", [](G& g) { g.issue_region_bytes = 129 * 32768; }},
        {"G7", [](G& g) { g.issue_region_bytes = 221u << 20; }},
        {"G8", [](G& g) { g.packed_write_max_unicast = 3; }},
        {"G8", [](G& g) { g.packed_write_max_unicast = 66; }},
        {"G9", [](G& g) { g.worker_config_bytes = 8160; }},
        {"G9", [](G& g) { g.worker_config_bytes = 8200; }},
        {"G9", [](G& g) { g.ethernet_config_bytes = 25568; }},
        {"G11", [](G& g) { g.ringbuffer_bytes = 992; }},
        {"G11", [](G& g) { g.ringbuffer_bytes += 16; }},
        {"G11", [](G& g) { g.ringbuffer_bytes = (1u << 20) + 32; }},
    };
    for (std::size_t i = 0; i < rows.size(); i++) {
        DispatchGeometry g;
        rows[i].change(g);
        const std::string refusal = refusal_of(g);
        EXPECT_NE(refusal.find(std::string("rule ") + rows[i].rule + ":"), std::string::npos)
            << "row " << i << ": " << refusal;
        EXPECT_NE(refusal.find("accepted: "), std::string::npos) << refusal;
    }
}

TEST(GeometryTest, AcceptsHalfAScratchThatJustFitsBesideTwoBlocks) {
    DispatchGeometry g;
    g.dispatch = RingGeometry{10, 16, 4};  // capacity 8 pages of 1 KiB
    g.max_prefetch_command_bytes = 8192;
    g.scratch_bytes = 2 * 7 * 1024;
    EXPECT_EQ(refusal_of(g), "");
    g.scratch_bytes += 64;
    EXPECT_NE(refusal_of(g), "");
}

}  // namespace
}  // namespace cqfuzz::rt
