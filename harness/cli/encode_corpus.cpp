// cqfuzz_encode_corpus: corpus/<target> → build/<preset>/corpus/<target>: each case as the bytes
// that an engine reads. The output folders hold exactly the cases of the input folders afterwards.
// With --with-text the case itself stands beside its bytes. Exit code 2: a case is wrong.
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "harness/cli/case_file.hpp"

namespace {

namespace fs = std::filesystem;

// The number of cases, or what was wrong.
cqfuzz::Result<int> encode_folder(const fs::path& from, const fs::path& to, bool with_text) {
    std::error_code error;
    fs::remove_all(to, error);
    fs::create_directories(to, error);
    if (error) return cqfuzz::Error{to.string() + ": " + error.message()};
    int count = 0;
    if (!fs::is_directory(from, error)) return count;
    for (fs::directory_iterator item(from, error); !error && item != fs::directory_iterator();
         item.increment(error)) {
        const std::string path = item->path().string();
        if (!cqfuzz::cli::is_toml_path(path)) continue;
        const cqfuzz::Result<cqfuzz::Case> content = cqfuzz::cli::load_case(path);
        if (!content) return cqfuzz::Error{content.message()};
        const std::string mistake =
            cqfuzz::cli::write_case((to / item->path().stem()).string(), content.value());
        if (!mistake.empty()) return cqfuzz::Error{mistake};
        if (with_text) fs::copy_file(item->path(), to / item->path().filename(), error);
        ++count;
    }
    if (error) return cqfuzz::Error{from.string() + ": " + error.message()};
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    const bool with_text = argc == 4 && std::string_view(argv[1]) == "--with-text";
    if (argc != 3 && !with_text)
        return cqfuzz::cli::bad_input(
            "usage: cqfuzz_encode_corpus [--with-text] CORPUS_OF_TARGET OUTPUT");
    const fs::path from = argv[argc - 2];
    const fs::path to = argv[argc - 1];
    int total = 0;
    for (const char* part : {"seed", "regression"}) {
        const cqfuzz::Result<int> count = encode_folder(from / part, to / part, with_text);
        if (!count) return cqfuzz::cli::bad_input(count.message());
        total += count.value();
    }
    if (total == 0)
        return cqfuzz::cli::bad_input(from.string() + ": no case in seed/ or regression/");
    return 0;
}
