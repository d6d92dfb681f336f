# SPDX-License-Identifier: MIT
#
# Whether the viewer is built: ON asks for its packages, OFF leaves it out, AUTO (the default) takes
# it where they are, so that the program alone needs none of them.
set(WAVETANK_VIEWER AUTO CACHE STRING "Build the viewer: ON, OFF, or AUTO where its packages are")
set_property(CACHE WAVETANK_VIEWER PROPERTY STRINGS ON OFF AUTO)
if(WAVETANK_VIEWER)
    pkg_check_modules(imgui IMPORTED_TARGET GLOBAL imgui)
    find_package(glfw3 3.3 QUIET)
    set(OpenGL_GL_PREFERENCE GLVND)
    find_package(OpenGL QUIET)
    if(imgui_FOUND AND glfw3_FOUND AND OpenGL_FOUND)
        add_subdirectory(viewer)
    elseif(WAVETANK_VIEWER STREQUAL "ON")
        message(FATAL_ERROR "the viewer needs libimgui-dev, libglfw3-dev, libstb-dev and libgl-dev"
            " (or -DWAVETANK_VIEWER=OFF)")
    else()
        message(STATUS "no viewer: libimgui-dev, libglfw3-dev, libstb-dev, libgl-dev")
    endif()
endif()
