// SPDX-License-Identifier: MIT
//
// Files that a command will write: tried before anything runs, written when it is over.
#pragma once

#include <string>
#include <string_view>

namespace wt::sim {

// Whether the path can be written. An existing file keeps its content; a new one is not left
// behind.
[[nodiscard]] bool can_write(const std::string& path);
[[nodiscard]] bool write_file(const std::string& path, std::string_view text);

}  // namespace wt::sim
