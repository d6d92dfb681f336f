// SPDX-License-Identifier: MIT
//
// The simulator's public side from outside: a preset link judges a hundred datagrams.
#include <cstdio>

#include "simulator/link/link_direction.hpp"
#include "simulator/link/presets.hpp"

int main() {
    using namespace wt;
    const sim::Preset* const preset = sim::find_preset("home-broadband");
    if (preset == nullptr) return 1;
    sim::LinkDirection up(LuckKey::root(1).with("consumer"),
                          {{Instant{}, sim::compile(preset->config).up}});
    unsigned arrived = 0;
    for (int i = 0; i < 100; ++i) {
        const Instant now = Instant{} + Duration::millis(i);
        const sim::Fate fate = up.send(now, 80, transport::WeatherTag::lane_1);
        if (fate.copies > 0 && fate.arrival[0] > now) ++arrived;
    }
    if (arrived < 90) return 1;
    std::puts("ok");
    return 0;
}
