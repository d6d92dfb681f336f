// SPDX-License-Identifier: MIT
#include "viewer/model/lanes.hpp"

#include <algorithm>

#include "viewer/model/record_text.hpp"

namespace wt::viewer {

namespace {

using trace::Type;

// What has no lane and is worth a mark of its own.
bool is_event(const trace::Record& record) {
    switch (static_cast<Type>(record.type)) {
        case Type::connection:
        case Type::input_missing:
        case Type::correction:
        case Type::baseline_miss:
        case Type::keyframe_request:
        case Type::desync:
        case Type::refuse:
            return true;
        default:
            return false;
    }
}

}  // namespace

void Lanes::refresh(const Source& source, PeerIndex peer, Range view) {
    const bool is_same =
        source_ == &source && peer_ == peer && view_ == view && version_ == source.version();
    if (is_same) return;
    source_ = &source;
    peer_ = peer;
    view_ = view;
    version_ = source.version();
    rows_.clear();
    events_.clear();
    is_cut_ = false;
    last_row_ = 0;
    if (peer == no_peer) return;
    const std::uint64_t first = source.first_record_at(view.from);
    std::size_t read = 0;
    source.each_of_peer(peer, first, [&](std::uint64_t number, const trace::Record& record) {
        if (record.time >= view.to.ns) return false;
        take(number, record);
        is_cut_ = ++read >= records_max;
        return !is_cut_;
    });
    std::stable_sort(rows_.begin(), rows_.end(), [](const LaneRow& a, const LaneRow& b) {
        return a.is_down != b.is_down ? !a.is_down : a.lane < b.lane;
    });
}

LaneRow& Lanes::row_of(std::uint8_t lane, bool is_down) {
    if (last_row_ < rows_.size() && rows_[last_row_].lane == lane &&
        rows_[last_row_].is_down == is_down)
        return rows_[last_row_];
    for (last_row_ = 0; last_row_ < rows_.size(); ++last_row_) {
        if (rows_[last_row_].lane == lane && rows_[last_row_].is_down == is_down)
            return rows_[last_row_];
    }
    rows_.push_back({.lane = lane, .is_down = is_down});
    rows_.back().columns.resize(columns);
    return rows_.back();
}

void Lanes::take(std::uint64_t number, const trace::Record& record) {
    if (is_event(record) && events_.size() < events_max)
        events_.push_back({number, {record.time}, record.type});
    const bool is_send = is_type(record, Type::send);
    const bool is_drop = is_type(record, Type::drop);
    const bool is_fragment = is_type(record, Type::fragment);
    if (!is_send && !is_drop && !is_fragment) return;
    LaneRow& row = row_of(record.lane, has_flag(record, trace::flag::down));
    const double share =
        static_cast<double>(record.time - view_.from.ns) / static_cast<double>(view_.length().ns);
    const std::size_t column = std::min(static_cast<std::size_t>(std::max(share, 0.0) * columns),
                                        std::size_t{columns - 1});
    if (is_send) {
        ++row.columns[column].sent;
        ++row.sent;
    }
    if (is_drop) {
        ++row.columns[column].lost;
        ++row.lost;
    }
    if (is_fragment && record.age / 256 > 1) ++row.columns[column].resent;
}

Range Ladder::window_of(Range view, Instant cursor) {
    constexpr Duration longest = Duration::millis(240);
    if (view.length() <= longest) return view;
    return {cursor - longest / 4, cursor + longest * 3 / 4};
}

LadderStep* Ladder::find(const trace::Record& record) {
    const bool is_down = has_flag(record, trace::flag::down);
    const bool is_copy = has_flag(record, trace::flag::copy);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
        if (step->sequence == record.sequence && step->is_down == is_down &&
            step->is_copy == is_copy)
            return &*step;
    }
    return nullptr;
}

void Ladder::refresh(const Source& source, PeerIndex peer, Range shown) {
    const bool is_same =
        source_ == &source && peer_ == peer && shown_ == shown && version_ == source.version();
    if (is_same) return;
    source_ = &source;
    peer_ = peer;
    shown_ = shown;
    version_ = source.version();
    steps_.clear();
    is_cut_ = false;
    if (peer == no_peer) return;
    // A little after the window as well: what is sent inside it arrives later.
    const Instant last = shown.to + Duration::seconds(1);
    const std::uint64_t first = source.first_record_at(shown.from);
    source.each_of_peer(peer, first, [&](std::uint64_t number, const trace::Record& record) {
        if (record.time >= last.ns) return false;
        if (!is_datagram(record)) return true;
        LadderStep* step = find(record);
        const bool is_send = is_type(record, Type::send);
        if (step == nullptr || is_send) {
            // What arrives after the window without having been sent in it is not shown.
            if (record.time >= shown.to.ns) return true;
            if (steps_.size() >= steps_max) {
                is_cut_ = true;
                return true;
            }
            steps_.push_back({.record = number,
                              .sequence = record.sequence,
                              .lane = record.lane,
                              .kind = record.kind,
                              .size = record.size,
                              .is_down = has_flag(record, trace::flag::down),
                              .is_copy = has_flag(record, trace::flag::copy)});
            step = &steps_.back();
        }
        if (is_send) step->sent = {record.time};
        if (is_type(record, Type::receive)) {
            step->received = {record.time};
            step->record = number;
        }
        if (is_type(record, Type::drop)) {
            step->dropped = {record.time};
            step->record = number;
            step->cause = detail_text(source.about(), record);
        }
        return true;
    });
}

}  // namespace wt::viewer
