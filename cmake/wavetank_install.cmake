# SPDX-License-Identifier: MIT
#
# Install and export: the engine, the bots, and the rooms of the simulator with which a user's own
# protocol is run (link, core, own). What these stand on comes along as archives without headers. The
# null suite stays in this tree. `cmake --install build --component sdk` leaves a relocatable package.
include(CMakePackageConfigHelpers)

set(wavetank_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/wavetank")

# Who is public is decided here and said in README.md of this folder.
set(wavetank_public_folders engine/base engine/crypto engine/transport engine/secure
    engine/udp engine/session engine/replication engine/prediction engine/arena)
if(WAVETANK_TOOLS)
    list(APPEND wavetank_public_folders bots simulator/link simulator/core simulator/own)
    set(wavetank_hidden_folders simulator/scenario simulator/metrics simulator/gates
        simulator/report simulator/trace simulator/run simulator/sealed)
endif()

foreach(folder IN LISTS wavetank_hidden_folders)
    string(REPLACE "/" "_" name "${folder}")
    install(TARGETS ${name} EXPORT wavetank_targets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT sdk)
endforeach()

foreach(folder IN LISTS wavetank_public_folders)
    string(REPLACE "/" "_" name "${folder}")
    install(TARGETS ${name} EXPORT wavetank_targets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT sdk)
    # Paths stay as they are in this tree: "engine/base/time.hpp" names the layer.
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/wavetank/${folder}" COMPONENT sdk
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inl"
        PATTERN "tables" EXCLUDE)
endforeach()

install(EXPORT wavetank_targets NAMESPACE wavetank:: FILE wavetankTargets.cmake
    DESTINATION "${wavetank_package_dir}" COMPONENT sdk)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/wavetankConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/wavetankConfig.cmake" INSTALL_DESTINATION "${wavetank_package_dir}")
# Before 1.0 a minor version may change anything.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/wavetankConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/wavetankConfig.cmake"
    "${PROJECT_BINARY_DIR}/wavetankConfigVersion.cmake"
    DESTINATION "${wavetank_package_dir}" COMPONENT sdk)
