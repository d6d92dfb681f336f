// SPDX-License-Identifier: MIT
#include "simulator/link/weather.hpp"

#include <string_view>

namespace wt::sim {

Weather::Weather(LuckKey direction) {
    constexpr std::array<std::string_view, purpose_count> names = {
        "loss",    "burst",   "bad_loss",   "jitter",   "duplicate",
        "reorder", "corrupt", "corruption", "handover", "aqm"};
    for (unsigned purpose = 0; purpose < purpose_count; ++purpose) {
        keys_[purpose] = direction.with(names[purpose]);
    }
}

}  // namespace wt::sim
