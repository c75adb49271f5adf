#include "harness/cli/case_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <vector>

#include "harness/base/fnv.hpp"
#include "harness/report/printable.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

// Text has no control bytes but blanks; an encoded scenario has them from its first length prefix
// on.
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

std::string unknown_fault(std::string_view name) {
    return fmt::format("unknown fault \"{}\"; `cqfuzz faults` lists them", printable(name));
}

// The line of a case that names its fault, from 1.
std::size_t line_of_fault(const std::string& toml) {
    constexpr std::string_view kKey = "fault";
    std::istringstream lines(toml);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::size_t begin = std::min(line.find_first_not_of(" \t\"'"), line.size());
        if (line.compare(begin, kKey.size(), kKey) == 0) return number;
    }
    return 1;
}

}  // namespace

bool is_toml_path(std::string_view path) {
    constexpr std::string_view kEnding = ".toml";
    return path.size() >= kEnding.size() && path.substr(path.size() - kEnding.size()) == kEnding;
}

Result<Case> load_case(const std::string& path, bool* encoded) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) return Error{bytes.message()};
    // An engine may run no bytes at all; a person who names an empty file has lost one.
    if (bytes.value().empty()) return Error{path + ": is empty"};
    Case content;
    if (encoded != nullptr) *encoded = false;
    if (is_toml_path(path) || is_text(bytes.value())) {
        Result<Case> read = case_from_toml(bytes.value(), path);
        if (!read) return read;
        content = read.take();
        std::string fault;
        if (!chosen_faults("", content.fault, fault)) {
            return Error{
                fmt::format("{}:{}: {}", path, line_of_fault(bytes.value()), unknown_fault(fault))};
        }
        if (const std::string why = illegality_of(content.scenario); !why.empty()) {
            return Error{fmt::format("{}: {}", path, why)};
        }
    } else {
        const std::string& data = bytes.value();
        if (encoded != nullptr) *encoded = true;
        content.title = fs::path(path).filename().string();
        content.scenario = decode(std::as_bytes(std::span(data.data(), data.size())));
        if (action_count(content.scenario) == 0 && encoded_text(content.scenario) != data) {
            return Error{path + ": is neither a case nor a whole encoded scenario; is it cut off?"};
        }
    }
    return content;
}

std::string write_case(const std::string& path, const Case& content) {
    if (is_toml_path(path)) return write_file(path, case_to_toml(content));
    return write_file(path, encoded_text(content.scenario));
}

Result<rt::FaultSet> chosen_faults(std::string_view flag, std::string_view of_case,
                                   std::string& name) {
    name = flag.empty() ? of_case : flag;
    if (name == "none") name.clear();
    if (name.empty()) return rt::FaultSet{};
    const std::optional<rt::FaultSet> faults = rt::faults_named(name);
    if (!faults) return Error{unknown_fault(name)};
    return *faults;
}

std::string op_toml_line(const Scenario& scenario, std::uint32_t index) {
    // Of the scenario with that one op alone, so that there is one such table.
    Scenario one = scenario;
    const bool commands = !scenario.commands.empty();
    if (commands)
        one.commands.assign(1, scenario.commands[index]);
    else
        one.ops.assign(1, scenario.ops[index]);
    const std::string_view header = commands ? "[[command]]" : "[[op]]";
    std::istringstream lines(scenario_to_toml(one));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (line == header) {
            text = line;
        } else if (!text.empty() && (line.empty() || line[0] == '[')) {
            break;
        } else if (!text.empty()) {
            // Lists break the line, with commas of their own.
            const bool goes_on = text == header || text.back() == '[' || text.back() == ',';
            const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
            text += (goes_on ? " " : ", ") + line.substr(begin);
        }
    }
    return text;
}

Result<std::vector<std::string>> input_files(const std::string& path) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return std::vector<std::string>{path};
    std::vector<std::string> files;
    fs::recursive_directory_iterator item(path, error);
    for (; !error && item != fs::recursive_directory_iterator(); item.increment(error)) {
        std::error_code unknown;
        if (item->is_regular_file(unknown)) files.push_back(item->path().string());
    }
    if (error) return Error{fmt::format("{}: cannot be read: {}", path, error.message())};
    if (files.empty()) return Error{path + ": no file in this folder"};
    std::sort(files.begin(), files.end());
    return files;
}

std::string file_name_of_signature(std::string_view signature) {
    std::string name;
    for (const char c : signature.substr(0, 96)) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            name += c;
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    return fmt::format("{}-{:016x}", name.empty() ? "unnamed" : name, fnv1a(signature));
}

std::string against_expectation(std::string_view expected, VerdictKind verdict) {
    if (expected == name_of(verdict)) return "";
    return fmt::format("the verdict is {}, the case expects {}", name_of(verdict), expected);
}

int bad_input(std::string_view message) {
    std::fprintf(stderr, "cqfuzz: %s\n", printable(message).c_str());
    return kExitBadUsage;
}

}  // namespace cqfuzz::cli
