#include "harness/cli/file_bytes.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kLinksMax = 40;

// A descriptor that is closed at the end.
class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    bool open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

Error unreadable(const std::string& path) {
    return Error{fmt::format("{}: cannot be read: {}", path, std::strerror(errno))};
}

std::string unwritable(const std::string& path) {
    return fmt::format("{}: cannot be written: {}", path, std::strerror(errno));
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::string write_through(const std::string& path, std::string_view bytes) {
    // Without waiting for a pipe's reader; once there is one, it may be slow.
    const File file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file.open()) return unwritable(path);
    const int flags = fcntl(file.descriptor(), F_GETFL);
    fcntl(file.descriptor(), F_SETFL, flags & ~O_NONBLOCK);
    return write_all(file.descriptor(), bytes) ? "" : unwritable(path);
}

// Where a chain of symbolic links ends, be there a file or not.
fs::path end_of_links(fs::path path) {
    std::error_code error;
    for (int i = 0; i < kLinksMax && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
        const fs::path next = fs::read_symlink(path, error);
        if (error) break;
        path = path.parent_path() / next;
    }
    return path;
}

mode_t mode_of_new_file() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
    // Not waiting for a pipe's writer.
    const File file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file.open() && errno == ENOENT) return Error{path + ": no such file"};
    if (!file.open()) return unreadable(path);
    struct stat status {};
    if (fstat(file.descriptor(), &status) != 0) return unreadable(path);
    if (S_ISDIR(status.st_mode)) return Error{path + ": is a folder; a file is wanted"};
    if (!S_ISREG(status.st_mode)) return Error{path + ": is not a regular file"};
    std::string bytes;
    char block[65536];
    // Not until the size it had: it may grow, and some files tell none.
    while (bytes.size() <= kFileBytesMax) {
        const ssize_t n = read(file.descriptor(), block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return unreadable(path);
        if (n == 0) return bytes;
        bytes.append(block, static_cast<std::size_t>(n));
    }
    return Error{fmt::format("{}: is too large; at most {} bytes are read", path, kFileBytesMax)};
}

std::string write_file(const std::string& path, std::string_view bytes) {
    struct stat status {};
    const bool is_there = stat(path.c_str(), &status) == 0;
    if (is_there && S_ISDIR(status.st_mode)) return path + ": is a folder; it cannot be written";
    if (is_there && !S_ISREG(status.st_mode)) return write_through(path, bytes);
    // A file that may not be written is not replaced either.
    if (is_there && access(path.c_str(), W_OK) != 0) return unwritable(path);
    const fs::path target = end_of_links(path);
    // Not from the target's name, which may be as long as names can be.
    std::string beside = (target.parent_path() / ".cqfuzz-XXXXXX").string();
    const File file(mkostemp(beside.data(), O_CLOEXEC));
    if (!file.open()) return unwritable(path);
    bool done = write_all(file.descriptor(), bytes);
    if (done && is_there && (status.st_uid != geteuid() || status.st_gid != getegid())) {
        // As far as it is allowed; before the mode, some bits of which it takes away.
        if (fchown(file.descriptor(), status.st_uid, status.st_gid) != 0) errno = 0;
    }
    done = done &&
           fchmod(file.descriptor(), is_there ? status.st_mode & 07777 : mode_of_new_file()) == 0;
    done = done && rename(beside.c_str(), target.c_str()) == 0;
    if (done) return "";
    std::string message = unwritable(path);
    unlink(beside.c_str());
    return message;
}

}  // namespace cqfuzz::cli
