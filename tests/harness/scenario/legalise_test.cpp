// legalise and illegality_of: one says legal exactly where the other changes nothing; rules by a
// table; references.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "harness/scenario/edit.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/verbs.hpp"
#include "tests/harness/scenario/wild.hpp"

namespace cqfuzz {
namespace {

Kernel kernel_on(std::uint32_t x, std::uint32_t processor) {
    Kernel kernel;
    kernel.cores = {x, 0, x, 0};
    kernel.processor = processor;
    return kernel;
}

// Two programs, a buffer, a trace of both, and an op of each kind.
Scenario small_scenario() {
    Scenario s;
    s.programs.resize(2);
    s.programs[0].kernels = {kernel_on(0, 0), kernel_on(1, 0)};
    s.programs[1].kernels = {kernel_on(0, 3)};
    s.buffers.resize(1);
    s.traces.resize(1);
    s.traces[0].steps = {{0, 1}, {1, 2}};
    s.ops = {OpWriteBuffer{0, 1}, OpEnqueue{1, 1}, OpCapture{0}, OpReplay{0, 2, false},
             OpReadBuffer{0},     OpRelease{0},    OpFinish{}};
    return s;
}

TEST(LegaliseTest, IsIdempotentAndAgreesWithIllegalityOnAnyScenario) {
    Rng rng(11);
    int legal_at_once = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Scenario before = wild::scenario(rng);
        Scenario once = before;
        legalise(once);
        ASSERT_EQ(illegality_of(once), "") << i;
        Scenario twice = once;
        legalise(twice);
        ASSERT_TRUE(equal(once, twice)) << i;
        const bool changed = !equal(before, once);
        ASSERT_EQ(changed, !illegality_of(before).empty()) << i << ": " << illegality_of(before);
        legal_at_once += changed ? 0 : 1;
    }
    EXPECT_LT(legal_at_once, 20'000);
}

TEST(LegaliseTest, SeveralChipsAreNotSplitAndOpsNameOneOfThem) {
    Scenario s = small_scenario();
    s.topology.chips = 2;
    s.topology.split = true;
    s.topology.worker_cols = s.topology.worker_rows = 8;
    s.topology.ethernet_cores = 16;
    s.ops = {OpEnqueue{0, 1, 7}, OpFinish{3}};
    legalise(s);
    EXPECT_FALSE(s.topology.split);
    EXPECT_EQ(s.topology.ethernet_cores, 8u);
    EXPECT_EQ(std::get<OpEnqueue>(s.ops[0]).device, 1u);
    EXPECT_EQ(std::get<OpFinish>(s.ops[1]).device, 1u);
}

TEST(LegaliseTest, ExchangesWaitOnlyForChipsThatAreToldTheSame) {
    Scenario s;
    s.topology = {1, 1, 2, false, 2};
    Kernel mover = kernel_on(0, 0);
    mover.on_ethernet = true;
    mover.cores.x1 = 1;
    mover.exchange_bytes = 4096;  // more than the binary
    s.programs.resize(1);
    s.programs[0].kernels = {mover};
    s.ops = {OpEnqueue{0, 1, 0}, OpEnqueue{0, 1, 1}};
    s.behaviour.exchanges_wait = true;
    Scenario alone = s;
    legalise(s);
    EXPECT_TRUE(s.behaviour.exchanges_wait);
    EXPECT_EQ(s.programs[0].kernels[0].exchange_bytes, s.programs[0].kernels[0].binary_bytes);
    alone.ops.pop_back();
    legalise(alone);
    EXPECT_FALSE(alone.behaviour.exchanges_wait);
}

TEST(LegaliseTest, ChangesNothingThatWasDecoded) {
    Rng rng(12);
    for (int i = 0; i < 100'000; ++i) {
        const Scenario decoded = decode(wild::bytes(rng));
        Scenario settled = decoded;
        legalise(settled);
        ASSERT_TRUE(equal(decoded, settled)) << i;
    }
}

struct Row {
    const char* rule;
    std::function<void(Scenario&)> breaks;
    const char* message;                           // part of what illegality_of says
    std::function<bool(const Scenario&)> settled;  // after legalise
};

const std::vector<Row> kRows = {
    {"domain", [](Scenario& s) { s.geometry.scratch = 19457; },
     "geometry.scratch 19457: must be 1024 to 131072 bytes",
     [](const Scenario& s) { return s.geometry.scratch == 19456; }},
    {"choice", [](Scenario& s) { s.geometry.dispatch_blocks = 7; }, "must be one of 4, 8",
     [](const Scenario& s) { return s.geometry.dispatch_blocks == 4; }},
    {"G3a",
     [](Scenario& s) {
         s.geometry.dispatch_log_page = 10;
         s.geometry.dispatch_pages_per_block = 1;
     },
     "(rule G3a)", [](const Scenario& s) { return s.geometry.dispatch_pages_per_block == 2; }},
    {"G3b", [](Scenario& s) { s.geometry.dispatch_pages_per_block = 2; }, "(rule G3b",
     [](const Scenario& s) { return s.geometry.max_prefetch_command == 16384; }},
    {"G3c",
     [](Scenario& s) {
         s.geometry.dispatch_pages_per_block = 1;
         s.geometry.max_prefetch_command = 8192;
     },
     "(rule G3c)", [](const Scenario& s) { return s.geometry.scratch == 8192; }},
    {"G5a",
     [](Scenario& s) {
         s.topology.split = true;
         s.geometry.prefetch_d_log_page = 10;
         s.geometry.prefetch_d_pages_per_block = 1;
     },
     "(rule G5a)", [](const Scenario& s) { return s.geometry.prefetch_d_pages_per_block == 3; }},
    {"G5b",
     [](Scenario& s) {
         s.topology.split = true;
         s.geometry.prefetch_d_pages_per_block = 1;
         s.geometry.trace_log_page = 10;
     },
     "(rule G3b, G5b)", [](const Scenario& s) { return s.geometry.max_prefetch_command == 4096; }},
    {"G5c", [](Scenario& s) { s.geometry.cmddat_q = 32768; }, "(rule G5c)",
     [](const Scenario& s) { return s.geometry.cmddat_q == 65536; }},
    {"Q3",
     [](Scenario& s) {
         s.geometry.command_queues = 2;
         s.geometry.prefetch_q_entries = 128;
         s.geometry.dispatch_s = DispatchS::own_core;
     },
     "(rule Q3)", [](const Scenario& s) { return s.geometry.dispatch_s == DispatchS::absent; }},
    {"G6",
     [](Scenario& s) {
         s.geometry.max_prefetch_command = 4096;
         s.geometry.cmddat_q = 8192;
     },
     "(rule G6)",
     [](const Scenario& s) {
         return s.geometry.trace_log_page == 10 && s.geometry.dram_banks == 8;
     }},
    {"P1 outside",
     [](Scenario& s) {
         s.programs[1].kernels[0].cores = {0, 0, 5, 0};
     },
     "(rule P1)", [](const Scenario& s) { return s.programs[1].kernels[0].cores.x1 == 1; }},
    {"P1 corners",
     [](Scenario& s) {
         s.programs[1].kernels[0].cores = {1, 1, 0, 0};
     },
     "(rule P1)",
     [](const Scenario& s) {
         return s.programs[1].kernels[0].cores.x1 == 1 && s.programs[1].kernels[0].cores.x0 == 0;
     }},
    {"P1 no ethernet",
     [](Scenario& s) {
         s.topology.ethernet_cores = 0;
         Kernel kernel;
         kernel.on_ethernet = true;
         s.programs[1].kernels.push_back(kernel);
     },
     "(rule P1)", [](const Scenario& s) { return s.programs[1].kernels.size() == 1; }},
    {"P2",
     [](Scenario& s) {
         Kernel kernel;
         kernel.on_ethernet = true;
         kernel.processor = 2;
         s.programs[1].kernels.push_back(kernel);
     },
     "(rule P2)", [](const Scenario& s) { return s.programs[1].kernels[1].processor == 0; }},
    {"P3 kernels", [](Scenario& s) { s.programs[0].kernels.push_back(kernel_on(1, 0)); },
     "kernels[2]: shares a core",
     [](const Scenario& s) { return s.programs[0].kernels.size() == 2; }},
    {"P3 semaphores",
     [](Scenario& s) {
         s.programs[0].semaphores = {{false, {0, 0, 1, 1}, 3, 0}, {false, {1, 1, 1, 1}, 3, 1}};
     },
     "shares a core and id",
     [](const Scenario& s) { return s.programs[0].semaphores.size() == 1; }},
    {"P3 circular buffers",
     [](Scenario& s) {
         s.programs[0].circular_buffers = {{{0, 0, 1, 1}, 3, 1, 64}, {{1, 1, 1, 1}, 3, 1, 64}};
     },
     "shares a core and index",
     [](const Scenario& s) { return s.programs[0].circular_buffers.size() == 1; }},
    {"P4 no kernel", [](Scenario& s) { s.programs[0].kernels.clear(); },
     "program[0]: has no kernel (rule P4)",
     [](const Scenario& s) {
         // Program 1 is program 0 now, everywhere.
         return s.programs.size() == 1 && s.traces[0].steps.size() == 1 &&
                s.traces[0].steps[0].program == 0 && std::get<OpEnqueue>(s.ops[1]).program == 0;
     }},
    {"P4 semaphore",
     [](Scenario& s) {
         s.programs[0].semaphores = {{true, {}, 0, 0}};
     },
     "(rule P4)", [](const Scenario& s) { return s.programs[0].semaphores.empty(); }},
    {"P5",
     [](Scenario& s) {
         s.geometry.worker_config = 8192;
         s.programs[0].kernels[0].binary_bytes = 16384;
     },
     "(rule P5)",
     [](const Scenario& s) {
         return s.programs[0].kernels.size() == 1 && s.programs[0].kernels[0].binary_bytes == 7360;
     }},
    {"P6",
     [](Scenario& s) {
         for (std::uint32_t i = 0; i < 5; ++i) {
             s.programs[0].circular_buffers.push_back({{}, i, 64, 4096});
         }
     },
     "(rule P6)", [](const Scenario& s) { return s.programs[0].circular_buffers.size() == 4; }},
    {"T1",
     [](Scenario& s) {
         s.topology.worker_cols = 8;
         s.topology.worker_rows = 8;
         s.programs[0].kernels[0].cores = {0, 0, 7, 7};
         s.programs[0].kernels[0].args_words = 256;
         s.programs[0].kernels.resize(1);
         s.traces[0].steps.assign(64, {0, 16});
     },
     "(rule T1)",
     [](const Scenario& s) { return s.traces[0].steps.size() < 64 && !s.traces[0].steps.empty(); }},
    {"R1 op",
     [](Scenario& s) {
         s.ops[1] = OpEnqueue{2, 1};
     },
     "op[1].program 2: there are only 2 (rule R1)",
     [](const Scenario& s) { return s.ops.size() == 6; }},
    {"R1 step", [](Scenario& s) { s.traces[0].steps[0].program = 9; },
     "trace[0].steps[0].program 9",
     [](const Scenario& s) { return s.traces[0].steps.size() == 1; }},
    {"R2 replay", [](Scenario& s) { s.ops.erase(s.ops.begin() + 2); },
     "op 2: replay trace 0 x 2 (not blocking)",
     [](const Scenario& s) { return s.ops.size() == 4; }},
    {"R2 capture", [](Scenario& s) { s.ops.insert(s.ops.begin() + 3, OpCapture{0}); },
     "the trace is live already", [](const Scenario& s) { return s.ops.size() == 7; }},
    {"R2 release", [](Scenario& s) { s.ops.emplace_back(OpRelease{0}); }, "was released",
     [](const Scenario& s) { return s.ops.size() == 7; }},
    {"D1 actor", [](Scenario& s) { s.schedule.starved_actor = 100; }, "schedule.starved_actor 100",
     [](const Scenario& s) { return s.schedule.starved_actor == 0; }},
    {"D1 strategy",
     [](Scenario& s) {
         s.schedule.strategy = Strategy::pct;
         s.schedule.deviations.resize(1);
     },
     "only with strategy in_order",
     [](const Scenario& s) { return s.schedule.deviations.empty(); }},
    {"D1 deviation",
     [](Scenario& s) {
         s.schedule.deviations.resize(2);
         s.schedule.deviations[1].until.actor = 99;
     },
     "names an actor that does not exist",
     [](const Scenario& s) { return s.schedule.deviations.size() == 1; }},
};

TEST(LegaliseTest, SettlesEachRuleAndIllegalityNamesIt) {
    ASSERT_EQ(illegality_of(small_scenario()), "");
    for (const Row& row : kRows) {
        Scenario s = small_scenario();
        row.breaks(s);
        const std::string message = illegality_of(s);
        EXPECT_NE(message.find(row.message), std::string::npos)
            << row.rule << ": \"" << message << "\"";
        legalise(s);
        EXPECT_EQ(illegality_of(s), "") << row.rule;
        EXPECT_TRUE(row.settled(s)) << row.rule;
    }
}

TEST(LegaliseTest, LetsATraceBeCapturedAgainAfterItsRelease) {
    Scenario s = small_scenario();
    s.ops.emplace_back(OpCapture{0});
    s.ops.emplace_back(OpReplay{0, 1, true});
    EXPECT_EQ(illegality_of(s), "");
}

TEST(EditTest, RemapsReferencesWhenAnEntryGoes) {
    Scenario s = small_scenario();
    s.programs.push_back(s.programs[1]);
    s.traces[0].steps.push_back({2, 1});
    s.ops.emplace_back(OpEnqueue{2, 1});
    s.ops.emplace_back(OpEnqueue{0, 1});
    remove_entry(s, Table::programs, 1);
    ASSERT_EQ(s.traces[0].steps.size(), 2u);
    EXPECT_EQ(s.traces[0].steps[0].program, 0u);
    EXPECT_EQ(s.traces[0].steps[1].program, 1u);
    ASSERT_EQ(s.ops.size(), 8u);  // the enqueue of program 1 went with it
    EXPECT_EQ(std::get<OpEnqueue>(s.ops[6]).program, 1u);
    EXPECT_EQ(std::get<OpEnqueue>(s.ops[7]).program, 0u);
}

TEST(EditTest, TakesAlongWhatUsedATrace) {
    Scenario s = small_scenario();
    remove_entry(s, Table::traces, 0);
    EXPECT_EQ(s.ops.size(), 4u);
    EXPECT_EQ(illegality_of(s), "");
}

TEST(EditTest, AppendsTablesWithRenumberedOps) {
    Scenario target = small_scenario();
    const std::vector<Op> ops = append_tables(target, small_scenario());
    EXPECT_EQ(target.programs.size(), 4u);
    EXPECT_EQ(target.traces[1].steps[1].program, 3u);
    ASSERT_EQ(ops.size(), 7u);
    EXPECT_EQ(std::get<OpWriteBuffer>(ops[0]).buffer, 1u);
    EXPECT_EQ(std::get<OpEnqueue>(ops[1]).program, 3u);
    EXPECT_EQ(std::get<OpReplay>(ops[3]).trace, 1u);
}

TEST(EditTest, LeavesOutWhatFindsNoRoom) {
    Scenario target = small_scenario();
    target.traces.resize(limits::kTracesMax);
    const std::vector<Op> ops = append_tables(target, small_scenario());
    EXPECT_EQ(target.traces.size(), limits::kTracesMax);
    EXPECT_EQ(ops.size(), 4u);  // no capture, replay, release
}

}  // namespace
}  // namespace cqfuzz
