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

if(CQFUZZ_ENGINE STREQUAL external AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Sanitizers come with the environment's flags; fibers want this with whichever.
    target_compile_options(cqfuzz_sanitizers INTERFACE
        -fsanitize-address-use-after-return=never -Wno-unused-command-line-argument)
endif()

add_library(cqfuzz_flags INTERFACE)
target_compile_options(cqfuzz_flags INTERFACE ${CQFUZZ_OPTIMISATION})
target_include_directories(cqfuzz_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(cqfuzz_flags INTERFACE cqfuzz_sanitizers)
if(CQFUZZ_PROFILE)
    target_compile_options(cqfuzz_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(cqfuzz_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
endif()

# Edges are counted only where the search needs them; stack depth means nothing on fibers. CQFUZZ_COVERAGE_FLAGS go to the
# libraries that guide the search, CQFUZZ_NO_COVERAGE_FLAGS to the others.
set(CQFUZZ_COVERAGE_FLAGS "")
set(CQFUZZ_NO_COVERAGE_FLAGS "")
set(CQFUZZ_ENGINE_LINK "")
set(CQFUZZ_DOMAIN_EDGES 0)
if(CQFUZZ_ENGINE STREQUAL libfuzzer)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "CQFUZZ_ENGINE=libfuzzer needs clang; with ${CMAKE_CXX_COMPILER_ID} use CQFUZZ_ENGINE=replay")
    endif()
    # Comparisons are not traced either: the mutator knows the fields, and the calls cost 6 % of a run.
    set(CQFUZZ_COVERAGE_FLAGS -fsanitize-coverage=inline-8bit-counters,pc-table)
    set(CQFUZZ_ENGINE_LINK -fsanitize=fuzzer)
elseif(CQFUZZ_ENGINE STREQUAL external)
    # The environment's CXXFLAGS carry sanitizer and coverage, its LIB_FUZZING_ENGINE the engine: a flag or an archive.
    if(NOT CQFUZZ_LIB_FUZZING_ENGINE)
        message(FATAL_ERROR "CQFUZZ_ENGINE=external: set LIB_FUZZING_ENGINE to what targets are linked with, for "
            "instance -fsanitize=fuzzer, or the path of an engine's archive")
    endif()
    separate_arguments(CQFUZZ_ENGINE_LINK UNIX_COMMAND "${CQFUZZ_LIB_FUZZING_ENGINE}")
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
        set(CQFUZZ_NO_COVERAGE_FLAGS -fno-sanitize=fuzzer-no-link
            -fno-sanitize-coverage=trace-pc-guard,pc-table,trace-cmp,inline-8bit-counters,indirect-calls)
    endif()
    if(CMAKE_CXX_COMPILER MATCHES afl-)
        # AFL++ instruments in a pass of its own, which knows no flag for a folder but a list.
        set(CMAKE_CXX_COMPILER_LAUNCHER
            ${CMAKE_COMMAND} -E env AFL_QUIET=1 AFL_LLVM_ALLOWLIST=${CMAKE_CURRENT_SOURCE_DIR}/cmake/afl_allowlist.txt)
        set(CQFUZZ_DOMAIN_EDGES 1)
    elseif(NOT CQFUZZ_LIB_FUZZING_ENGINE MATCHES "^-fsanitize=fuzzer")
        set(CQFUZZ_DOMAIN_EDGES 1)
    endif()
elseif(NOT CQFUZZ_ENGINE STREQUAL replay)
    message(FATAL_ERROR "CQFUZZ_ENGINE is \"${CQFUZZ_ENGINE}\"; it must be libfuzzer, external or replay")
endif()
