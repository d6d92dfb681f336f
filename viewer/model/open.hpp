// SPDX-License-Identifier: MIT
//
// A path from a command line, a dropped file or a script becomes a run in the model.
#pragma once

#include <string>

#include "viewer/model/model.hpp"

namespace wt::viewer {

// Empty, or what is wrong with the file; the model is unchanged then.
[[nodiscard]] std::string open_file(Model& model, const std::string& path);

}  // namespace wt::viewer
