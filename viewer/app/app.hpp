// SPDX-License-Identifier: MIT
//
// wavetank-viewer: from a command line to a window, a picture or a script's verdict.
#pragma once

namespace wt::viewer {

[[nodiscard]] int app_main(int argc, const char* const* argv);

}  // namespace wt::viewer
