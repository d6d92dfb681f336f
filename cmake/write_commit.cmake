# SPDX-License-Identifier: MIT
#
# Writes the commit of SOURCE into the source file TARGET; leaves one that says so already alone.
execute_process(COMMAND git rev-parse --short HEAD WORKING_DIRECTORY "${SOURCE}"
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
    set(commit unknown)
endif()
set(text "namespace wt::sim {\nconst char* built_commit();\n")
string(APPEND text "const char* built_commit() {\n    return \"${commit}\";\n}\n}  // namespace wt::sim\n")
set(old "")
if(EXISTS "${TARGET}")
    file(READ "${TARGET}" old)
endif()
if(NOT old STREQUAL text)
    file(WRITE "${TARGET}" "${text}")
endif()
