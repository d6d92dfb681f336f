// SPDX-License-Identifier: MIT
//
// What is applied to the document between reading the files and reading the sections: `--set`
// and variables.
#pragma once

#include <string>
#include <vector>

#include "simulator/scenario/reader.hpp"

namespace wt::sim {

// Where a value goes: "links.default.rtt", "at.door.for". Parts in quotes may hold dots.
struct SettingPath {
    std::string text{};
    std::vector<std::string> parts{};
    Place place{};
    bool has_columns = false;  // Whether the place's columns follow the text's characters.
};
[[nodiscard]] SettingPath setting_path(std::string text, Place place, bool has_columns);
// False, after a problem at the path, where it leads nowhere.
bool put_at(Node& document, const SettingPath& path, Node value, Reading& reading);

// "PATH=VALUE", in order. Paths reach what exists by name; keys of known tables may be new.
void apply_settings(Node& document, const std::vector<std::string>& settings, Reading& reading);
// Replaces "$name" and takes [vars] out of the document.
void apply_variables(Node& document, Reading& reading);

}  // namespace wt::sim
