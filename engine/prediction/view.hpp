// SPDX-License-Identifier: MIT
//
// What a client saw when it acted: the time shown for remote objects and the two versions between
// which it was blended. With these the server rebuilds the very pose that was on the screen,
// instead of one that is a curve away from it. It is a claim, judged by rewind.hpp.
#pragma once

#include <cstdint>

#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

inline constexpr std::size_t view_bytes = 8;

struct View {
    TickTime at{};          // Shown time, in server ticks.
    Tick from = 0;          // Tick of the older version; from <= at.
    std::uint8_t span = 0;  // Ticks from the older to the newer version; 0: `from` was held.

    friend constexpr bool operator==(const View&, const View&) = default;
};

// As it travels: 32 bits of the tick at or before the shown time, its fraction, and how many ticks
// before it the older version lies.
struct WireView {
    std::uint32_t tick = 0;
    std::uint16_t fraction = 0;
    std::uint8_t back = 0;
    std::uint8_t span = 0;

    friend constexpr bool operator==(const WireView&, const WireView&) = default;
};

// Versions more than 255 ticks back do not fit; such a view is held at the oldest that does.
[[nodiscard]] constexpr WireView to_wire(const View& view) {
    const Tick floor = view.at.floor();
    const Tick back = floor < view.from ? 0 : floor - view.from;
    return {.tick = static_cast<std::uint32_t>(floor),
            .fraction = static_cast<std::uint16_t>(view.at.q16 & (tick_one - 1)),
            .back = static_cast<std::uint8_t>(back < 255 ? back : 255),
            .span = back < 255 ? view.span : std::uint8_t{0}};
}

// False, and `out` untouched, when the ticks cannot be placed near `reference`.
[[nodiscard]] constexpr bool from_wire(const WireView& wire, Tick reference, View& out) {
    Tick tick = 0;
    if (!widen_tick(reference, wire.tick, tick)) return false;
    if (wire.back > tick) return false;
    out = {.at = TickTime::at(tick) + TickTime{wire.fraction},
           .from = tick - wire.back,
           .span = wire.span};
    return true;
}

}  // namespace wt::prediction
