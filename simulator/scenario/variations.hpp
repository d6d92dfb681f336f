// SPDX-License-Identifier: MIT
//
// One file, several scenarios: `[variants.NAME]` are lists of settings with a name, of which a run
// takes one; `[vary]` are paths whose values the seed draws. Both are gone from the document when
// its sections are read.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/scenario/reader.hpp"

namespace wt::sim {

// Lists the variants in reading.scenario, applies the one of that name (empty: none) and takes the
// section away.
void apply_variant(Node& document, const std::string& name, Reading& reading);

// What a variant or `--set` names is no longer varied.
void fix_varied_paths(Node& document, const std::vector<std::string>& settings, Reading& reading);

// Draws one value for each path of [vary] from (seed, "vary", path), puts it into the document,
// notes it in reading.scenario.drawn and takes the section away.
void draw_varied(Node& document, std::uint64_t seed, Reading& reading);

}  // namespace wt::sim
