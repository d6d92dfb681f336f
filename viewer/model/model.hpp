// SPDX-License-Identifier: MIT
//
// What the viewer shows and where it looks: everything but the drawing. Panels read it and call
// the verbs; keys, the palette, scripts and tests go through run(Command), so that each of them
// does the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/run/link_replay.hpp"
#include "simulator/trace/why.hpp"
#include "viewer/model/anomalies.hpp"
#include "viewer/model/bookmarks.hpp"
#include "viewer/model/commands.hpp"
#include "viewer/model/comparison.hpp"
#include "viewer/model/heat_map.hpp"
#include "viewer/model/lanes.hpp"
#include "viewer/model/layout.hpp"
#include "viewer/model/payload_words.hpp"
#include "viewer/model/peer_table.hpp"
#include "viewer/model/range_figures.hpp"
#include "viewer/model/recent_files.hpp"
#include "viewer/model/record_list.hpp"
#include "viewer/model/saved_world.hpp"
#include "viewer/model/series_grid.hpp"
#include "viewer/model/server_series.hpp"
#include "viewer/model/source.hpp"
#include "viewer/model/time_axis.hpp"

namespace wt::viewer {

// What lies over the panels; one thing at a time.
enum class Overlay : std::uint8_t {
    none,
    palette,
    key_help,
    go_to,
    marks,
    compare,
    start,
    change_link
};

// What is known of why the selected record is as it is.
struct WhyView {
    std::uint64_t record = no_record;  // That was asked about.
    std::optional<trace::WhyAnswer> answer{};
    std::string problem{};
};

struct WorldView {
    WorldPicture picture{};
    std::string problem{};      // Why there is none; empty where there is one, or soon.
    std::size_t witnesses = 0;  // Clients whose snapshots tell the truth; 0: the server itself.
    std::uint64_t refused = 0;  // Messages of this client that its decoders refused by then.
};

class Model {
public:
    Model();
    ~Model();

    // Takes a run. `marks_path` may be empty. What was looked at before is forgotten.
    void open(std::unique_ptr<Source> source, const std::string& marks_path);
    void close();
    // Puts a second trace beside the one that is open, and goes to the first difference.
    void compare(std::unique_ptr<SavedSource> other);
    [[nodiscard]] const Comparison* comparison() const { return comparison_.get(); }
    void go_to_difference(std::size_t row);

    void run(Command command);

    // Brings everything up to date with the source and the view, within a frame's budget.
    void refresh();
    // Whether refresh has more to do: the window draws again at once.
    [[nodiscard]] bool is_settled() const { return is_settled_; }

    // Verbs of the pointer.
    void set_cursor(Instant at);
    void select_range(std::optional<Range> range);
    void select_peer(PeerIndex peer);
    void toggle_pin(PeerIndex peer);
    // Selects a record, its peer and its instant.
    void select_record(std::uint64_t number);
    void go_to_gate(std::size_t gate);
    void go_to_anomaly(std::size_t shown_index);
    // "1:12.5", "tick:1803", "record:41"; false: not understood, and said so.
    bool go_to(std::string_view place);
    void say(std::string text) { message_ = std::move(text); }

    [[nodiscard]] const Source* source() const { return source_.get(); }
    // Controls of a run that goes on; nullptr else.
    [[nodiscard]] LiveSource* live() { return source_ ? source_->live() : nullptr; }
    [[nodiscard]] const RunInfo* info() const { return source_ ? &source_->info() : nullptr; }
    [[nodiscard]] Instant cursor() const { return cursor_; }
    [[nodiscard]] const std::optional<Range>& selected() const { return selected_; }
    // The selected range, or what is in view.
    [[nodiscard]] Range range() const { return selected_.value_or(axis.view()); }
    [[nodiscard]] PeerIndex peer() const { return peer_; }
    [[nodiscard]] const std::vector<PeerIndex>& pinned() const { return pinned_; }
    // The selected peer and the pinned ones, each once.
    [[nodiscard]] std::vector<PeerIndex> plotted_peers() const;
    [[nodiscard]] std::uint64_t record() const { return record_; }
    [[nodiscard]] bool is_held() const { return is_held_; }
    [[nodiscard]] const std::string& message() const { return message_; }
    [[nodiscard]] std::uint64_t tick_at(Instant at) const;

    TimeAxis axis{};
    Layouts layouts{};
    Bookmarks bookmarks{};
    HeatMap heat{};
    PeerTable peers{};
    Anomalies anomalies{};
    Lanes lanes{};
    Ladder ladder{};
    RecordList records{};
    RecentFiles recent{};

    // The list for a panel that shows it: only then is it worked out.
    const RecordList& shown_records();

    // Of the selected record; asked once.
    const WhyView& why();
    // Goes to a record without asking why again: a step of the story that is shown.
    void look_at_record(std::uint64_t number);

    // Of the heat map's metric over range(); worked out where a panel asked in the frame before.
    const RangeFigures& range_figures();
    const std::vector<RangeTotal>& range_totals();

    // Grids of the plots, by the key of their series; refreshed where a panel asked for them in
    // the frame before.
    const SeriesGrid& grid(const std::string& key);
    // Over all peers of such a grid, column by column.
    const Band& band(const std::string& key);
    const std::vector<std::int64_t>& sums(const std::string& key);
    // Series of the server, as the grids are of the bots.
    const std::vector<Cell>& server_cells(const std::string& key) { return server_series_.of(key); }
    // The world from above at the cursor, as the selected peer sees it; where the run goes on, now.
    const WorldView& world();
    // What the bytes of a captured message say; empty where there are none, or not yet.
    [[nodiscard]] std::string payload_words(std::uint64_t record);
    // The heat map's metric over the whole run.
    [[nodiscard]] const Band& overview_band() const { return overview_.band; }
    // The lowest bound of any gate on this series.
    [[nodiscard]] std::optional<std::int64_t> bound_of(std::string_view series) const;

    Overlay overlay = Overlay::none;
    std::string export_path{};  // Where `e` leaves its CSV; empty: the working folder.
    std::string typed_link{};   // Which link is to be changed.
    std::string typed{};        // In the overlay that is open.
    bool wants_filter = false;  // The filter box takes the keyboard in the next frame.
    bool wants_typing = false;  // The overlay's box does.
    std::size_t palette_row = 0;

private:
    void move_cursor(Duration by);
    void step_anomaly(int direction);
    void step_record(int direction);
    void step_difference(int direction);
    void export_range();
    void export_scenario();
    bool go_to_record(std::uint64_t number);
    void focus();
    void mark_here();
    void run_with_source(Command command);
    void run_live(Command command);

    struct PlotGrid {
        std::string key{};
        SeriesGrid grid{};
        bool is_wanted = false;
        std::uint64_t summed = 0;  // SeriesGrid::passes() that the two below are of.
        bool wants_band = false;
        bool wants_sums = false;
        Band band{};
        std::vector<std::int64_t> sums{};
    };
    static constexpr std::uint64_t never_summed = ~std::uint64_t{0};
    // Where the count of what adds up over the range has come to.
    struct Total {
        std::size_t series = 0;
        PeerIndex peer = first_bot;
        std::int64_t sum = 0;
    };
    [[nodiscard]] bool refresh_in_turn(CellBudget& budget);
    [[nodiscard]] bool refresh_one(std::size_t turn, CellBudget& budget);
    [[nodiscard]] bool refresh_grid(PlotGrid& plot, const std::string& key, Range view,
                                    CellBudget& budget);
    [[nodiscard]] bool refresh_range(CellBudget& budget);
    [[nodiscard]] bool refresh_beside(CellBudget& budget);
    [[nodiscard]] bool add_totals(CellBudget& budget);
    void set_total(RangeTotal total);
    [[nodiscard]] bool sum_up_in_turn();
    void refresh_replays();
    PlotGrid& plot_grid(const std::string& key);
    static void sum_up(PlotGrid& plot);

    std::unique_ptr<Source> source_{};
    std::unique_ptr<Comparison> comparison_{};  // Refers to the source.
    Instant cursor_{};
    std::optional<Range> selected_{};
    PeerIndex peer_ = no_peer;
    std::vector<PeerIndex> pinned_{};
    bool is_held_ = false;
    bool is_settled_ = true;
    bool was_drawn_ = false;  // Once, roughly.
    bool was_focused_ = false;
    std::string message_{};
    std::vector<std::unique_ptr<PlotGrid>> grids_{};
    ServerSeries server_series_{};
    // Of a saved trace; both refer to its file.
    std::unique_ptr<SavedWorld> saved_world_{};
    std::unique_ptr<sim::LinkReplay> link_replay_{};  // Once a story was asked for.
    std::unique_ptr<PayloadWords> payload_words_{};
    WorldView world_{};
    bool wants_world_ = false;
    WhyView why_{};
    PlotGrid overview_{};
    PlotGrid range_grid_{};
    PlotGrid beside_{};  // The second trace's.
    RangeFigures range_figures_{};
    std::vector<RangeTotal> range_totals_{};
    Total total_{};
    std::size_t first_turn_ = 0;  // Whose turn the last frame was too short for.
    std::size_t first_sum_ = 0;
    bool wants_range_ = false;
    bool wants_records_ = false;
    bool was_listed_ = false;
    std::uint64_t record_ = no_record;
};

}  // namespace wt::viewer
