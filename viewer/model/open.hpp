// SPDX-License-Identifier: MIT
//
// A path from a command line, a dropped file or a script becomes a run in the model.
#pragma once

#include <string>
#include <vector>

#include "viewer/model/live_run.hpp"
#include "viewer/model/model.hpp"

namespace wt::viewer {

// For a scenario, which is run and watched.
struct OpenOptions {
    std::vector<std::string> settings{};  // "PATH=VALUE"
    LiveOptions live{};
};

// A trace, or a scenario (.toml). Empty, or what is wrong with it; the model is unchanged then.
[[nodiscard]] std::string open_file(Model& model, const std::string& path,
                                    const OpenOptions& options = {});

// Puts a second trace beside the one that is open. Empty, or what is wrong.
[[nodiscard]] std::string compare_with(Model& model, const std::string& path);

}  // namespace wt::viewer
