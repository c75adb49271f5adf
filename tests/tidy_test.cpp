// Holds the sources to the rules that a machine can check: the include table, file and function
// size, words.
//
// Method: reads the sources as text, line by line; no compiler. Every failure names file and line
// and says what to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "tests/source_tree.hpp"

namespace cqfuzz::tidy {
namespace {

constexpr std::size_t kFileLinesMax = 500;
constexpr std::size_t kFunctionLinesMax = 70;

// --- the include table (ARCHITECTURE.md)
// --------------------------------------------------------------------------------

const std::vector<std::string> kUpToRun = {
    "harness/base",   "harness/device_api", "harness/silicon", "harness/scenario",  "harness/drive",
    "harness/oracle", "harness/loads",      "harness/run",     "runtime_under_test"};

// Folder → what it may include besides itself.
std::map<std::string, std::vector<std::string>> include_table() {
    std::map<std::string, std::vector<std::string>> table = {
        {"runtime_under_test/protocol", {}},
        {"runtime_under_test/faults", {}},
        {"runtime_under_test/host", {"runtime_under_test/protocol", "runtime_under_test/faults"}},
        {"runtime_under_test/firmware",
         {"runtime_under_test/protocol", "runtime_under_test/faults", "harness/device_api"}},
        {"harness/base", {}},
        {"harness/device_api", {"harness/base"}},
        {"harness/silicon",
         {"harness/base", "harness/device_api", "runtime_under_test/host/cluster.hpp",
          "runtime_under_test/protocol/core_launch.hpp"}},
        {"harness/scenario", {"harness/base"}},
        {"harness/drive",
         {"harness/base", "harness/scenario", "runtime_under_test/host",
          "runtime_under_test/protocol"}},
        {"harness/oracle", {"harness/base", "runtime_under_test/protocol"}},
        {"harness/loads", {"harness/base", "harness/scenario"}},
        {"harness/run", kUpToRun},
        {"harness/search", kUpToRun},
        {"harness/hosting", kUpToRun},
        {"harness/report",
         {"harness/base", "harness/scenario", "harness/oracle", "harness/run",
          "runtime_under_test/protocol"}},
        {"harness/cli",
         {"harness/base", "harness/run", "harness/search", "harness/hosting", "harness/loads",
          "harness/report", "harness/scenario", "runtime_under_test/faults"}},
    };
    return table;
}

// A target's own file knows scenarios and runs; the plumbing behind all targets may include
// anything.
bool target_may_include(const std::string& from, const std::string& included) {
    return !ends_with(from, "_fuzz.cpp") || starts_with(included, "fuzz_targets/") ||
           starts_with(included, "harness/base/") || starts_with(included, "harness/run/") ||
           starts_with(included, "harness/scenario/");
}

bool may_include(const std::string& from, const std::string& included) {
    static const auto table = include_table();
    if (starts_with(from, "fuzz_targets/")) return target_may_include(from, included);
    const auto row = table.find(folder_of(from));
    if (row == table.end()) return starts_with(from, "tests/") || starts_with(from, "bench/");
    if (starts_with(included, row->first + "/")) return true;
    return std::any_of(row->second.begin(), row->second.end(),
                       [&included](const std::string& allowed) {
                           return included == allowed || starts_with(included, allowed + "/");
                       });
}

TEST(TidyTest, IncludesFollowTheTable) {
    for (const SourceFile& file : tree()) {
        if (!is_code(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            constexpr std::string_view kInclude = "#include \"";
            if (!starts_with(line, kInclude)) continue;
            const std::string included =
                line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
            // fmt/format-inl.h is the one foreign header that is included by quotes.
            if (starts_with(included, "fmt/")) continue;
            // Kernels have include folders of their own; what the tool gives them is in one.
            if (is_kernel_code(file.path)) continue;
            EXPECT_TRUE(exists(included))
                << where(file, i) << ": " << included << " is no file, as seen from the root";
            EXPECT_TRUE(may_include(file.path, included))
                << where(file, i) << ": " << folder_of(file.path) << " may not include " << included
                << " (ARCHITECTURE.md)";
        }
    }
}

// A foreign header that is slow to compile stays where it is meant to be.
TEST(TidyTest, HeavyLibrariesStayInTheirFiles) {
    const std::map<std::string, std::size_t> sources_max = {
        {"CLI/", 2}, {"nlohmann/", 4}, {"toml++/", 2}, {"fmt/format", 1}};
    for (const auto& [library, most] : sources_max) {
        std::set<std::string> users;
        for (const SourceFile& file : tree()) {
            if (!is_code(file.path) || starts_with(file.path, "tests/")) continue;
            for (const std::string& line : file.lines) {
                if (starts_with(line, "#include <" + library) ||
                    starts_with(line, "#include \"" + library)) {
                    EXPECT_FALSE(ends_with(file.path, ".hpp"))
                        << file.path << ": no header includes " << library;
                    users.insert(file.path);
                }
            }
        }
        EXPECT_LE(users.size(), most) << library << " is included by too many sources";
    }
}

// --- size
// ---------------------------------------------------------------------------------------------------------------

TEST(TidyTest, FilesAreShort) {
    for (const SourceFile& file : tree()) {
        if (!is_code(file.path)) continue;
        EXPECT_LE(file.lines.size(), kFileLinesMax) << file.path << ": is it two things?";
    }
}

// Functions begin and end in the first column, or four spaces in when they are members written in
// place.
TEST(TidyTest, FunctionsAreShort) {
    for (const SourceFile& file : tree()) {
        if (!ends_with(file.path, ".cpp")) continue;
        std::size_t begin = 0;
        bool inside = false;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            if (!inside && !line.empty() && ends_with(line, "{") &&
                std::isalpha(static_cast<unsigned char>(line[0])) != 0) {
                inside = line.find('(') != std::string::npos;
                begin = i;
            } else if (inside && line == "}") {
                EXPECT_LE(i - begin + 1, kFunctionLinesMax)
                    << where(file, begin) << ": this function is too long";
                inside = false;
            }
        }
    }
}

// --- words
// --------------------------------------------------------------------------------------------------------------

struct Banned {
    std::string word;
    std::string instead;
};

// Written in two halves, so that this file does not hold what it forbids.
TEST(TidyTest, NothingIsLeftToDo) {
    const std::vector<std::string> marks = {std::string("FIX") + "ME", std::string("TO") + "DO",
                                            std::string("X") + "XX", std::string("GTEST_") + "SKIP",
                                            std::string("DISABLED") + "_"};
    for (const SourceFile& file : tree()) {
        if (file.path == "LICENSE" || starts_with(file.path, "corpus/")) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            for (const std::string& mark : marks) {
                EXPECT_FALSE(has_word(file.lines[i], mark)) << where(file, i) << ": " << mark;
            }
        }
    }
}

TEST(TidyTest, TheRunPathIsDeterministic) {
    const std::vector<Banned> banned = {
        {"rand", "cqfuzz::Rng"},
        {"std::hash", "Fingerprint, or a sort"},
        {"unordered_map", "std::map or a sorted vector"},
        {"unordered_set", "a sorted vector"},
        {"random_device", "cqfuzz::Rng"},
        {"mt19937", "cqfuzz::Rng"},
        {"uniform_int_distribution", "Rng::below"},
        {"std::thread", "a process"},
        {"std::chrono", "scheduler moves"},
        {"setlocale", "nothing"},
        {"thread_local", "an object of the run"},
    };
    for (const SourceFile& file : tree()) {
        const bool on_run_path =
            starts_with(file.path, "runtime_under_test/") ||
            (starts_with(file.path, "harness/") && !starts_with(file.path, "harness/cli/") &&
             !starts_with(file.path, "harness/report/"));
        if (!on_run_path || !is_code(file.path) || file.path == "harness/base/fmt_library.cpp")
            continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string code = file.lines[i].substr(0, file.lines[i].find("//"));
            for (const Banned& b : banned) {
                EXPECT_FALSE(has_word(code, b.word))
                    << where(file, i) << ": " << b.word << "; use " << b.instead;
            }
        }
    }
}

TEST(TidyTest, TheOldestCompilersTakeIt) {
    const std::vector<Banned> banned = {
        {"std::views", "a loop"},
        {"source_location", "__builtin_FILE and __builtin_LINE"},
        {"std::format", "fmt::format"},
        {"std::expected", "cqfuzz::Result"},
        {"std::jthread", "a process"},
        {"<format>", "fmt/core.h"},
        {"<expected>", "harness/base/result.hpp"},
    };
    for (const SourceFile& file : tree()) {
        if (!is_code(file.path) || file.path == "tests/tidy_test.cpp") continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            for (const Banned& b : banned) {
                EXPECT_FALSE(has_word(line, b.word))
                    << where(file, i) << ": " << b.word << "; use " << b.instead;
            }
            const bool opens_namespace =
                ends_with(file.path, ".hpp") && has_word(line, "using namespace");
            EXPECT_FALSE(opens_namespace) << where(file, i) << ": no using namespace in a header";
        }
    }
}

TEST(TidyTest, WordsAreTheFieldsOwn) {
    const std::vector<Banned> banned = {
        {"opcode", "command id"}, {"executor", "dispatcher"},       {"shrinker", "minimiser"},
        {"validator", "oracle"},  {"testcase", "case or scenario"},
    };
    for (const SourceFile& file : tree()) {
        if (!has_ending(file.path, {".cpp", ".hpp", ".md"}) ||
            file.path == "docs/dispatch-facts.md")
            continue;
        if (file.path == "tests/tidy_test.cpp") continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            for (const Banned& b : banned) {
                EXPECT_FALSE(has_word(file.lines[i], b.word))
                    << where(file, i) << ": say " << b.instead;
            }
        }
    }
}

TEST(TidyTest, FilesAreNamedForWhatTheyHold) {
    const std::set<std::string> empty_names = {"utils",   "util",   "common",
                                               "helpers", "helper", "misc"};
    for (const SourceFile& file : tree()) {
        const std::string name = name_of(file.path);
        const std::string stem = name.substr(0, name.find('.'));
        EXPECT_EQ(empty_names.count(stem), 0u) << file.path << ": this name says nothing";
        if (!is_code(file.path)) continue;
        const bool lower = std::none_of(name.begin(), name.end(), [](unsigned char c) {
            return std::isupper(c) != 0 || c == '-';
        });
        EXPECT_TRUE(lower) << file.path << ": file names are snake_case";
        if (ends_with(name, ".hpp")) {
            const bool once =
                std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end();
            EXPECT_TRUE(once) << file.path << ": #pragma once is missing";
            EXPECT_TRUE(!file.lines.empty() && starts_with(file.lines[0], "//"))
                << file.path << ": say first what it is";
        }
    }
}

// Two types of one name in one namespace link together silently, and one of them gets the other's
// functions.
TEST(TidyTest, EachTypeOfANamespaceIsDefinedOnce) {
    std::map<std::string, std::string> defined_in;
    for (const SourceFile& file : tree()) {
        if (!ends_with(file.path, ".hpp") || starts_with(file.path, "tests/")) continue;
        std::string space;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            if (starts_with(line, "namespace ")) space = line;
            for (const std::string_view keyword : {"struct ", "class ", "enum class "}) {
                if (!starts_with(line, keyword) || line.find('{') == std::string::npos) continue;
                const std::string rest = line.substr(keyword.size());
                const std::string name = rest.substr(0, rest.find_first_of(" {"));
                if (rest.find('<') < rest.find('{')) continue;  // a specialisation
                const auto [entry, is_new] = defined_in.emplace(space + name, where(file, i));
                EXPECT_TRUE(is_new)
                    << where(file, i) << ": " << name << " is also defined at " << entry->second;
            }
        }
    }
}

}  // namespace
}  // namespace cqfuzz::tidy
