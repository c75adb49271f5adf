# Flags as interface targets: cqfuzz_flags (everything of ours) and cqfuzz_warnings. No global flags.

add_library(cqfuzz_warnings INTERFACE)
target_compile_options(cqfuzz_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Clang's -Wconversion minds assert(!"what went wrong").
    target_compile_options(cqfuzz_warnings INTERFACE -Wno-string-conversion)
endif()
if(CQFUZZ_WERROR)
    target_compile_options(cqfuzz_warnings INTERFACE -Werror)
endif()

add_library(cqfuzz_sanitizers INTERFACE)
if(CQFUZZ_SANITIZERS)
    # Without -fno-sanitize-recover an undefined-behaviour finding ends with exit code 0.
    set(sanitizer_flags -fsanitize=${CQFUZZ_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(cqfuzz_sanitizers INTERFACE ${sanitizer_flags})
    target_link_options(cqfuzz_sanitizers INTERFACE ${sanitizer_flags})
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
        # Fake stacks cost 15 x with fibers, and leak when a fiber is abandoned.
        target_compile_options(cqfuzz_sanitizers INTERFACE -fsanitize-address-use-after-return=never)
    endif()
endif()

add_library(cqfuzz_flags INTERFACE)
target_compile_options(cqfuzz_flags INTERFACE ${CQFUZZ_OPTIMISATION})
target_include_directories(cqfuzz_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(cqfuzz_flags INTERFACE cqfuzz_sanitizers)
if(CQFUZZ_PROFILE)
    target_compile_options(cqfuzz_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(cqfuzz_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
endif()

# Edges are counted only where the search needs them; stack depth means nothing on fibers.
set(CQFUZZ_COVERAGE_FLAGS "")
if(CQFUZZ_ENGINE STREQUAL libfuzzer)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "CQFUZZ_ENGINE=libfuzzer needs clang; with ${CMAKE_CXX_COMPILER_ID} use CQFUZZ_ENGINE=replay")
    endif()
    # Comparisons are not traced either: the mutator knows the fields, and the calls cost 6 % of a run.
    set(CQFUZZ_COVERAGE_FLAGS -fsanitize-coverage=inline-8bit-counters,pc-table)
elseif(NOT CQFUZZ_ENGINE STREQUAL replay)
    message(FATAL_ERROR "CQFUZZ_ENGINE is \"${CQFUZZ_ENGINE}\"; it must be libfuzzer or replay")
endif()
