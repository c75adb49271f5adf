// Holds the tree to the rules that a machine can check: the include table, file and function size, words, lists of sources,
// and that targets, faults and oracles have their corpus and tests.
//
// Method: reads the sources as text, line by line; no compiler. Every failure names file and line and says what to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileLinesMax = 500;
constexpr std::size_t kFunctionLinesMax = 70;

struct SourceFile {
    std::string path;  // from the root, with '/'
    std::vector<std::string> lines;
};

bool ends_with(std::string_view text, std::string_view ending) {
    return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

bool starts_with(std::string_view text, std::string_view beginning) { return text.substr(0, beginning.size()) == beginning; }

bool has_ending(std::string_view path, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [path](std::string_view e) { return ends_with(path, e); });
}

bool is_code(std::string_view path) { return has_ending(path, {".cpp", ".hpp", ".def"}); }

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::vector<SourceFile> read_tree() {
    std::vector<SourceFile> files;
    const fs::path root = CQFUZZ_SOURCE_DIR;
    for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
        const std::string path = it->path().lexically_relative(root).generic_string();
        if (path == "build" || path == ".git" || ends_with(path, "__pycache__")) {
            it.disable_recursion_pending();
            continue;
        }
        if (!it->is_regular_file()) continue;
        SourceFile file{path, {}};
        std::ifstream in(it->path());
        for (std::string line; std::getline(in, line);) file.lines.push_back(line);
        files.push_back(std::move(file));
    }
    std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    return files;
}

const std::vector<SourceFile>& tree() {
    static const std::vector<SourceFile> files = read_tree();
    return files;
}

bool exists(const std::string& path) {
    return std::any_of(tree().begin(), tree().end(), [&path](const SourceFile& f) { return f.path == path; });
}

bool folder_has(const std::string& folder, std::string_view ending) {
    return std::any_of(tree().begin(), tree().end(), [&](const SourceFile& f) {
        return starts_with(f.path, folder + "/") && ends_with(f.path, ending);
    });
}

std::string where(const SourceFile& file, std::size_t line) { return file.path + ":" + std::to_string(line + 1); }

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// `word` stands in `line`; where it begins or ends with a letter, digit or underscore it must not go on there.
bool has_word(const std::string& line, const std::string& word) {
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !is_word_char(word.front()) || !is_word_char(line[at - 1]);
        const bool stops = end == line.size() || !is_word_char(word.back()) || !is_word_char(line[end]);
        if (begins && stops) return true;
    }
    return false;
}

// --- the include table (ARCHITECTURE.md) --------------------------------------------------------------------------------

const std::vector<std::string> kUpToRun = {"harness/base",    "harness/device_api", "harness/silicon", "harness/scenario",
                                           "harness/drive",   "harness/oracle",     "harness/loads",   "harness/run",
                                           "runtime_under_test"};

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
         {"harness/base", "harness/scenario", "runtime_under_test/host", "runtime_under_test/protocol"}},
        {"harness/oracle", {"harness/base", "runtime_under_test/protocol"}},
        {"harness/loads", {"harness/base", "harness/scenario"}},
        {"harness/run", kUpToRun},
        {"harness/search", kUpToRun},
        {"harness/hosting", kUpToRun},
        {"harness/report",
         {"harness/base", "harness/scenario", "harness/oracle", "harness/run", "runtime_under_test/protocol"}},
        {"harness/cli",
         {"harness/base", "harness/run", "harness/search", "harness/hosting", "harness/loads", "harness/report",
          "harness/scenario", "runtime_under_test/faults"}},
    };
    return table;
}

// A target's own file knows scenarios and runs; the plumbing behind all targets may include anything.
bool target_may_include(const std::string& from, const std::string& included) {
    return !ends_with(from, "_fuzz.cpp") || starts_with(included, "fuzz_targets/") ||
           starts_with(included, "harness/run/") || starts_with(included, "harness/scenario/");
}

bool may_include(const std::string& from, const std::string& included) {
    static const auto table = include_table();
    if (starts_with(from, "fuzz_targets/")) return target_may_include(from, included);
    const auto row = table.find(folder_of(from));
    if (row == table.end()) return starts_with(from, "tests/") || starts_with(from, "bench/");
    if (starts_with(included, row->first + "/")) return true;
    return std::any_of(row->second.begin(), row->second.end(), [&included](const std::string& allowed) {
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
            const std::string included = line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
            // fmt/format-inl.h is the one foreign header that is included by quotes.
            if (starts_with(included, "fmt/")) continue;
            EXPECT_TRUE(exists(included)) << where(file, i) << ": " << included << " is no file, as seen from the root";
            EXPECT_TRUE(may_include(file.path, included)) << where(file, i) << ": " << folder_of(file.path)
                                                          << " may not include " << included << " (ARCHITECTURE.md)";
        }
    }
}

// A foreign header that is slow to compile stays where it is meant to be.
TEST(TidyTest, HeavyLibrariesStayInTheirFiles) {
    const std::map<std::string, std::size_t> sources_max = {{"CLI/", 2}, {"nlohmann/", 2}, {"toml++/", 2}, {"fmt/format", 1}};
    for (const auto& [library, most] : sources_max) {
        std::set<std::string> users;
        for (const SourceFile& file : tree()) {
            if (!is_code(file.path) || starts_with(file.path, "tests/")) continue;
            for (const std::string& line : file.lines) {
                if (starts_with(line, "#include <" + library) || starts_with(line, "#include \"" + library)) {
                    EXPECT_FALSE(ends_with(file.path, ".hpp")) << file.path << ": no header includes " << library;
                    users.insert(file.path);
                }
            }
        }
        EXPECT_LE(users.size(), most) << library << " is included by too many sources";
    }
}

// --- size ---------------------------------------------------------------------------------------------------------------

TEST(TidyTest, FilesAreShort) {
    for (const SourceFile& file : tree()) {
        if (!is_code(file.path)) continue;
        EXPECT_LE(file.lines.size(), kFileLinesMax) << file.path << ": is it two things?";
    }
}

// Functions begin and end in the first column, or four spaces in when they are members written in place.
TEST(TidyTest, FunctionsAreShort) {
    for (const SourceFile& file : tree()) {
        if (!ends_with(file.path, ".cpp")) continue;
        std::size_t begin = 0;
        bool inside = false;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            if (!inside && !line.empty() && ends_with(line, "{") && std::isalpha(static_cast<unsigned char>(line[0])) != 0) {
                inside = line.find('(') != std::string::npos;
                begin = i;
            } else if (inside && line == "}") {
                EXPECT_LE(i - begin + 1, kFunctionLinesMax) << where(file, begin) << ": this function is too long";
                inside = false;
            }
        }
    }
}

// --- words --------------------------------------------------------------------------------------------------------------

struct Banned {
    std::string word;
    std::string instead;
};

// Written in two halves, so that this file does not hold what it forbids.
TEST(TidyTest, NothingIsLeftToDo) {
    const std::vector<std::string> marks = {std::string("FIX") + "ME", std::string("TO") + "DO", std::string("X") + "XX",
                                            std::string("GTEST_") + "SKIP", std::string("DISABLED") + "_"};
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
        {"rand", "cqfuzz::Rng"},           {"std::hash", "Fingerprint, or a sort"}, {"unordered_map", "std::map or a sorted vector"},
        {"unordered_set", "a sorted vector"}, {"random_device", "cqfuzz::Rng"},     {"mt19937", "cqfuzz::Rng"},
        {"uniform_int_distribution", "Rng::below"}, {"std::thread", "a process"},   {"std::chrono", "scheduler moves"},
        {"setlocale", "nothing"},          {"thread_local", "an object of the run"},
    };
    for (const SourceFile& file : tree()) {
        const bool on_run_path = starts_with(file.path, "runtime_under_test/") ||
                                 (starts_with(file.path, "harness/") && !starts_with(file.path, "harness/cli/") &&
                                  !starts_with(file.path, "harness/report/"));
        if (!on_run_path || !is_code(file.path) || file.path == "harness/base/fmt_library.cpp") continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string code = file.lines[i].substr(0, file.lines[i].find("//"));
            for (const Banned& b : banned) {
                EXPECT_FALSE(has_word(code, b.word)) << where(file, i) << ": " << b.word << "; use " << b.instead;
            }
        }
    }
}

TEST(TidyTest, TheOldestCompilersTakeIt) {
    const std::vector<Banned> banned = {
        {"std::views", "a loop"},        {"source_location", "__builtin_FILE and __builtin_LINE"},
        {"std::format", "fmt::format"},  {"std::expected", "cqfuzz::Result"},
        {"std::jthread", "a process"},   {"<format>", "fmt/core.h"},
        {"<expected>", "harness/base/result.hpp"},
    };
    for (const SourceFile& file : tree()) {
        if (!is_code(file.path) || file.path == "tests/tidy_test.cpp") continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            for (const Banned& b : banned) {
                EXPECT_FALSE(has_word(line, b.word)) << where(file, i) << ": " << b.word << "; use " << b.instead;
            }
            const bool opens_namespace = ends_with(file.path, ".hpp") && has_word(line, "using namespace");
            EXPECT_FALSE(opens_namespace) << where(file, i) << ": no using namespace in a header";
        }
    }
}

TEST(TidyTest, WordsAreTheFieldsOwn) {
    const std::vector<Banned> banned = {
        {"opcode", "command id"},  {"executor", "dispatcher"},        {"shrinker", "minimiser"},
        {"validator", "oracle"},   {"testcase", "case or scenario"},
    };
    for (const SourceFile& file : tree()) {
        if (!has_ending(file.path, {".cpp", ".hpp", ".md"}) || file.path == "docs/dispatch-facts.md") continue;
        if (file.path == "tests/tidy_test.cpp") continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            for (const Banned& b : banned) {
                EXPECT_FALSE(has_word(file.lines[i], b.word)) << where(file, i) << ": say " << b.instead;
            }
        }
    }
}

TEST(TidyTest, FilesAreNamedForWhatTheyHold) {
    const std::set<std::string> empty_names = {"utils", "util", "common", "helpers", "helper", "misc"};
    for (const SourceFile& file : tree()) {
        const std::string name = name_of(file.path);
        const std::string stem = name.substr(0, name.find('.'));
        EXPECT_EQ(empty_names.count(stem), 0u) << file.path << ": this name says nothing";
        if (!is_code(file.path)) continue;
        const bool lower = std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::isupper(c) != 0 || c == '-'; });
        EXPECT_TRUE(lower) << file.path << ": file names are snake_case";
        if (ends_with(name, ".hpp")) {
            const bool once = std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end();
            EXPECT_TRUE(once) << file.path << ": #pragma once is missing";
            EXPECT_TRUE(!file.lines.empty() && starts_with(file.lines[0], "//")) << file.path << ": say first what it is";
        }
    }
}

// Two types of one name in one namespace link together silently, and one of them gets the other's functions.
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
                EXPECT_TRUE(is_new) << where(file, i) << ": " << name << " is also defined at " << entry->second;
            }
        }
    }
}

// --- lists --------------------------------------------------------------------------------------------------------------

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

TEST(TidyTest, EverySourceIsListedAndEveryListedSourceIsThere) {
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
        if (!ends_with(file.path, ".cpp") || name_of(file.path) == "replay_main.cpp") continue;
        EXPECT_TRUE(listed.count(file.path) != 0) << file.path << ": in no CMakeLists.txt of its folder";
    }
}

TEST(TidyTest, ListsOfSourcesAreSorted) {
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

TEST(TidyTest, TargetsHaveACorpusAndCorporaATarget) {
    for (const SourceFile& file : tree()) {
        const std::string name = name_of(file.path);
        if (starts_with(file.path, "fuzz_targets/") && ends_with(name, "_fuzz.cpp") && name != "canary_fuzz.cpp") {
            const std::string target = name.substr(0, name.size() - std::string_view("_fuzz.cpp").size());
            EXPECT_TRUE(folder_has("corpus/" + target + "/seed", ".toml")) << file.path << ": corpus/" << target << "/seed is empty";
            EXPECT_LE(file.lines.size(), 60u) << file.path << ": a target has at most 60 lines";
        }
        if (starts_with(file.path, "corpus/")) {
            const std::string target = file.path.substr(7, file.path.find('/', 7) - 7);
            EXPECT_TRUE(exists("fuzz_targets/" + target + "_fuzz.cpp")) << file.path << ": there is no target " << target;
            EXPECT_TRUE(starts_with(file.path, "corpus/" + target + "/seed/") ||
                        starts_with(file.path, "corpus/" + target + "/regression/"))
                << file.path << ": a case lies in seed/ or regression/";
            EXPECT_TRUE(!file.lines.empty() && starts_with(file.lines[0], "# ")) << file.path << ": its first line is a sentence";
        }
    }
}

bool tests_mention(const std::string& text) {
    return std::any_of(tree().begin(), tree().end(), [&text](const SourceFile& file) {
        return starts_with(file.path, "tests/") && ends_with(file.path, "_test.cpp") &&
               std::any_of(file.lines.begin(), file.lines.end(), [&text](const std::string& l) { return has_word(l, text); });
    });
}

// By its identifier or by its name in quotes.
TEST(TidyTest, EveryFaultHasATest) {
    for (const SourceFile& file : tree()) {
        if (!ends_with(file.path, "faults.def")) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            constexpr std::string_view kEntry = "CQFUZZ_FAULT(";
            if (!starts_with(line, kEntry)) continue;
            const std::string identifier = line.substr(kEntry.size(), line.find(',') - kEntry.size());
            std::string quoted = "\"" + identifier + "\"";
            std::replace(quoted.begin(), quoted.end(), '_', '-');
            EXPECT_TRUE(tests_mention("Fault::" + identifier) || tests_mention(quoted))
                << where(file, i) << ": no test names fault " << identifier;
        }
    }
}

// One test file each, with a planted mistake and a clean run.
TEST(TidyTest, EveryOracleHasATest) {
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
                const std::string oracle = line.substr(first, line.find_first_of(",= ", first) - first);
                const std::string test = "tests/harness/oracle/" + oracle + "_test.cpp";
                EXPECT_TRUE(exists(test)) << "oracle " << oracle << " has no " << test;
            }
        }
    }
}

// --- documents ----------------------------------------------------------------------------------------------------------

TEST(TidyTest, EachDocumentHasOneTitle) {
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
        EXPECT_TRUE(!guide || file.lines.size() < 200) << file.path << ": a guide has less than 200 lines";
    }
}

// Paths in backquotes, in the documents that guide through the tree.
TEST(TidyTest, DocumentsNameFilesThatExist) {
    for (const SourceFile& file : tree()) {
        if (file.path != "README.md" && file.path != "ARCHITECTURE.md" && file.path != "CONTRIBUTING.md") continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            for (std::size_t at = line.find('`'); at != std::string::npos;) {
                const std::size_t end = line.find('`', at + 1);
                if (end == std::string::npos) break;
                const std::string word = line.substr(at + 1, end - at - 1);
                const bool is_path = word.find('/') != std::string::npos && word.find_first_of(" <*{:") == std::string::npos &&
                                     has_ending(word, {".cpp", ".hpp", ".def", ".toml", ".md", ".txt", ".py", ".cmake"});
                const bool good = !is_path || starts_with(word, "build/") || exists(word);
                EXPECT_TRUE(good) << where(file, i) << ": there is no " << word;
                at = line.find('`', end + 1);
            }
        }
    }
}

}  // namespace
