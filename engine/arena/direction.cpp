// SPDX-License-Identifier: MIT
#include "engine/arena/direction.hpp"

namespace wt::arena {

std::uint16_t angle_of(std::int64_t x, std::int64_t y) {
    if (x == 0 && y == 0) return 0;
    // The quadrant, then a search for the last angle that does not lie beyond the vector.
    std::uint32_t base = 0;
    while (!(x > 0 && y >= 0)) {
        const std::int64_t held = x;
        x = y;
        y = -held;
        base += turn / 4;
    }
    std::uint32_t low = 0;
    std::uint32_t high = turn / 4;
    while (high - low > 1) {
        const std::uint32_t middle = (low + high) / 2;
        const Direction at = direction(middle);
        // The sign of the cross product says on which side the vector lies.
        if (at.x * y - at.y * x >= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return static_cast<std::uint16_t>((base + low) % turn);
}

}  // namespace wt::arena
