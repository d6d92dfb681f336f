// SPDX-License-Identifier: MIT
//
// What is applied to the document between reading the files and reading the sections: `--set`
// and variables.
#pragma once

#include <string>
#include <vector>

#include "simulator/scenario/reader.hpp"

namespace wt::sim {

// "PATH=VALUE", in order. Paths reach what exists by name; keys of known tables may be new.
void apply_settings(Node& document, const std::vector<std::string>& settings, Reading& reading);
// Replaces "$name" and takes [vars] out of the document.
void apply_variables(Node& document, Reading& reading);

}  // namespace wt::sim
