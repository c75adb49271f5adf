// Goal: for nine of ten faults that an oracle catches, what `cqfuzz explain` tells names the right
// role, the right ring or memory, and the right kind of command. Method: each fault is hunted with
// a pinned seed, its finding minimised, and its story compared with a table that was written from
// the faulty lines alone, before any story was read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "harness/report/text_report.hpp"
#include "harness/search/hunt.hpp"
#include "runtime_under_test/faults/faults.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kScenariosMax = 2500;
constexpr std::uint32_t kMinimiseRuns = 300;
constexpr std::uint32_t kOpsMax = 64;
constexpr double kRightAtLeast = 0.9;

struct Expectation {
    rt::Fault fault;
    const char *roles, *places, *commands;
};

constexpr Expectation kExpectations[] = {
#define CQFUZZ_EXPLAINS(fault, roles, places, commands) {rt::Fault::fault, roles, places, commands},
#include "tests/harness/report/explain_expectations.def"
#undef CQFUZZ_EXPLAINS
};

std::string lowered(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// As a word of its own. `owner`: "prefetch_d" is not meant by "prefetch_d.cmddat_q".
bool names(const std::string& text, const std::string& word, bool owner) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !in_word(text[at - 1]);
        const bool ends = end == text.size() || !in_word(text[end]);
        const bool is_part = owner && end + 1 < text.size() && text[end] == '.' &&
                             std::isalpha(static_cast<unsigned char>(text[end + 1])) != 0;
        if (begins && ends && !is_part) return true;
    }
    return false;
}

bool names_one_of(const std::string& text, const std::string& words, bool owner) {
    std::istringstream each(lowered(words));
    for (std::string word; each >> word;)
        if (word == "-" || names(text, word, owner)) return true;
    return false;
}

// Both shapes of an actor run the same code.
std::string with_shapes(const std::string& roles) {
    std::istringstream each(roles);
    std::string out;
    for (std::string role; each >> role;) {
        out += role + " ";
        for (const std::string actor : {"prefetch", "dispatch"}) {
            if (role == actor) out += actor + "_h " + actor + "_d " + actor + "_hd ";
            if (role == actor + "_h" || role == actor + "_d") out += actor + "_hd ";
        }
    }
    return out;
}

// What the report says of the cause: not the schedule, the op or the command that replays it, and
// not who else waited.
std::string cause_text(Verdict verdict, const Scenario& scenario) {
    Violation& v = verdict.violation;
    v.op_index = kNoOp;
    v.story.erase(
        std::remove_if(v.story.begin(), v.story.end(),
                       [](const std::string& line) { return line.rfind("besides", 0) == 0; }),
        v.story.end());
    Scenario plain = scenario;
    plain.schedule = Schedule{};
    Finding finding;
    finding.verdict = &verdict;
    finding.scenario = &plain;
    return text_report(finding, {.verbose = true});
}

std::string missing_in(const std::string& text, const Expectation& e) {
    std::string missing;
    if (!names_one_of(text, with_shapes(e.roles), true))
        missing += std::string(" role: ") + e.roles + ";";
    if (!names_one_of(text, e.places, false)) missing += std::string(" place: ") + e.places + ";";
    if (!names_one_of(text, e.commands, false)) missing += std::string(" command: ") + e.commands;
    return missing;
}

TEST(ExplainFaultsTest, WordsAreMatchedWhole) {
    EXPECT_TRUE(names("held by dispatch_d: a write", "dispatch_d", true));
    EXPECT_FALSE(names("pages of prefetch_d.cmddat_q", "prefetch_d", true));
    EXPECT_TRUE(names("pages of prefetch_d.cmddat_q", "cmddat_q", false));
    EXPECT_FALSE(names("write_packed_large of op 1", "write_packed", false));
    EXPECT_FALSE(names("golden-memory/wrong-at-go", "go", false));
    EXPECT_TRUE(names("ends with dispatch_d.", "dispatch_d", true));
}

TEST(ExplainFaultsTest, EveryFaultHasOneExpectation) {
    for (const rt::FaultInfo& info : rt::all_faults()) {
        const auto count =
            std::count_if(std::begin(kExpectations), std::end(kExpectations),
                          [&](const Expectation& e) { return e.fault == info.fault; });
        EXPECT_EQ(count, 1) << info.name;
    }
}

TEST(ExplainFaultsTest, NineOfTenAreExplainedByTheRightNames) {
    Runner runner;
    int caught = 0;
    int right = 0;
    const char* only = std::getenv("CQFUZZ_EXPLAIN_FAULT");  // one fault, its story printed
    for (const Expectation& e : kExpectations) {
        const std::string_view name = rt::all_faults()[static_cast<std::size_t>(e.fault)].name;
        if (only != nullptr && name != only) continue;
        HuntOptions hunting;
        hunting.faults = *rt::faults_named(name);
        hunting.seed = kSeed;
        hunting.scenarios_max = kScenariosMax;
        hunting.ops_max = kOpsMax;
        const HuntTrial trial = hunt(runner, hunting);
        if (!trial.found) {
            std::cout << "not caught: " << name << "\n";
            continue;
        }
        RunOptions options;
        options.faults = hunting.faults;
        const MinimisedFinding small =
            minimise_finding(runner, trial.scenario, trial.verdict, options, kMinimiseRuns);
        const std::string text = cause_text(small.verdict, small.scenario);
        const std::string missing = missing_in(lowered(text), e);
        ++caught;
        right += missing.empty() ? 1 : 0;
        if (!missing.empty() || only != nullptr)
            std::cout << name << ": not named:" << missing << "\n" << text << std::flush;
    }
    std::cout << right << " of " << caught << " explained by the right names\n";
    if (only == nullptr) {
        EXPECT_GE(right, kRightAtLeast * caught);
    }
}

}  // namespace
}  // namespace cqfuzz
