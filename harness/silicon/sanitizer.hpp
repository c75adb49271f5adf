// Whether this is an AddressSanitizer build, in gcc's and clang's words.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define CQFUZZ_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CQFUZZ_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef CQFUZZ_ADDRESS_SANITIZER
#define CQFUZZ_ADDRESS_SANITIZER 0
#endif

namespace cqfuzz {

inline constexpr bool kAddressSanitizer = CQFUZZ_ADDRESS_SANITIZER != 0;

}  // namespace cqfuzz
