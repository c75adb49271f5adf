// A main for compilers without libFuzzer: runs files, and the files of folders in sorted order,
// once each.
//
// Usage: <target> [--twice] [-flag=value …] FILE|FOLDER…
// Flags of libFuzzer are accepted and mean nothing here. Exit codes: 0; 1 a target returned
// non-zero, or with --twice the second run differed; 2 no input, or one that cannot be read. A
// finding aborts, as in the engine.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fuzz_targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* argc, char*** argv);
// The engine's byte mutations do not exist here; a target's mutator then keeps to its own.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t, std::size_t) {
    return 0;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kInputBytesMax = 16u << 20;

bool told(const std::string& path, const std::string& reason) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), reason.c_str());
    return false;
}

// False: the path does not exist or cannot be read; said on stderr.
bool collect(const std::string& path, std::vector<std::string>& files) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::none) return told(path, error.message());
    if (!fs::exists(status)) return told(path, "no such file or folder");
    if (!fs::is_directory(status)) {
        // A device or a pipe may have no end.
        if (!fs::is_regular_file(status))
            return told(path, "is neither a regular file nor a folder");
        files.push_back(path);
        return true;
    }
    const std::size_t first = files.size();
    std::string at = path;
    error.clear();
    fs::recursive_directory_iterator item(path, error);
    while (!error && item != fs::recursive_directory_iterator()) {
        at = item->path().string();
        std::error_code unknown;
        if (item->is_regular_file(unknown)) files.push_back(at);
        item.increment(error);
    }
    if (error) return told(at, error.message());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
    return true;
}

// Without exceptions, and no more than kInputBytesMax; false is said on stderr.
bool read_input(const std::string& path, std::vector<char>& bytes) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (!file) return told(path, std::string("cannot be read: ") + std::strerror(errno));
    char block[65536];
    for (;;) {
        const std::size_t n = std::fread(block, 1, sizeof block, file.get());
        if (std::ferror(file.get()) != 0)
            return told(path, std::string("cannot be read: ") + std::strerror(errno));
        if (n == 0) return true;
        bytes.insert(bytes.end(), block, block + n);
        if (bytes.size() > kInputBytesMax) return told(path, "is too large");
    }
}

int run_file(const std::string& path, bool twice) {
    std::vector<char> bytes;
    if (!read_input(path, bytes)) return 2;
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
            std::fprintf(stderr, "%s: two runs differ; `cqfuzz run --twice` shows where\n",
                         path.c_str());
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
    std::fprintf(stderr, "%zu inputs ran%s\n", files.size(),
                 twice ? ", twice each, with equal fingerprints" : "");
    return 0;
}
