// SPDX-License-Identifier: MIT
#include "viewer/model/model.hpp"

#include <algorithm>

#include "viewer/model/live_source.hpp"
#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

constexpr std::size_t pins_max = 8;

}  // namespace

Model::Model() = default;
Model::~Model() = default;

void Model::open(std::unique_ptr<Source> source, const std::string& marks_path) {
    close();
    source_ = std::move(source);
    bookmarks.attach(marks_path);
    axis = TimeAxis{};
    axis.set_whole({{0}, source_->end()});
    axis.show_all();
    overlay = Overlay::none;
    if (info()->bot_count() > 0) peer_ = first_bot;
}

void Model::close() {
    comparison_.reset();
    saved_world_.reset();
    link_replay_.reset();
    payload_words_.reset();
    world_ = WorldView{};
    server_series_ = ServerSeries{};
    source_.reset();
    grids_.clear();
    overview_ = PlotGrid{};
    overview_.wants_band = true;
    first_turn_ = 0;
    first_sum_ = 0;
    range_grid_ = PlotGrid{};
    beside_ = PlotGrid{};
    range_figures_ = RangeFigures{};
    range_totals_.clear();
    lanes = Lanes{};
    ladder = Ladder{};
    records = RecordList{};
    record_ = no_record;
    why_ = WhyView{};
    heat = HeatMap{};
    peers = PeerTable{};
    anomalies = Anomalies{};
    cursor_ = {};
    selected_.reset();
    peer_ = no_peer;
    pinned_.clear();
    is_held_ = false;
    was_drawn_ = false;
    was_listed_ = false;
    message_.clear();
}

void Model::compare(std::unique_ptr<SavedSource> other) {
    if (!source_ || source_->file() == nullptr) return;
    beside_ = PlotGrid{};
    // So that the figures are made anew, with both.
    range_grid_.summed = never_summed;
    comparison_ = std::make_unique<Comparison>(*source_, std::move(other));
    layouts.show(Panel::compare, 0);
    layouts.now().top_left = std::max(layouts.now().top_left, 0.66f);
    if (comparison_->difference().first.has_value()) {
        set_cursor(comparison_->at());
        axis.reveal(cursor_);
    }
    say(comparison_->verdict());
}

void Model::go_to_difference(std::size_t row) {
    if (!comparison_ || row >= comparison_->rows().size()) return;
    comparison_->look_at(row);
    const ComparedRow& there = comparison_->rows()[row];
    if (there.a != no_record) {
        select_record(there.a);
    } else {
        set_cursor(comparison_->at());
    }
    axis.reveal(cursor_);
}

void Model::step_difference(int direction) {
    if (!comparison_) {
        say("no second trace: c opens one");
        return;
    }
    if (!comparison_->step(direction)) {
        say(direction > 0 ? "no later difference near here" : "no earlier difference");
        return;
    }
    go_to_difference(comparison_->row());
}

std::optional<std::int64_t> Model::bound_of(std::string_view series) const {
    std::optional<std::int64_t> lowest;
    if (!source_) return lowest;
    for (const GateInfo& gate : info()->gates) {
        if (gate.series != series) continue;
        lowest = std::min(lowest.value_or(gate.series_bound), gate.series_bound);
    }
    return lowest;
}

void Model::set_cursor(Instant at) {
    const Range whole = axis.whole();
    cursor_ = std::clamp(at, whole.from, whole.to);
    was_focused_ = false;
    // What was said was said of the place before.
    message_.clear();
}

void Model::move_cursor(Duration by) {
    set_cursor(cursor_ + by);
    axis.reveal(cursor_);
}

void Model::select_range(std::optional<Range> range) {
    if (range) {
        if (range->to < range->from) std::swap(range->from, range->to);
        range->from = std::max(range->from, axis.whole().from);
        range->to = std::min(range->to, axis.whole().to);
        if (range->is_empty()) range.reset();
    }
    selected_ = range;
}

void Model::select_peer(PeerIndex peer) {
    if (!source_ || peer >= info()->peers.size()) return;
    peer_ = peer;
}

void Model::toggle_pin(PeerIndex peer) {
    if (!source_ || peer >= info()->peers.size()) return;
    const auto found = std::find(pinned_.begin(), pinned_.end(), peer);
    if (found != pinned_.end()) {
        pinned_.erase(found);
    } else if (pinned_.size() < pins_max) {
        pinned_.push_back(peer);
    } else {
        say("eight peers are pinned; take one off first");
    }
}

std::vector<PeerIndex> Model::plotted_peers() const {
    std::vector<PeerIndex> all = pinned_;
    if (peer_ != no_peer && std::find(all.begin(), all.end(), peer_) == all.end())
        all.push_back(peer_);
    return all;
}

void Model::go_to_gate(std::size_t gate) {
    if (!source_ || gate >= info()->gates.size()) return;
    const GateInfo& about = info()->gates[gate];
    if (about.worst_peer != no_peer) select_peer(about.worst_peer);
    if (about.worst_at == Instant::never()) {
        say(about.name + ": " + about.text);
        return;
    }
    const Duration around = Duration::seconds(2);
    set_cursor(about.worst_at);
    axis.show({about.worst_at - around, about.worst_at + around});
    say(about.name + ": " + about.value + " against " + about.bound);
}

void Model::go_to_anomaly(std::size_t shown_index) {
    if (!source_ || shown_index >= anomalies.shown().size()) return;
    const AnomalyInfo& found = source_->anomalies()[anomalies.shown()[shown_index]];
    set_cursor(found.at);
    axis.reveal(found.at);
    if (found.peer != no_peer) select_peer(found.peer);
    std::string who =
        found.peer < info()->peers.size() ? info()->peers[found.peer].name + ": " : "";
    say(who + info()->anomaly_kinds[found.kind] + (found.text.empty() ? "" : ", " + found.text));
}

void Model::step_anomaly(int direction) {
    if (!source_) return;
    anomalies.refresh(*source_);
    const std::int64_t found =
        direction > 0 ? anomalies.next(*source_, cursor_) : anomalies.previous(*source_, cursor_);
    if (found < 0) {
        say(direction > 0 ? "no anomaly after the cursor" : "no anomaly before the cursor");
        return;
    }
    go_to_anomaly(static_cast<std::size_t>(found));
}

bool Model::go_to(std::string_view place) {
    if (!source_) return false;
    const std::optional<TimePlace> read = read_time_place(place);
    if (!read) {
        say("\"" + std::string(place) + "\" is no place: 1:12.5, 450ms, tick:1803 or record:41");
        return false;
    }
    Instant at{};
    switch (read->kind) {
        case TimePlace::Kind::time:
            at = {read->value};
            break;
        case TimePlace::Kind::tick: {
            const std::int64_t tick = std::max<std::int64_t>(
                0, read->value - static_cast<std::int64_t>(info()->initial_tick));
            at = tick > axis.whole().to.ns / info()->tick_ns ? axis.whole().to
                                                             : Instant{tick * info()->tick_ns};
            break;
        }
        case TimePlace::Kind::record:
            return go_to_record(static_cast<std::uint64_t>(std::max<std::int64_t>(0, read->value)));
    }
    set_cursor(at);
    axis.reveal(cursor_);
    return true;
}

bool Model::go_to_record(std::uint64_t number) {
    if (number >= source_->record_count()) {
        say("there are " + count_text(source_->record_count()) + " records, from 0");
        return false;
    }
    select_record(number);
    axis.reveal(cursor_);
    return true;
}

void Model::select_record(std::uint64_t number) {
    if (!source_ || number >= source_->record_count()) return;
    const trace::Record record = source_->record(number);
    record_ = number;
    set_cursor({record.time});
    if (record.peer != trace::no_peer && record.peer != server_peer) select_peer(record.peer);
}

void Model::step_record(int direction) {
    // Without a selected record one begins at the cursor.
    std::uint64_t start = record_;
    if (start == no_record || source_->record(start).time != cursor_.ns) {
        start = source_->first_record_at(cursor_);
        if (direction > 0 && start > 0) --start;
    }
    const std::uint64_t found = source_->neighbour(start, peer_, direction);
    if (found == no_record) {
        say(direction > 0 ? "no later record of this peer" : "no earlier record of this peer");
        return;
    }
    select_record(found);
    axis.reveal(cursor_);
}

std::uint64_t Model::tick_at(Instant at) const {
    if (!source_) return 0;
    return static_cast<std::uint64_t>(at.ns / info()->tick_ns) + info()->initial_tick;
}

void Model::focus() {
    if (was_focused_) {
        axis.show_all();
        was_focused_ = false;
        return;
    }
    const Duration half = axis.view().length() / 2;
    axis.show({cursor_ - half, cursor_ + half});
    was_focused_ = true;
}

void Model::mark_here() {
    Bookmark bookmark;
    bookmark.at = cursor_;
    if (peer_ != no_peer) bookmark.peer = info()->peers[peer_].name;
    bookmark.text = "mark " + std::to_string(bookmarks.all().size() + 1);
    if (bookmarks.add(bookmark)) {
        say("marked " + clock_text(cursor_));
    } else {
        say("the mark could not be kept in " + bookmarks.path());
    }
}

}  // namespace wt::viewer
