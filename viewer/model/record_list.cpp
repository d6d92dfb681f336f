// SPDX-License-Identifier: MIT
#include "viewer/model/record_list.hpp"

#include <algorithm>

namespace wt::viewer {

void RecordList::refresh(const Source& source, Range range, PeerIndex peer) {
    const bool is_same = source_ == &source && version_ == source.version() && range_ == range &&
                         filter_seen_ == filter && only_peer_seen_ == only_peer &&
                         (!only_peer || peer_ == peer);
    if (!is_same) {
        source_ = &source;
        version_ = source.version();
        range_ = range;
        peer_ = peer;
        filter_seen_ = filter;
        only_peer_seen_ = only_peer;
        hits_.clear();
        error_.clear();
        has_filter_ = false;
        first_ = source.first_record_at(range.from);
        last_ = source.first_record_at(range.to);
        next_ = is_plain() ? last_ : first_;
    }
    if (is_complete()) return;
    if (only_peer_seen_) {
        take_of_peer(source);
    } else {
        scan(source);
    }
}

void RecordList::take_of_peer(const Source& source) {
    std::uint64_t read = 0;
    std::uint64_t reached = last_;
    source.each_of_peer(peer_, next_, [&](std::uint64_t number, const trace::Record&) {
        if (number >= last_) return false;
        if (is_full() || read >= scanned_a_frame / 8) {
            reached = number;
            return false;
        }
        ++read;
        hits_.push_back(number);
        return true;
    });
    scanned_ += read;
    next_ = reached;
}

void RecordList::scan(const Source&) {
    next_ = last_;
}

std::uint64_t RecordList::count() const {
    return is_plain() ? last_ - first_ : hits_.size();
}

std::uint64_t RecordList::number_at(std::uint64_t place) const {
    return is_plain() ? first_ + place : hits_[static_cast<std::size_t>(place)];
}

std::uint64_t RecordList::place_of(std::uint64_t number) const {
    if (is_plain()) return number < first_ ? 0 : std::min(number - first_, last_ - first_);
    return static_cast<std::uint64_t>(std::lower_bound(hits_.begin(), hits_.end(), number) -
                                      hits_.begin());
}

}  // namespace wt::viewer
