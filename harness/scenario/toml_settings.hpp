// How toml++ is compiled, the same in every file that includes it, since its code is all in headers.
// Include this first.
//
// Hostile files: values nest at most TOML_MAX_NESTED_VALUES deep. toml++ 3.3 asserts, and with NDEBUG
// tells the compiler to assume, what a hostile text breaks: that the key of a table header starts
// with a key's character. Its own error branch behind the assert is right, so asserts are nothing.
#pragma once

#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#ifndef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#endif
