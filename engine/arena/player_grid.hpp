// SPDX-License-Identifier: MIT
//
// Which players are near a place: a uniform grid of 8 m, rebuilt each tick from their positions.
// The order in which neighbours are visited is fixed by position and slot, never by insertion.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/arena/units.hpp"

namespace wt::arena {

class PlayerGrid {
public:
    static constexpr std::int32_t cell_units = millimetres(8'192);
    static constexpr std::int32_t cells = world_units / cell_units;  // 32 a side.

    explicit PlayerGrid(std::uint32_t slots) : next_(slots, none) { heads_.fill(none); }

    void clear() { heads_.fill(none); }
    // In ascending order of slots.
    void add(std::uint32_t slot, std::int32_t x, std::int32_t y) {
        std::uint32_t& head = heads_[cell(x, y)];
        next_[slot] = head;
        head = slot;
    }
    // Every slot whose cell touches the square of this half side around a place.
    template <class Visit>
    void near(std::int32_t x, std::int32_t y, std::int32_t half, Visit&& visit) const {
        const std::int32_t x_end = clamped(x + half);
        const std::int32_t y_end = clamped(y + half);
        for (std::int32_t cy = clamped(y - half); cy <= y_end; ++cy) {
            for (std::int32_t cx = clamped(x - half); cx <= x_end; ++cx) {
                const std::size_t at = static_cast<std::size_t>(cy * cells + cx);
                for (std::uint32_t slot = heads_[at]; slot != none; slot = next_[slot])
                    visit(slot);
            }
        }
    }

private:
    static constexpr std::uint32_t none = 0xffff'ffff;

    static std::int32_t clamped(std::int32_t place) {
        const std::int32_t at = place < 0 ? 0 : place / cell_units;
        return at < cells ? at : cells - 1;
    }
    static std::size_t cell(std::int32_t x, std::int32_t y) {
        return static_cast<std::size_t>(clamped(y) * cells + clamped(x));
    }

    std::array<std::uint32_t, static_cast<std::size_t>(cells* cells)> heads_{};
    std::vector<std::uint32_t> next_;
};

}  // namespace wt::arena
