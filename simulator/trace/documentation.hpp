// SPDX-License-Identifier: MIT
//
// The manifest as the tables of README.md. A test compares; `wavetank trace format` prints.
#pragma once

#include <string>

namespace wt::trace {

[[nodiscard]] std::string format_tables();

}  // namespace wt::trace
