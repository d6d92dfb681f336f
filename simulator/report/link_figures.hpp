// SPDX-License-Identifier: MIT
//
// What a link does, measured and not read off its keys: 100,000 probes of 200 B at 60 a second go
// through the model itself, seed 1. Printed by `links` and above every run.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/link/link_config.hpp"
#include "simulator/metrics/summary.hpp"

namespace wt::sim {

struct DirectionFigures {
    Stats delay{};
    std::uint64_t loss_ppb = 0;
    std::uint64_t burst_milli = 0;  // Mean length of a run of losses, thousandths; 0 = none lost.
};

struct LinkFigures {
    DirectionFigures up{};
    DirectionFigures down{};
    Stats rtt{};  // Of probes that came through both ways.
};

[[nodiscard]] LinkFigures measure_link(const LinkConfig& link);

// "home-broadband@1   rtt p50 61 ms, p99 84 ms   loss 2 %   up 20, down 100 Mbit/s"
[[nodiscard]] std::string describe_link(const LinkConfig& link);

// `wavetank links`: one line a link.
[[nodiscard]] std::string links_table(const std::vector<LinkConfig>& links);
// `wavetank links NAME`: its keys of both directions as TOML that may be pasted.
[[nodiscard]] std::string link_as_toml(const LinkConfig& link, const std::string& source);

}  // namespace wt::sim
