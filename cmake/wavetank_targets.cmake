# SPDX-License-Identifier: MIT
#
# Flags and the two functions with which every folder declares itself.
include(GNUInstallDirs)
find_package(PkgConfig REQUIRED)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)

# Paths below the source folder are hashed relative to it, so that another clone finds them again.
find_program(WAVETANK_CCACHE ccache)
if(WAVETANK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros "${WAVETANK_CCACHE}")
endif()

# Most of a compilation here is reading headers. The presets `dev` and `clang-release` compile each
# file alone, so that what a file forgets to include is found.
if(WAVETANK_UNITY)
    set(CMAKE_UNITY_BUILD ON)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# What every target of this tree is compiled with. -ffp-contract=off is a fence, not a speed
# setting: no decision uses floating point, and nothing may start to by accident.
add_library(wavetank_flags INTERFACE)
target_compile_features(wavetank_flags INTERFACE cxx_std_20)
target_compile_options(wavetank_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
    -ffp-contract=off $<$<BOOL:${WAVETANK_WERROR}>:-Werror>)
# gcc 12 sees overlaps in `"text" + std::string` at -O2 that are not there (its bug 105651).
target_compile_options(wavetank_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
set(CMAKE_CXX_EXTENSIONS OFF)

# Everything is built for libFuzzer's coverage, with the sanitizers: tests/fuzz/README.md.
if(WAVETANK_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()

# engine/base/mutated.hpp: a constant false everywhere but here.
if(WAVETANK_MUTANTS)
    add_compile_definitions(WT_MUTANTS)
endif()

# wavetank_library(folder [SODIUM] LINK targets...): the static library of one folder, named after
# its path, from every .cpp directly in it.
function(wavetank_library folder)
    cmake_parse_arguments(arg "SODIUM;EXCEPTIONS" "" "LINK" ${ARGN})
    string(REPLACE "/" "_" name "${folder}")
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
    if(NOT sources)
        add_library(${name} INTERFACE)
        return()
    endif()
    add_library(${name} STATIC ${sources})
    add_library(wavetank::${name} ALIAS ${name})
    set_target_properties(${name} PROPERTIES OUTPUT_NAME "wavetank_${name}" LINKER_LANGUAGE CXX)
    target_compile_features(${name} PUBLIC cxx_std_20)
    target_include_directories(${name} PUBLIC
        "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
        "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/wavetank>")
    target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE $<BUILD_INTERFACE:wavetank_flags>)
    if(NOT arg_EXCEPTIONS)
        target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
    endif()
    if(arg_SODIUM)
        target_link_libraries(${name} PRIVATE PkgConfig::sodium)
    endif()
endfunction()
