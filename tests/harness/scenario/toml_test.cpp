// The text form and case files: exact round trips, errors that name file, line, key and what is
// allowed, hostile texts, and files of earlier formats, which keep their meaning.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "harness/scenario/case.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/verbs.hpp"
#include "tests/harness/scenario/wild.hpp"

namespace cqfuzz {
namespace {

std::string file_text(const std::string& name) {
    std::ifstream in(std::string(CQFUZZ_FORMATS_DIR) + "/" + name);
    EXPECT_TRUE(in) << name;
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(TomlTest, ComesBackExactlyForEveryLegalScenario) {
    Rng rng(21);
    for (int i = 0; i < 500; ++i) {
        Scenario scenario =
            i % 2 == 0 ? generate(Domain::trace_replay, rng, 64) : wild::scenario(rng);
        legalise(scenario);
        const std::string text = scenario_to_toml(scenario);
        const Result<Scenario> back = scenario_from_toml(text, "x.toml");
        ASSERT_TRUE(back.ok()) << back.message() << "\n" << text;
        ASSERT_TRUE(equal(scenario, back.value())) << text;
        ASSERT_EQ(scenario_to_toml(back.value()), text);
    }
}

TEST(TomlTest, WritesAReadableCase) {
    Case c;
    c.title = "A trace is replayed";
    c.expected = "hang";
    c.fault = "late-orphan-write";
    c.scenario.topology.split = true;
    c.scenario.programs.resize(1);
    c.scenario.programs[0].kernels.resize(2);
    c.scenario.programs[0].kernels[1].processor = 1;
    c.scenario.programs[0].kernels[1].cores.x1 = 1;
    c.scenario.traces.resize(1);
    c.scenario.traces[0].steps = {{0, 2}};
    c.scenario.ops = {OpCapture{0}, OpReplay{0, 3, true}};
    EXPECT_EQ(case_to_toml(c), R"(# A trace is replayed
format = 1
expected = "hang"
fault = "late-orphan-write"

[topology]
split = true

[[program]]
kernels = [
    {},
    { cores = { x1 = 1 }, processor = 1 },
]

[[trace]]
steps = [
    { program = 0, times = 2 },
]

[[op]]
kind = "capture"
trace = 0

[[op]]
kind = "replay"
trace = 0
times = 3
blocking = true
)");
}

TEST(TomlTest, ReadsWhatItWritesForTheLargestScenario) {
    Scenario s;
    for (std::uint32_t i = 0; i < limits::kProgramsMax; ++i) {
        Program& program = s.programs.emplace_back();
        for (std::uint32_t k = 0; k < limits::kKernelsMax; ++k) {
            program.kernels.push_back(
                {false, {k % 8, k / 8, k % 8, k / 8}, 4, 16, 255, 255, 0xffffffff});
        }
        for (std::uint32_t k = 0; k < limits::kSemaphoresMax; ++k) {
            program.semaphores.push_back({false, {k % 8, k / 8, k % 8, k / 8}, 15, 0xffffffff});
            program.circular_buffers.push_back({{k % 8, k / 8, k % 8, k / 8}, 31, 63, 4080});
        }
    }
    s.ops.assign(limits::kOpsMax, OpWriteBuffer{7, 0xffffffff});
    const MoveName move{99, MoveKind::acknowledgement, 1, 0xffffffff};
    s.schedule.deviations.assign(limits::kDeviationsMax, {move, move});
    const Result<Scenario> back = scenario_from_toml(scenario_to_toml(s), "x.toml");
    ASSERT_TRUE(back.ok()) << back.message();
    EXPECT_TRUE(equal(s, back.value()));
}

struct Row {
    const char* text;
    const char* error;
};

const std::vector<Row> kErrors = {
    {"[geometry]\nscrach = 1\n",
     "f.toml:2: unknown key \"geometry.scrach\"; allowed here: block_accounting, config_style"},
    {"[geometree]\n",
     "f.toml:1: unknown key \"geometree\"; allowed here: format, expected, fault, order, topology"},
    {"\n\n[geometry]\nscratch = 1025\n",
     "f.toml:4: \"geometry.scratch\" is 1025; it must be 1024 to 131072 bytes, a multiple of 64"},
    {"[geometry]\ndispatch_blocks = 5\n",
     "f.toml:2: \"geometry.dispatch_blocks\" is 5; it must be one of 4, 8 (blocks)"},
    {"[geometry]\nscratch = -1\n", "\"geometry.scratch\" is -1; it must be"},
    {"[counters]\nreads = 4294967296\n",
     "f.toml:2: \"counters.reads\" is 4294967296; it must be 0 to 4294967295"},
    {"[geometry]\nscratch = 2048.0\n",
     "f.toml:2: \"geometry.scratch\" is a float; it must be an integer"},
    {"[topology]\nsplit = 1\n",
     "f.toml:2: \"topology.split\" is an integer; it must be true or false"},
    {"topology = 1\n", "f.toml:1: \"topology\" is an integer; it must be a table"},
    {"order = 1\n", "f.toml:1: \"order\" is an integer; it must be a string"},
    {"order = \"o9\"\n",
     "f.toml:1: \"order\" is \"o9\"; it must be one of \"o0\", \"o1\", \"o2\", \"o3\""},
    {"op = 3\n", "f.toml:1: \"op\" is an integer; it must be an array of tables"},
    {"op = [3]\n", "f.toml:1: \"op[0]\" is an integer; it must be a table"},
    {"[[op]]\ntrace = 0\n", "f.toml:1: \"op[0]\" has no \"kind\""},
    {"[[op]]\nkind = 3\n", "f.toml:2: \"op[0].kind\" is an integer; it must be a string"},
    {"[[op]]\nkind = \"finish\"\n[[op]]\nkind = \"reply\"\n",
     "f.toml:4: \"op[1].kind\" is \"reply\"; it must be one of \"write_buffer\", \"read_buffer\", "
     "\"enqueue\", \"capture\", "
     "\"replay\", \"release\", \"finish\""},
    {"[[op]]\nkind = \"replay\"\ntime = 3\n",
     "f.toml:3: unknown key \"op[0].time\"; allowed here: kind, trace, times, blocking"},
    {"[[op]]\nkind = \"replay\"\ntimes = 17\n",
     "f.toml:3: \"op[0].times\" is 17; it must be 1 to 16 times"},
    {"[[op]]\nkind = \"finish\"\nx = 1\n", "allowed here: kind"},
    {"[[program]]\nkernels = [\n  {},\n  { cores = { x9 = 1 } },\n]\n",
     "f.toml:4: unknown key \"program[0].kernels[1].cores.x9\"; allowed here: x0, y0, x1, y1"},
    {"buffer = [{},{},{},{},{},{},{},{},{}]\n",
     "f.toml:1: \"buffer\" has 9 entries; at most 8 are allowed"},
    {"format = 2\n", "f.toml:1: \"format\" is 2; this cqfuzz reads 1 to 1"},
    {"format = \"1\"\n", "f.toml:1: \"format\" is a string; it must be an integer"},
    {"expected = \"fail\"\n",
     "f.toml:1: \"expected\" is \"fail\"; it must be one of \"pass\", \"violation\""},
    {"expected = true\n", "f.toml:1: \"expected\" is a boolean; it must be a string"},
    {"fault = []\n", "f.toml:1: \"fault\" is an array; it must be a string"},
    {"order = \n", "f.toml:1: "},
    {"order = \"o1\"\norder = \"o2\"\n", "f.toml:2: "},
    {"\xff\xfe", "f.toml:1: "},
};

TEST(TomlTest, NamesFileLineKeyAndWhatIsAllowedInEachError) {
    for (const Row& row : kErrors) {
        const Result<Case> read = case_from_toml(row.text, "f.toml");
        ASSERT_FALSE(read.ok()) << row.text;
        EXPECT_NE(read.message().find(row.error), std::string::npos)
            << row.text << "\nsays: " << read.message();
        EXPECT_EQ(read.message().find('\n'), std::string::npos) << read.message();
    }
}

TEST(TomlTest, RefusesACaseHeaderWhereAScenarioIsMeant) {
    EXPECT_FALSE(scenario_from_toml("format = 1\n", "f.toml").ok());
}

TEST(TomlTest, LegalisesNothing) {
    const Result<Scenario> read =
        scenario_from_toml("[[op]]\nkind = \"replay\"\ntrace = 3\n", "f.toml");
    ASSERT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(illegality_of(read.value()), "op[0].trace 3: there are only 0 (rule R1)");
}

TEST(TomlTest, BoundsWhatAHostileTextCosts) {
    EXPECT_NE(
        case_from_toml(std::string(3u << 20, '\n'), "f").message().find("at most 2097152 are read"),
        std::string::npos);
    EXPECT_NE(case_from_toml("\n# " + std::string(2000, 'x'), "f")
                  .message()
                  .find("f:2: the line has 2002 bytes"),
              std::string::npos);
    std::string deep;
    for (int i = 0; i < 2000; ++i) {
        deep += "x = [\n";
    }
    EXPECT_FALSE(case_from_toml(deep, "f").ok());
    std::string dotted = "a";
    for (int i = 0; i < 490; ++i) {
        dotted += ".a";
    }
    std::string nested;
    for (int i = 0; i < 14; ++i) {
        nested += dotted + " = [ {\n";
    }
    EXPECT_FALSE(case_from_toml(nested, "f").ok());
    for (int i = 0; i < 14; ++i) {
        nested += "} ]";
    }
    EXPECT_FALSE(case_from_toml(nested, "f").ok());
    std::string many = "x = [\n";
    for (int i = 0; i < 100'000; ++i) {
        many += "[],\n";
    }
    EXPECT_FALSE(case_from_toml(many + "]\n", "f").ok());
}

TEST(TomlTest, BearsAnyChangeOfAText) {
    Rng rng(22);
    const std::string text = file_text("v1_trace_replay.toml");
    for (int i = 0; i < 2'000; ++i) {
        std::string changed = text;
        for (std::uint32_t left = 1 + rng.below(3); left != 0; --left) {
            const std::uint32_t at = rng.below(static_cast<std::uint32_t>(changed.size()));
            const std::uint32_t way = rng.below(3);
            if (way == 0) {
                changed[at] = static_cast<char>(rng.below(256));
            } else if (way == 1) {
                changed.erase(at, 1 + rng.below(10));
            } else {
                changed.insert(at, changed.substr(at / 2, rng.below(30)));
            }
        }
        const Result<Case> read = case_from_toml(changed, "f.toml");
        if (read.ok()) {
            ASSERT_NE(illegality_of(read.value().scenario), "?");
        } else {
            ASSERT_EQ(read.message().rfind("f.toml:", 0), 0u) << read.message();
        }
    }
}

TEST(CaseTest, ComesBackExactly) {
    Rng rng(23);
    for (const char* title :
         {"", "A sentence", "With \"quotes\" and \\ and = [x]", "# doubled", "trailing space "}) {
        Case c;
        c.title = title;
        c.expected = "livelock";
        c.fault = rng.one_in(2) ? "short-subcommand-cache" : "";
        c.scenario = generate(Domain::semaphore_multicast, rng, 32);
        const Result<Case> back = case_from_toml(case_to_toml(c), "c.toml");
        ASSERT_TRUE(back.ok()) << back.message();
        EXPECT_EQ(back.value().title, c.title);
        EXPECT_EQ(back.value().format, kCaseFormat);
        EXPECT_EQ(back.value().expected, c.expected);
        EXPECT_EQ(back.value().fault, c.fault);
        EXPECT_TRUE(equal(back.value().scenario, c.scenario));
    }
}

TEST(CaseTest, KeepsATitleOnOneLine) {
    Case c;
    c.title = "two\nlines";
    const Result<Case> back = case_from_toml(case_to_toml(c), "c.toml");
    ASSERT_TRUE(back.ok()) << back.message();
    EXPECT_EQ(back.value().title, "two lines");
}

TEST(CaseTest, ReadsFilesWithCarriageReturns) {
    const Result<Case> read =
        case_from_toml("# Title\r\nformat = 1\r\norder = \"o2\"\r\n", "c.toml");
    ASSERT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(read.value().title, "Title");
    EXPECT_EQ(read.value().scenario.order, OrderLevel::o2);
}

// Earlier formats keep their meaning: these files are never changed, and a later field has its
// default in them.
TEST(FormatsTest, ReadsVersion1WithEveryField) {
    const std::string text = file_text("v1_trace_replay.toml");
    const Result<Case> read = case_from_toml(text, "v1_trace_replay.toml");
    ASSERT_TRUE(read.ok()) << read.message();
    const Scenario& s = read.value().scenario;
    EXPECT_EQ(illegality_of(s), "");
    EXPECT_EQ(read.value().title,
              "A trace of two programs is replayed in a split machine, with everything that format "
              "1 can say");
    EXPECT_EQ(read.value().expected, "violation");
    EXPECT_EQ(read.value().fault, "late-orphan-write");
    EXPECT_EQ(s.geometry.dispatch_h_pages_per_block, 3u);
    EXPECT_EQ(s.counters.semaphores, 4294967294u);
    ASSERT_EQ(s.schedule.deviations.size(), 2u);
    EXPECT_EQ(s.schedule.deviations[0].hold.ordinal, 12u);
    ASSERT_EQ(s.programs.size(), 2u);
    EXPECT_EQ(s.programs[0].circular_buffers[0].index, 31u);
    ASSERT_EQ(s.ops.size(), 7u);
    EXPECT_EQ(std::get<OpReplay>(s.ops[3]).times, 2u);
    EXPECT_EQ(case_to_toml(read.value()), text) << "written back, the file is the same";
    EXPECT_TRUE(equal(decode(encode(s)), s));
}

TEST(FormatsTest, ReadsVersion1WrittenByHand) {
    const Result<Case> read = case_from_toml(file_text("v1_by_hand.toml"), "v1_by_hand.toml");
    ASSERT_TRUE(read.ok()) << read.message();
    const Scenario& s = read.value().scenario;
    EXPECT_EQ(illegality_of(s), "");
    EXPECT_EQ(s.topology.worker_cols, 1u);
    EXPECT_EQ(s.geometry.scratch, 19456u);
    ASSERT_EQ(s.programs.size(), 1u);
    EXPECT_EQ(s.programs[0].kernels[0].binary_bytes, 4096u);
    EXPECT_EQ(std::get<OpEnqueue>(s.ops[0]).times, 2u);
}

// The binary form of the same scenario, as format 1 wrote it.
TEST(FormatsTest, ReadsVersion1Bytes) {
    std::istringstream hex(file_text("v1_trace_replay.hex"));
    std::vector<std::byte> bytes;
    for (std::string word; hex >> word;) {
        bytes.push_back(static_cast<std::byte>(std::stoul(word, nullptr, 16)));
    }
    const Result<Case> text =
        case_from_toml(file_text("v1_trace_replay.toml"), "v1_trace_replay.toml");
    ASSERT_TRUE(text.ok()) << text.message();
    EXPECT_TRUE(equal(decode(bytes), text.value().scenario));
}

}  // namespace
}  // namespace cqfuzz
