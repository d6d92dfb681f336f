// SPDX-License-Identifier: MIT
//
// `wavetank view`: becomes the viewer, which lies beside this program and has options of its own.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/terminal.hpp"

namespace wt::sim {

int view_command(int argc, const char* const* argv) {
    std::error_code failure;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
    const std::string viewer = (self.parent_path() / "wavetank-viewer").string();
    std::vector<std::string> words{viewer};
    for (int i = 2; i < argc; ++i)
        words.emplace_back(argv[i]);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(viewer.c_str(), arguments.data());
    print_error("wavetank: error: there is no " + viewer +
                "\n   this build is without the viewer: it needs libimgui-dev, libglfw3-dev, "
                "libstb-dev, libgl-dev\n   ./dev view installs them and builds it; "
                "without pictures: wavetank trace info FILE\n");
    return exit_bad_input;
}

}  // namespace wt::sim
