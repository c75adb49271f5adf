#include "harness/cli/case_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

#include "harness/scenario/verbs.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

// Text has no control bytes but blanks; an encoded scenario has them from its first length prefix on.
bool is_text(std::string_view bytes) {
    return !bytes.empty() && std::none_of(bytes.begin(), bytes.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f;
    });
}

std::string encoded_text(const Scenario& scenario) {
    const std::vector<std::byte> bytes = encode(scenario);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return Error{path + ": no such file"};
    if (fs::is_directory(status)) return Error{path + ": is a folder; a file is wanted"};
    const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, error) : 0;
    if (size > kFileBytesMax) return Error{fmt::format("{}: {} bytes; at most {} are read", path, size, kFileBytesMax)};
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{fmt::format("{}: cannot be read: {}", path, std::strerror(errno))};
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) return Error{path + ": cannot be read"};
    return bytes;
}

std::string write_file(const std::string& path, std::string_view bytes) {
    const std::string beside = path + ".part";
    std::error_code error;
    {
        std::ofstream out(beside, std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.flush();
        if (!out) {
            fs::remove(beside, error);
            return path + ": cannot be written";
        }
    }
    fs::rename(beside, path, error);
    if (!error) return "";
    const std::string message = fmt::format("{}: cannot be written: {}", path, error.message());
    fs::remove(beside, error);
    return message;
}

bool is_toml_path(std::string_view path) {
    constexpr std::string_view kEnding = ".toml";
    return path.size() >= kEnding.size() && path.substr(path.size() - kEnding.size()) == kEnding;
}

Result<Case> load_case(const std::string& path) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) return Error{bytes.message()};
    Case content;
    if (is_toml_path(path) || is_text(bytes.value())) {
        Result<Case> read = case_from_toml(bytes.value(), path);
        if (!read) return read;
        content = read.take();
        if (const std::string why = illegality_of(content.scenario); !why.empty()) {
            return Error{fmt::format("{}: {}", path, why)};
        }
    } else {
        const std::string& data = bytes.value();
        content.title = fs::path(path).filename().string();
        content.scenario = decode(std::as_bytes(std::span(data.data(), data.size())));
        if (content.scenario.ops.empty() && encoded_text(content.scenario) != data) {
            return Error{path + ": is neither a case nor an encoded scenario"};
        }
    }
    return content;
}

std::string write_case(const std::string& path, const Case& content) {
    if (is_toml_path(path)) return write_file(path, case_to_toml(content));
    return write_file(path, encoded_text(content.scenario));
}

Result<rt::FaultSet> chosen_faults(std::string_view flag, std::string_view of_case, std::string& name) {
    name = flag.empty() ? of_case : flag;
    if (name == "none") name.clear();
    if (name.empty()) return rt::FaultSet{};
    const std::optional<rt::FaultSet> faults = rt::faults_named(name);
    if (!faults) return Error{fmt::format("unknown fault \"{}\"; `cqfuzz faults` lists them", name)};
    return *faults;
}

std::string op_toml_line(const Scenario& scenario, std::uint32_t index) {
    // Of the scenario with that one op alone, so that there is one such table.
    Scenario one = scenario;
    one.ops.assign(1, scenario.ops[index]);
    std::istringstream lines(scenario_to_toml(one));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (line == "[[op]]") {
            text = line;
        } else if (!text.empty() && (line.empty() || line[0] == '[')) {
            break;
        } else if (!text.empty()) {
            text += (text == "[[op]]" ? " " : ", ") + line;
        }
    }
    return text;
}

int bad_input(std::string_view message) {
    std::fprintf(stderr, "cqfuzz: %.*s\n", static_cast<int>(message.size()), message.data());
    return kExitBadUsage;
}

}  // namespace cqfuzz::cli
