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
        compile(source);
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

void RecordList::compile(const Source& source) {
    compiled_ = trace::Filter{};
    has_filter_ = false;
    if (filter.find_first_not_of(' ') == std::string::npos) return;
    auto compiled = trace::Filter::compile(filter, source.names());
    if (!compiled) {
        const trace::FilterError& error = compiled.error();
        error_ = "at " + std::to_string(error.offset + 1) + ": " + error.message +
                 (error.hint.empty() ? "" : "; " + error.hint);
        return;
    }
    compiled_ = std::move(*compiled);
    has_filter_ = !compiled_.takes_all();
}

void RecordList::take_of_peer(const Source& source) {
    std::uint64_t read = 0;
    std::uint64_t reached = last_;
    source.each_of_peer(peer_, next_, [&](std::uint64_t number, const trace::Record& record) {
        if (number >= last_) return false;
        if (is_full() || read >= of_peer_a_frame) {
            reached = number;
            return false;
        }
        ++read;
        if (has_filter_) {
            std::uint8_t stored[trace::Record::stored_bytes];
            record.store(stored);
            if (!compiled_.takes(stored, number)) return true;
        }
        hits_.push_back(number);
        return true;
    });
    scanned_ += read;
    next_ = reached;
}

void RecordList::scan(const Source& source) {
    if (compiled_.only_peer() && source.file() != nullptr) {
        // The index knows where that peer's records are.
        const trace::RecordRange range{next_, last_};
        trace::for_each_record(*source.file(), compiled_, range,
                               [&](std::uint64_t number, const std::uint8_t*) {
                                   hits_.push_back(number);
                                   return !is_full();
                               });
        next_ = last_;
        return;
    }
    const std::uint64_t until = std::min(last_, next_ + scanned_a_frame);
    while (next_ < until && !is_full()) {
        const ConstBytes bytes = source.record_bytes(next_);
        const std::uint64_t count =
            std::min<std::uint64_t>(bytes.size() / trace::Record::stored_bytes, until - next_);
        if (count == 0) break;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint8_t* const stored = bytes.data() + i * trace::Record::stored_bytes;
            if (compiled_.takes(stored, next_ + i)) hits_.push_back(next_ + i);
        }
        next_ += count;
        scanned_ += count;
    }
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
