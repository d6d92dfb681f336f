// SPDX-License-Identifier: MIT
#include "viewer/model/record_list.hpp"

#include <algorithm>
#include <bit>

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
    batch_ = trace::FilterBatch(compiled_);
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
    batch_ = trace::FilterBatch(compiled_);
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
    // What is left of this frame, in records that are read one by one.
    std::uint64_t left = scanned_a_frame;
    while (next_ < last_ && left > 0 && !is_full()) {
        const ConstBytes bytes = source.record_bytes(next_);
        const bool has_columns = source.columns_of(next_) != nullptr;
        constexpr std::uint64_t gain = by_columns_a_frame / scanned_a_frame;
        const std::uint64_t together = bytes.size() / trace::Record::stored_bytes;
        const std::uint64_t count =
            std::min({together, last_ - next_, has_columns ? left * gain : left});
        if (count == 0) break;
        scan_together(source, bytes.data(), count);
        left -= std::min(left, has_columns ? (count + gain - 1) / gain : count);
    }
}

void RecordList::scan_together(const Source& source, const std::uint8_t* stored,
                               std::uint64_t count) {
    constexpr std::uint64_t step = trace::RecordColumns::step;
    const std::uint64_t end = next_ + count;
    while (next_ < end && !is_full()) {
        const std::uint64_t place = next_ % trace::block_records;
        // Up to the next whole step, then step by step.
        const std::uint64_t size = std::min(step - place % step, end - next_);
        const std::uint64_t taken =
            batch_.take({.stored = stored,
                         .first = next_,
                         .count = static_cast<unsigned>(size),
                         .columns = place % step == 0 ? source.columns_of(next_) : nullptr,
                         .place = place / step * step});
        for (std::uint64_t rest = taken; rest != 0; rest &= rest - 1)
            hits_.push_back(next_ + static_cast<unsigned>(std::countr_zero(rest)));
        stored += size * trace::Record::stored_bytes;
        next_ += size;
        scanned_ += size;
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
