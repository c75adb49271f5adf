#include "harness/base/check.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace cqfuzz {
namespace {

void print_and_abort(const char* file, int line, const char* condition, const char* message) {
    std::fprintf(stderr, "%s:%d: harness fault: CHECK(%s): %s\n", file, line, condition, message);
    std::abort();
}

CheckHandler installed = print_and_abort;

}  // namespace

CheckHandler install_check_handler(CheckHandler handler) {
    CheckHandler previous = installed;
    installed = handler;
    return previous;
}

void check_failed(const char* file, int line, const char* condition, const char* message, ...) {
    std::array<char, 512> text{};
    va_list arguments;
    va_start(arguments, message);
    std::vsnprintf(text.data(), text.size(), message, arguments);
    va_end(arguments);
    installed(file, line, condition, text.data());
    std::abort();
}

}  // namespace cqfuzz
