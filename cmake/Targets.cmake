# How the parts are declared. Source lists are explicit and sorted; tests/tidy_lists_test.cpp holds them to the folders.

# cqfuzz_library(name SOURCES … LINKS … [COVERAGE]): a static library. COVERAGE: its edges guide the fuzzer.
function(cqfuzz_library name)
    cmake_parse_arguments(arg "COVERAGE" "" "SOURCES;LINKS" ${ARGN})
    add_library(${name} STATIC ${arg_SOURCES})
    target_link_libraries(${name} PUBLIC cqfuzz_flags ${arg_LINKS} PRIVATE cqfuzz_warnings)
    if(arg_COVERAGE)
        target_compile_options(${name} PRIVATE ${CQFUZZ_COVERAGE_FLAGS})
    else()
        target_compile_options(${name} PRIVATE ${CQFUZZ_NO_COVERAGE_FLAGS})
    endif()
endfunction()

# cqfuzz_executable(name SOURCES … LINKS …)
function(cqfuzz_executable name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE cqfuzz_flags cqfuzz_warnings ${arg_LINKS})
    # Instrumented libraries call hooks; this links ones that do nothing.
    target_link_options(${name} PRIVATE ${CQFUZZ_COVERAGE_FLAGS})
endfunction()

# cqfuzz_test(name SOURCES … LINKS …): a GoogleTest program, run by ctest as one test.
function(cqfuzz_test name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
    cqfuzz_executable(${name} SOURCES ${arg_SOURCES} LINKS ${arg_LINKS} cqfuzz_dep_gtest)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()

# cqfuzz_fuzz_target(name): <name>_fuzz from <name>_fuzz.cpp, its corpus encoded from corpus/<name>/ into
# build/<preset>/corpus/<name>/, and a test that replays it. With CQFUZZ_ENGINE=replay a plain main walks the corpus.
# NO_CORPUS: nothing to encode and no replay test. TEXT: the scenarios' text is an input too. LINKS: what it needs besides. <name>_afl_mutator, built when asked for, is the target's mutator as
# AFL++ loads it.
function(cqfuzz_fuzz_target name)
    cmake_parse_arguments(arg "NO_CORPUS;TEXT" "" "LINKS" ${ARGN})
    set(program ${name}_fuzz)
    if(CQFUZZ_ENGINE STREQUAL replay)
        cqfuzz_executable(${program} SOURCES ${name}_fuzz.cpp replay_main.cpp LINKS cqfuzz_fuzz_target ${arg_LINKS})
        add_library(${name}_afl_mutator MODULE EXCLUDE_FROM_ALL ${name}_fuzz.cpp afl_mutator.cpp)
        target_link_libraries(${name}_afl_mutator PRIVATE cqfuzz_flags cqfuzz_warnings cqfuzz_fuzz_target)
        set_target_properties(${name}_afl_mutator PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
    else()
        cqfuzz_executable(${program} SOURCES ${name}_fuzz.cpp LINKS cqfuzz_fuzz_target ${arg_LINKS})
        target_link_libraries(${program} PRIVATE ${CQFUZZ_ENGINE_LINK})
    endif()
    if(arg_NO_CORPUS)
        return()
    endif()
    set(encoded ${CMAKE_BINARY_DIR}/corpus/${name})
    set(text "")
    if(arg_TEXT)
        set(text --with-text)
    endif()
    file(GLOB cases CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/corpus/${name}/*/*.toml)
    add_custom_command(
        OUTPUT ${encoded}.stamp
        COMMAND cqfuzz_encode_corpus ${text} ${CMAKE_SOURCE_DIR}/corpus/${name} ${encoded}
        COMMAND ${CMAKE_COMMAND} -E touch ${encoded}.stamp
        DEPENDS cqfuzz_encode_corpus ${cases}
        COMMENT "Encoding corpus/${name}"
        VERBATIM)
    add_custom_target(corpus_${name} ALL DEPENDS ${encoded}.stamp)
    add_test(NAME replay_${name} COMMAND ${program} -runs=0 ${encoded}/seed ${encoded}/regression)
    set_tests_properties(replay_${name} PROPERTIES TIMEOUT 300)
endfunction()
