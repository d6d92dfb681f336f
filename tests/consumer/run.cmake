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
message(STATUS "ok")
