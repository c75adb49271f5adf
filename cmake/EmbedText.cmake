# Script: cmake -DOUTPUT=<file.cpp> -DNAMESPACE=<ns> -DFILES=<name=path;…> -P EmbedText.cmake
# Writes a source with one std::string_view per file. Raw literals are cut into pieces: compilers limit their length.
set(text "// Written by cmake/EmbedText.cmake.\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
foreach(entry IN LISTS FILES)
    string(REGEX REPLACE "=.*" "" name "${entry}")
    string(REGEX REPLACE "^[^=]*=" "" path "${entry}")
    file(READ ${path} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],){24})" "\\1\n" bytes "${bytes}")
    string(APPEND text "extern const std::string_view ${name};\n"
        "static constexpr unsigned char ${name}_bytes[] = {\n${bytes}};\n"
        "const std::string_view ${name}(reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes);\n")
endforeach()
string(APPEND text "}\n")
file(WRITE ${OUTPUT} "${text}")
