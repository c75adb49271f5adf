// A main for compilers without libFuzzer: runs files, and the files of folders in sorted order, once each.
//
// Usage: <target> [--twice] [-flag=value …] FILE|FOLDER…
// Flags of libFuzzer are accepted and mean nothing here. Exit codes: 0; 1 a target returned non-zero, or with --twice the
// second run differed; 2 no input, or one that cannot be read. A finding aborts, as in the engine.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fuzz_targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* argc, char*** argv);
// The engine's byte mutations do not exist here; a target's mutator then keeps to its own.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t, std::size_t) { return 0; }

namespace {

namespace fs = std::filesystem;

// False: the path does not exist or cannot be read; said on stderr.
bool collect(const std::string& path, std::vector<std::string>& files) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const std::size_t first = files.size();
        for (const auto& item : fs::recursive_directory_iterator(path, error)) {
            if (item.is_regular_file(error)) files.push_back(item.path().string());
        }
        std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
    } else if (fs::is_regular_file(path, error)) {
        files.push_back(path);
    } else {
        std::fprintf(stderr, "%s: no such file or folder\n", path.c_str());
        return false;
    }
    if (error) std::fprintf(stderr, "%s: %s\n", path.c_str(), error.message().c_str());
    return !error;
}

int run_file(const std::string& path, bool twice) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
        return 2;
    }
    // A block of exactly the input's size, so that a sanitizer sees a read past its end.
    const auto block = std::make_unique<std::uint8_t[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), block.get());
    std::uint64_t fingerprint = 0;
    for (int run = 0; run < (twice ? 2 : 1); ++run) {
        if (LLVMFuzzerTestOneInput(block.get(), bytes.size()) != 0) {
            std::fprintf(stderr, "%s: the target returned non-zero\n", path.c_str());
            return 1;
        }
        const std::uint64_t now = cqfuzz::target::last_fingerprint();
        if (run == 1 && now != fingerprint) {
            std::fprintf(stderr, "%s: two runs differ; `cqfuzz run --twice` shows where\n", path.c_str());
            return 1;
        }
        fingerprint = now;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
    bool twice = false;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--twice") {
            twice = true;
        } else if (argument.substr(0, 1) != "-" && !collect(argv[i], files)) {
            return 2;
        }
    }
    if (files.empty()) {
        std::fprintf(stderr, "usage: %s [--twice] FILE|FOLDER…: no input was found\n", argv[0]);
        return 2;
    }
    for (const std::string& file : files) {
        std::fprintf(stderr, "Running: %s\n", file.c_str());
        if (const int code = run_file(file, twice); code != 0) return code;
    }
    std::fprintf(stderr, "%zu inputs ran%s\n", files.size(), twice ? ", twice each, with equal fingerprints" : "");
    return 0;
}
