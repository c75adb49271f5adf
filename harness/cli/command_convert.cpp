#include <fmt/core.h>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"

namespace cqfuzz::cli {

int command_convert(const ConvertArguments& arguments) {
    const Result<Case> content = load_case(arguments.file);
    if (!content) return bad_input(content.message());
    if (arguments.out.empty() || arguments.out == "-") {
        fmt::print("{}", case_to_toml(content.value()));
        return kExitPass;
    }
    const std::string mistake = write_case(arguments.out, content.value());
    return mistake.empty() ? kExitPass : bad_input(mistake);
}

}  // namespace cqfuzz::cli
