// SPDX-License-Identifier: MIT
//
// The link presets that ship with the product: data with a version and a source each. A preset
// never changes under its version; better figures become the next version beside it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simulator/link/link_config.hpp"

namespace wt::sim {

struct Preset {
    std::string name{};
    std::uint32_t version = 1;
    std::string source{};  // Where the figures come from, one line.
    LinkConfig config{};   // config.name = name, config.source = "name@version".
};

// All of them, in the order in which they are listed to users.
[[nodiscard]] std::span<const Preset> all_presets();

// By "name" (its newest version) or "name@version"; nullptr if there is none.
[[nodiscard]] const Preset* find_preset(std::string_view name);

}  // namespace wt::sim
