#include "tests/source_tree.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace cqfuzz::tidy {

namespace {

namespace fs = std::filesystem;

std::vector<SourceFile> read_tree() {
    std::vector<SourceFile> files;
    const fs::path root = CQFUZZ_SOURCE_DIR;
    for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator();
         ++it) {
        const std::string path = it->path().lexically_relative(root).generic_string();
        if (path == "build" || path == ".git" || ends_with(path, "__pycache__") ||
            ends_with(path, "node_modules")) {
            it.disable_recursion_pending();
            continue;
        }
        if (!it->is_regular_file()) continue;
        SourceFile file{path, {}};
        std::ifstream in(it->path());
        for (std::string line; std::getline(in, line);) file.lines.push_back(line);
        files.push_back(std::move(file));
    }
    std::sort(files.begin(), files.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    return files;
}

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

bool ends_with(std::string_view text, std::string_view ending) {
    return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

bool starts_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

bool has_ending(std::string_view path, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(),
                       [path](std::string_view e) { return ends_with(path, e); });
}

bool is_code(std::string_view path) { return has_ending(path, {".cpp", ".hpp", ".def"}); }

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
bool is_kernel_code(const std::string& path) {
    for (const char* folder : {"examples/", "harness/device_api/kernel/", "harness/hosting/object/",
                               "tests/harness/hosting/kernels/"})
        if (starts_with(path, folder)) return true;
    return false;
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

const std::vector<SourceFile>& tree() {
    static const std::vector<SourceFile> files = read_tree();
    return files;
}

bool exists(const std::string& path) {
    return std::any_of(tree().begin(), tree().end(),
                       [&path](const SourceFile& f) { return f.path == path; });
}

bool folder_has(const std::string& folder, std::string_view ending) {
    return std::any_of(tree().begin(), tree().end(), [&](const SourceFile& f) {
        return starts_with(f.path, folder + "/") && ends_with(f.path, ending);
    });
}

std::string where(const SourceFile& file, std::size_t line) {
    return file.path + ":" + std::to_string(line + 1);
}

bool has_word(const std::string& line, const std::string& word) {
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !is_word_char(word.front()) || !is_word_char(line[at - 1]);
        const bool stops =
            end == line.size() || !is_word_char(word.back()) || !is_word_char(line[end]);
        if (begins && stops) return true;
    }
    return false;
}

}  // namespace cqfuzz::tidy
