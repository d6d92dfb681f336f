// SPDX-License-Identifier: MIT
//
// What the model works through from frame to frame: grids, tables and what is made of them, each in
// its turn, within what a frame may cost. (The rest of the model is in model.cpp.)
#include <algorithm>

#include "viewer/model/live_source.hpp"
#include "viewer/model/model.hpp"
#include "viewer/model/saved_source.hpp"

namespace wt::viewer {

namespace {

// Cells that may be ranked and added up in one frame, for bands and sums: about 2 ms.
constexpr std::size_t summed_a_frame = 150'000;
// More peers than this have coarser columns.
constexpr std::size_t peers_in_fine_columns = 1'024;

// Turns before those of the plots.
enum Turn : std::size_t { overview, heat_map, peer_table, range_of_figures, plots };

}  // namespace

void Model::refresh() {
    is_settled_ = true;
    if (!source_) return;
    source_->begin_frame();
    if (LiveSource* const run = source_->live()) {
        run->look_at(peer_);
        is_settled_ = run->state().is_over;
    }
    if (!is_held_) axis.set_whole({{0}, source_->end()});
    CellBudget budget;
    if (!was_drawn_) budget.detail = Detail::rough;
    is_settled_ = is_settled_ && was_drawn_;
    was_drawn_ = true;
    anomalies.refresh(*source_);
    if (wants_records_ && budget.detail == Detail::exact) {
        records.refresh(*source_, range(), peer_);
        is_settled_ = is_settled_ && records.is_complete();
    }
    wants_records_ = false;
    if (budget.detail == Detail::exact) {
        is_settled_ = server_series_.refresh(*source_, axis.view()) && is_settled_;
        refresh_replays();
    }
    is_settled_ = refresh_in_turn(budget) && is_settled_;
    is_settled_ = sum_up_in_turn() && is_settled_;
}

// Whoever a frame was too short for is the first one in the next: with thousands of peers nobody
// would be complete before everybody in front of him had begun anew.
bool Model::refresh_in_turn(CellBudget& budget) {
    const std::size_t turns = Turn::plots + grids_.size();
    bool is_done = true;
    std::size_t served = 0;
    for (; served < turns && budget.left > 0; ++served)
        is_done = refresh_one((first_turn_ + served) % turns, budget) && is_done;
    // The last one may have been cut short, and goes on.
    const bool is_cut = budget.left == 0;
    first_turn_ = is_cut ? (first_turn_ + served - 1) % turns : 0;
    return is_done && !is_cut;
}

bool Model::refresh_one(std::size_t turn, CellBudget& budget) {
    switch (turn) {
        case Turn::overview:
            return refresh_grid(overview_, heat.metric, axis.whole(), budget);
        case Turn::heat_map:
            return heat.refresh(*source_, axis.view(), budget);
        case Turn::peer_table:
            return peers.refresh(*source_, range(), budget);
        case Turn::range_of_figures:
            return refresh_range(budget);
        default:
            break;
    }
    PlotGrid& plot = *grids_[turn - Turn::plots];
    if (!plot.is_wanted) return true;
    plot.is_wanted = false;
    return refresh_grid(plot, plot.key, axis.view(), budget);
}

bool Model::refresh_grid(PlotGrid& plot, const std::string& key, Range view, CellBudget& budget) {
    const bool is_coarse = info()->peers.size() > peers_in_fine_columns;
    return plot.grid.refresh(*source_,
                             {.series = info()->find_series(key),
                              .view = view,
                              .columns = HeatMap::columns_max / (is_coarse ? 2u : 1u),
                              .version = source_->version()},
                             budget);
}

// At least one a frame.
bool Model::sum_up_in_turn() {
    std::size_t left = summed_a_frame;
    const std::size_t count = grids_.size() + 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t turn = (first_sum_ + i) % count;
        PlotGrid& plot = turn == 0 ? overview_ : *grids_[turn - 1];
        if (plot.summed == plot.grid.passes()) continue;
        if (left == 0) {
            first_sum_ = turn;
            return false;
        }
        const std::size_t cells = std::size_t{plot.grid.peers()} * plot.grid.columns();
        left -= std::min(left, cells);
        sum_up(plot);
    }
    first_sum_ = 0;
    return true;
}

void Model::sum_up(PlotGrid& plot) {
    plot.summed = plot.grid.passes();
    if (plot.wants_band) plot.band = band_of(plot.grid);
    if (!plot.wants_sums) return;
    plot.sums.clear();
    for (const Cell& cell : total_of(plot.grid))
        plot.sums.push_back(cell.sum);
}

// What goes through the messages of a saved trace, a piece a frame.
void Model::refresh_replays() {
    if (payload_words_) is_settled_ = payload_words_->refresh() && is_settled_;
    if (!wants_world_ || !saved_world_) return;
    wants_world_ = false;
    const bool is_bot = peer_ != no_peer && peer_ != server_peer;
    const std::uint16_t peer = is_bot ? static_cast<std::uint16_t>(peer_) : std::uint16_t{0};
    is_settled_ = saved_world_->refresh(peer, cursor_) && is_settled_;
    world_.problem = saved_world_->problem();
    world_.picture = saved_world_->picture();
    world_.witnesses = saved_world_->witnesses();
    world_.refused = saved_world_->refused();
}

const WorldView& Model::world() {
    if (LiveSource* const run = live()) {
        world_.picture = run->state().world;
        return world_;
    }
    if (!saved_world_ && source_ && source_->file() != nullptr) {
        saved_world_ = std::make_unique<SavedWorld>(*source_->file());
        world_.problem = saved_world_->problem();
        is_settled_ = false;
    }
    wants_world_ = true;
    return world_;
}

std::string Model::payload_words(std::uint64_t record) {
    if (!source_ || source_->file() == nullptr || record >= source_->record_count()) return {};
    if ((source_->record(record).flags & trace::flag::payload) == 0) return {};
    if (!payload_words_) payload_words_ = std::make_unique<PayloadWords>(*source_->file());
    const std::string& words = payload_words_->of(record);
    // They come with the next frames.
    if (words.empty()) is_settled_ = false;
    return words;
}

Model::PlotGrid& Model::plot_grid(const std::string& key) {
    for (auto& plot : grids_) {
        if (plot->key != key) continue;
        plot->is_wanted = true;
        return *plot;
    }
    grids_.push_back(std::make_unique<PlotGrid>());
    grids_.back()->key = key;
    grids_.back()->is_wanted = true;
    // What a new panel asks for is not there yet: another frame.
    is_settled_ = false;
    return *grids_.back();
}

const SeriesGrid& Model::grid(const std::string& key) {
    return plot_grid(key).grid;
}

const Band& Model::band(const std::string& key) {
    PlotGrid& plot = plot_grid(key);
    if (!plot.wants_band) plot.summed = never_summed;
    plot.wants_band = true;
    return plot.band;
}

const std::vector<std::int64_t>& Model::sums(const std::string& key) {
    PlotGrid& plot = plot_grid(key);
    if (!plot.wants_sums) plot.summed = never_summed;
    plot.wants_sums = true;
    return plot.sums;
}

bool Model::refresh_range(CellBudget& budget) {
    if (!wants_range_ || budget.detail == Detail::rough) return true;
    wants_range_ = false;
    const bool is_done = range_grid_.grid.refresh(*source_,
                                                  {.series = info()->find_series(heat.metric),
                                                   .view = range(),
                                                   .columns = HeatMap::columns_max / 2,
                                                   .version = source_->version()},
                                                  budget);
    const bool is_beside_done = refresh_beside(budget);
    if (range_grid_.summed != range_grid_.grid.passes() ||
        beside_.summed != beside_.grid.passes()) {
        range_grid_.summed = range_grid_.grid.passes();
        beside_.summed = beside_.grid.passes();
        range_figures_ = figures_of(range_grid_.grid, comparison_ ? &beside_.grid : nullptr);
        total_ = {};
        return false;
    }
    // Not while the range changes from frame to frame.
    return add_totals(budget) && is_done && is_beside_done;
}

// The same range of the second trace, where there is one.
bool Model::refresh_beside(CellBudget& budget) {
    if (!comparison_) return true;
    const SavedSource& other = comparison_->other();
    const int series = other.info().find_series(heat.metric);
    if (series < 0) return true;
    return beside_.grid.refresh(other,
                                {.series = series,
                                 .view = range(),
                                 .columns = HeatMap::columns_max / 2,
                                 .version = other.version()},
                                budget);
}

// Their cells are counted one by one: as many peers a frame as it has room for.
bool Model::add_totals(CellBudget& budget) {
    const std::vector<SeriesInfo>& series = info()->series;
    for (; total_.series < series.size();
         ++total_.series, total_.peer = first_bot, total_.sum = 0) {
        const SeriesInfo& about = series[total_.series];
        if (!about.is_sum) continue;
        for (; total_.peer < info()->peers.size(); ++total_.peer) {
            if (budget.left == 0) return false;
            Cell cell;
            const std::size_t cost =
                1 + source_->cells(total_.series, total_.peer, range(), {&cell, 1}, Detail::exact);
            budget.left -= std::min(budget.left, cost);
            total_.sum += cell.sum;
        }
        set_total({about.key, about.title, about.dimension, total_.sum});
    }
    return true;
}

void Model::set_total(RangeTotal total) {
    for (RangeTotal& known : range_totals_) {
        if (known.key != total.key) continue;
        known = std::move(total);
        return;
    }
    range_totals_.push_back(std::move(total));
}

const RangeFigures& Model::range_figures() {
    if (!wants_range_) is_settled_ = is_settled_ && range_grid_.grid.columns() > 0;
    wants_range_ = true;
    return range_figures_;
}

const RecordList& Model::shown_records() {
    // A panel that has just come has nothing yet: another frame.
    if (!was_listed_) is_settled_ = false;
    was_listed_ = true;
    wants_records_ = true;
    return records;
}

const std::vector<RangeTotal>& Model::range_totals() {
    return range_totals_;
}

}  // namespace wt::viewer
