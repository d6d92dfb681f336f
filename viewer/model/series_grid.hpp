// SPDX-License-Identifier: MIT
//
// One series of all peers over the view, in equal columns: what the heat map paints and the bands
// of the plots are made of. Filled a few peers at a time within a budget of cells, so that a frame
// stays short with thousands of peers; until a new view is complete the cells of the old one stay
// where it has not come to.
#pragma once

#include <cstdint>
#include <vector>

#include "viewer/model/source.hpp"

namespace wt::viewer {

// How many stored cells may still be looked at in this frame: about 2 ms. The first frame of a run
// is rough, so that it touches next to nothing of the file.
struct CellBudget {
    std::size_t left = 200'000;
    Detail detail = Detail::exact;
};

class SeriesGrid {
public:
    struct Aim {
        int series = -1;  // -1: there is no such series; the grid stays empty.
        Range view{};
        std::uint32_t columns = 0;
        std::uint64_t version = 0;
        friend bool operator==(const Aim&, const Aim&) = default;
    };

    // Asks for what is missing; true when everything is there.
    bool refresh(const Source& source, const Aim& aim, CellBudget& budget);

    [[nodiscard]] const Cell& at(PeerIndex peer, std::uint32_t column) const {
        return cells_[static_cast<std::size_t>(peer) * aim_.columns + column];
    }
    [[nodiscard]] std::uint32_t columns() const { return cells_.empty() ? 0 : aim_.columns; }
    [[nodiscard]] PeerIndex peers() const { return peers_; }
    [[nodiscard]] const Aim& aim() const { return aim_; }
    // How often all peers have been gone through: what is made of the cells is made anew then.
    [[nodiscard]] std::uint64_t passes() const { return passes_; }

private:
    Aim aim_{};
    PeerIndex peers_ = 0;
    PeerIndex next_ = first_bot;
    bool is_stale_ = false;          // The pass began with another view: one more follows.
    Detail detail_ = Detail::rough;  // Of what is there.
    std::uint64_t passes_ = 0;
    std::vector<Cell> cells_;
};

// Percentiles over the peers, column by column.
struct Band {
    std::vector<std::int64_t> p50{}, p95{}, p99{}, max{};
    std::vector<std::uint8_t> has{};  // 1 where any peer has a value.
};
// Of the middle between smallest and largest value that each bot has in a column; `max` is the
// largest single value.
[[nodiscard]] Band band_of(const SeriesGrid& grid);
// Sums and largest values over all peers, column by column.
[[nodiscard]] std::vector<Cell> total_of(const SeriesGrid& grid);

}  // namespace wt::viewer
