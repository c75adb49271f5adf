// Holds the lists to the tree: every source in a CMakeLists.txt, and a corpus, a test or a file for
// whatever promises one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "tests/source_tree.hpp"

namespace cqfuzz::tidy {
namespace {

// --- lists
// --------------------------------------------------------------------------------------------------------------

// Words of a CMakeLists.txt that end in .cpp, and <name>_fuzz.cpp for each declared target.
std::vector<std::string> listed_sources(const SourceFile& cmake) {
    std::vector<std::string> listed;
    for (const std::string& line : cmake.lines) {
        std::string word;
        const auto flush = [&] {
            if (ends_with(word, ".cpp")) listed.push_back(word);
            word.clear();
        };
        for (const char c : line.substr(0, line.find('#'))) {
            if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '(' || c == ')') {
                flush();
            } else {
                word += c;
            }
        }
        flush();
        constexpr std::string_view kTarget = "cqfuzz_fuzz_target(";
        if (starts_with(line, kTarget)) {
            const std::string rest = line.substr(kTarget.size());
            listed.push_back(rest.substr(0, rest.find_first_of(" )")) + "_fuzz.cpp");
        }
    }
    return listed;
}

TEST(TidyListsTest, EverySourceIsListedAndEveryListedSourceIsThere) {
    std::set<std::string> listed;
    for (const SourceFile& file : tree()) {
        if (name_of(file.path) != "CMakeLists.txt" || file.path == "CMakeLists.txt") continue;
        for (const std::string& source : listed_sources(file)) {
            const std::string path = folder_of(file.path) + "/" + source;
            EXPECT_TRUE(exists(path)) << file.path << " lists " << source << ", which is not there";
            listed.insert(path);
        }
    }
    for (const SourceFile& file : tree()) {
        // cmake/Targets.cmake gives these two to every target.
        const std::string name = name_of(file.path);
        if (name == "replay_main.cpp" || name == "afl_mutator.cpp") continue;
        if (!ends_with(file.path, ".cpp") || is_kernel_code(file.path)) continue;
        EXPECT_TRUE(listed.count(file.path) != 0)
            << file.path << ": in no CMakeLists.txt of its folder";
    }
}

TEST(TidyListsTest, ListsOfSourcesAreSorted) {
    for (const SourceFile& file : tree()) {
        if (name_of(file.path) != "CMakeLists.txt") continue;
        std::string previous;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            std::string word = file.lines[i];
            word.erase(0, word.find_first_not_of(' '));
            if (!ends_with(word, ".cpp") || word.find(' ') != std::string::npos) {
                previous.clear();
                continue;
            }
            EXPECT_LT(previous, word) << where(file, i) << ": the list is not sorted";
            previous = word;
        }
    }
}

TEST(TidyListsTest, TargetsHaveACorpusAndCorporaATarget) {
    for (const SourceFile& file : tree()) {
        const std::string name = name_of(file.path);
        if (starts_with(file.path, "fuzz_targets/") && ends_with(name, "_fuzz.cpp") &&
            name != "canary_fuzz.cpp") {
            const std::string target =
                name.substr(0, name.size() - std::string_view("_fuzz.cpp").size());
            EXPECT_TRUE(folder_has("corpus/" + target + "/seed", ".toml"))
                << file.path << ": corpus/" << target << "/seed is empty";
            EXPECT_LE(file.lines.size(), 60u) << file.path << ": a target has at most 60 lines";
        }
        if (starts_with(file.path, "corpus/")) {
            const std::string target = file.path.substr(7, file.path.find('/', 7) - 7);
            EXPECT_TRUE(exists("fuzz_targets/" + target + "_fuzz.cpp"))
                << file.path << ": there is no target " << target;
            EXPECT_TRUE(starts_with(file.path, "corpus/" + target + "/seed/") ||
                        starts_with(file.path, "corpus/" + target + "/regression/"))
                << file.path << ": a case lies in seed/ or regression/";
            EXPECT_TRUE(!file.lines.empty() && starts_with(file.lines[0], "# "))
                << file.path << ": its first line is a sentence";
        }
    }
}

bool tests_mention(const std::string& text) {
    return std::any_of(tree().begin(), tree().end(), [&text](const SourceFile& file) {
        return starts_with(file.path, "tests/") && ends_with(file.path, "_test.cpp") &&
               std::any_of(file.lines.begin(), file.lines.end(),
                           [&text](const std::string& l) { return has_word(l, text); });
    });
}

// By its identifier or by its name in quotes.
TEST(TidyListsTest, EveryFaultHasATest) {
    for (const SourceFile& file : tree()) {
        if (!ends_with(file.path, "faults.def")) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            constexpr std::string_view kEntry = "CQFUZZ_FAULT(";
            if (!starts_with(line, kEntry)) continue;
            const std::string identifier =
                line.substr(kEntry.size(), line.find(',') - kEntry.size());
            std::string quoted = "\"" + identifier + "\"";
            std::replace(quoted.begin(), quoted.end(), '_', '-');
            EXPECT_TRUE(tests_mention("Fault::" + identifier) || tests_mention(quoted))
                << where(file, i) << ": no test names fault " << identifier;
        }
    }
}

// One test file each, with a planted mistake and a clean run.
TEST(TidyListsTest, EveryOracleHasATest) {
    bool inside = false;
    for (const SourceFile& file : tree()) {
        if (file.path != "harness/oracle/oracles.hpp") continue;
        for (const std::string& line : file.lines) {
            if (starts_with(line, "enum class OracleId")) {
                inside = true;
            } else if (line == "};") {
                inside = false;
            } else if (inside && line.find("kCount") == std::string::npos) {
                const std::size_t first = line.find_first_not_of(' ');
                const std::string oracle =
                    line.substr(first, line.find_first_of(",= ", first) - first);
                const std::string test = "tests/harness/oracle/" + oracle + "_test.cpp";
                EXPECT_TRUE(exists(test)) << "oracle " << oracle << " has no " << test;
            }
        }
    }
}

// --- documents
// ----------------------------------------------------------------------------------------------------------

TEST(TidyListsTest, EachDocumentHasOneTitle) {
    for (const SourceFile& file : tree()) {
        if (!ends_with(file.path, ".md")) continue;
        std::size_t titles = 0;
        bool fenced = false;
        for (const std::string& line : file.lines) {
            if (starts_with(line, "```")) fenced = !fenced;
            if (!fenced && starts_with(line, "# ")) ++titles;
        }
        EXPECT_EQ(titles, 1u) << file.path;
        const bool guide = file.path == "ARCHITECTURE.md" || file.path == "CONTRIBUTING.md";
        EXPECT_TRUE(!guide || file.lines.size() < 200)
            << file.path << ": a guide has less than 200 lines";
    }
}

// Paths in backquotes, in the documents that guide through the tree.
TEST(TidyListsTest, DocumentsNameFilesThatExist) {
    for (const SourceFile& file : tree()) {
        if (file.path != "README.md" && file.path != "ARCHITECTURE.md" &&
            file.path != "CONTRIBUTING.md")
            continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            for (std::size_t at = line.find('`'); at != std::string::npos;) {
                const std::size_t end = line.find('`', at + 1);
                if (end == std::string::npos) break;
                const std::string word = line.substr(at + 1, end - at - 1);
                const bool is_path = word.find('/') != std::string::npos &&
                                     word.find_first_of(" <*{:") == std::string::npos &&
                                     has_ending(word, {".cpp", ".hpp", ".def", ".toml", ".md",
                                                       ".txt", ".py", ".cmake"});
                const bool good = !is_path || starts_with(word, "build/") || exists(word);
                EXPECT_TRUE(good) << where(file, i) << ": there is no " << word;
                at = line.find('`', end + 1);
            }
        }
    }
}

}  // namespace
}  // namespace cqfuzz::tidy
