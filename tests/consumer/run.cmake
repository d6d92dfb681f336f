# SPDX-License-Identifier: MIT
#
# cmake -P: installs the package into the build tree, builds this folder against it, runs it.
# Variables: BUILD (of wavetank), SOURCE (this folder), WORK, COMPILER, FLAGS, GENERATOR.
function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
        ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
endfunction()

# What an earlier version installed must not help this one.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
step("${CMAKE_COMMAND}" --install "${BUILD}" --component sdk --prefix "${WORK}/installed")
if(EXISTS "${WORK}/installed/include/wavetank/simulator/cipher")
    message(FATAL_ERROR "the null suite was installed")
endif()

# Moved once, so that a path of the build tree inside the package would be found out.
file(RENAME "${WORK}/installed" "${WORK}/prefix")
step("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${SOURCE}" -B "${WORK}/build"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step("${CMAKE_COMMAND}" --build "${WORK}/build")
foreach(program consumer link_consumer)
    if(EXISTS "${WORK}/build/${program}")
        step("${WORK}/build/${program}")
    elseif(program STREQUAL consumer)
        message(FATAL_ERROR "${program} was not built")
    endif()
endforeach()

# A protocol of its own: the scenario passes, with the digest that every compiler gives, and fails
# where it should.
set(ping "${WORK}/build/ping")
if(EXISTS "${ping}")
    execute_process(COMMAND "${ping}" ping.toml WORKING_DIRECTORY "${SOURCE}"
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0 OR NOT output MATCHES "GATES   5 passed, 0 failed")
        message(FATAL_ERROR "ping.toml: ${result}\n${output}")
    endif()
    if(NOT output MATCHES "digest   a0f4 d1b3 f560 096b 9286 09fa 2ed3 0116 ")
        message(FATAL_ERROR "ping.toml has another digest\n${output}")
    endif()
    execute_process(COMMAND "${ping}" ping.toml "links.default.rtt=400ms"
        WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE result OUTPUT_VARIABLE output)
    if(NOT result EQUAL 1 OR NOT output MATCHES "FAIL  rtt ")
        message(FATAL_ERROR "ping.toml at 400 ms: ${result}\n${output}")
    endif()
endif()
message(STATUS "ok")
