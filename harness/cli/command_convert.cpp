#include <fmt/core.h>

#include <cstdio>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/report/printable.hpp"

namespace cqfuzz::cli {

namespace {

// What one of the forms cannot hold.
void tell_what_is_lost(const ConvertArguments& arguments, const Case& content, bool from_bytes,
                       bool to_text) {
    const std::string file = printable(arguments.file);
    if (from_bytes && to_text) {
        fmt::print(stderr,
                   "cqfuzz: {} holds no verdict; expected = \"pass\" is a guess, which `cqfuzz "
                   "run` can tell\n",
                   file);
    } else if (!from_bytes && !to_text && (content.expected != "pass" || !content.fault.empty())) {
        fmt::print(
            stderr, "cqfuzz: the encoded form holds neither expected = \"{}\"{}\n",
            content.expected,
            content.fault.empty() ? " nor a title" : " nor fault = \"" + content.fault + "\"");
    }
}

}  // namespace

int command_convert(const ConvertArguments& arguments) {
    bool from_bytes = false;
    const Result<Case> content = load_case(arguments.file, &from_bytes);
    if (!content) return bad_input(content.message());
    const bool to_output = arguments.out.empty() || arguments.out == "-";
    if (to_output) {
        fmt::print("{}", case_to_toml(content.value()));
    } else if (const std::string mistake = write_case(arguments.out, content.value());
               !mistake.empty()) {
        return bad_input(mistake);
    }
    tell_what_is_lost(arguments, content.value(), from_bytes,
                      to_output || is_toml_path(arguments.out));
    return kExitPass;
}

}  // namespace cqfuzz::cli
