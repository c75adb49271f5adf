// Case files: what the commands read and write. A mistake in a file is a message with the path,
// never a crash.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/cli/file_bytes.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/case.hpp"

namespace cqfuzz::cli {

bool is_toml_path(std::string_view path);
// A case (TOML) or an encoded scenario, told apart by ".toml" or by being text. An empty file, an
// illegal scenario and a fault that does not exist are messages. `encoded`: it was bytes, which
// hold no verdict and no fault.
Result<Case> load_case(const std::string& path, bool* encoded = nullptr);
// The case as TOML, or its encoded scenario when the path does not end in ".toml".
std::string write_case(const std::string& path, const Case& content);

// A signature as the stem of a file name. What tells long signatures apart may stand at their end,
// so a hash of the whole comes behind a readable part.
std::string file_name_of_signature(std::string_view signature);

// Regular files of the folder and of those in it, sorted; a file is itself.
Result<std::vector<std::string>> input_files(const std::string& path);

// The faults asked for by flag or, when that is empty, by the case; "none" is no fault. `name`
// becomes what was chosen.
Result<rt::FaultSet> chosen_faults(std::string_view flag, std::string_view of_case,
                                   std::string& name);

// The `index`-th op as a case file has it, on one line: "[[op]] kind = "replay", trace = 1".
std::string op_toml_line(const Scenario& scenario, std::uint32_t index);

// How the verdict is not what the case expects; empty when it is.
std::string against_expectation(std::string_view expected, VerdictKind verdict);

// "cqfuzz: " + message, on standard error; returns the exit code of bad input.
int bad_input(std::string_view message);

}  // namespace cqfuzz::cli
