// SPDX-License-Identifier: MIT
#include "viewer/model/record_list.hpp"

#include <algorithm>
#include <thread>
#include <vector>

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
        error_.clear();
        compile(source);
        first_ = source.first_record_at(range.from);
        last_ = std::max(first_, source.first_record_at(range.to));
        hits_.reset(first_, is_plain() ? first_ : last_);
        next_ = is_plain() ? last_ : first_;
    }
    if (is_complete()) return;
    if (only_peer_seen_) {
        take_of_peer(source);
    } else {
        scan(source);
    }
    hits_.count_up_to(next_);
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
    helpers_ = batch_;
    has_filter_ = !compiled_.takes_all();
}

void RecordList::take_of_peer(const Source& source) {
    std::uint64_t read = 0;
    std::uint64_t reached = last_;
    source.each_of_peer(peer_, next_, [&](std::uint64_t number, const trace::Record& record) {
        if (number >= last_) return false;
        if (read >= of_peer_a_frame) {
            reached = number;
            return false;
        }
        ++read;
        if (has_filter_) {
            std::uint8_t stored[trace::Record::stored_bytes];
            record.store(stored);
            if (!compiled_.takes(stored, number)) return true;
        }
        hits_.add(number, 1);
        return true;
    });
    scanned_ += read;
    next_ = reached;
}

void RecordList::scan(const Source& source) {
    if (compiled_.only_peer() && source.file() != nullptr && last_ - first_ > index_from) {
        // The index knows where that peer's records are. Of a smaller trace it is quicker to read
        // everything than to touch every page of it.
        const trace::RecordRange range{next_, last_};
        trace::for_each_record(*source.file(), compiled_, range,
                               [&](std::uint64_t number, const std::uint8_t*) {
                                   hits_.add(number, 1);
                                   return true;
                               });
        next_ = last_;
        return;
    }
    const bool has_columns = source.columns_of(next_) != nullptr;
    const std::uint64_t count = has_columns ? by_columns_a_frame : scanned_a_frame;
    // Two threads are as many as most machines have to spare.
    source.hold_back(true);
    scan_shared(source, std::min(last_, next_ + count));
    source.hold_back(false);
}

// The upper half goes to another thread, where the source is a file, which never changes.
void RecordList::scan_shared(const Source& source, std::uint64_t end) {
    const std::uint64_t count = end - next_;
    if (source.file() == nullptr || count < shared_from) {
        scan_part(source, batch_, next_, end);
    } else {
        // Both parts have words of their own.
        const std::uint64_t middle =
            (next_ + count / 2) / HitSet::word_records * HitSet::word_records;
        std::thread helper([&] { scan_part(source, helpers_, middle, end); });
        scan_part(source, batch_, next_, middle);
        helper.join();
    }
    scanned_ += count;
    next_ = end;
}

void RecordList::scan_part(const Source& source, trace::FilterBatch& batch, std::uint64_t from,
                           std::uint64_t end) {
    constexpr std::uint64_t step = trace::RecordColumns::step;
    static_assert(step == HitSet::word_records);
    // In the second level's cache while it is looked at.
    constexpr std::size_t piece_records = 8'192;
    std::vector<std::uint8_t> room;
    const trace::TraceFile* const file = source.file();
    const bool reads_records = batch.reads_records();
    std::uint64_t next = from;
    while (next < end) {
        ConstBytes bytes = source.record_bytes(next);
        // Not through the mapping, where all of them are looked at.
        if (file != nullptr && (reads_records || source.columns_of(next) == nullptr)) {
            room.resize(piece_records * trace::Record::stored_bytes);
            const ConstBytes copied = file->copy_records(next, room);
            if (!copied.empty()) bytes = copied;
        }
        const std::uint8_t* stored = bytes.data();
        const std::uint64_t together = bytes.size() / trace::Record::stored_bytes;
        if (together == 0) return;
        const std::uint64_t here = std::min(end, next + together);
        while (next < here) {
            const std::uint64_t place = next % trace::block_records;
            // Up to the next whole step, then step by step.
            const std::uint64_t size = std::min(step - place % step, here - next);
            const std::uint64_t taken =
                batch.take({.stored = stored,
                            .first = next,
                            .count = static_cast<unsigned>(size),
                            .columns = place % step == 0 ? source.columns_of(next) : nullptr,
                            .place = place / step * step});
            if (taken != 0) hits_.add(next, taken);
            stored += size * trace::Record::stored_bytes;
            next += size;
        }
    }
}

std::uint64_t RecordList::count() const {
    return is_plain() ? last_ - first_ : hits_.count();
}

std::uint64_t RecordList::number_at(std::uint64_t place) const {
    return is_plain() ? first_ + place : hits_.number_at(place);
}

std::uint64_t RecordList::place_of(std::uint64_t number) const {
    if (is_plain()) return number < first_ ? 0 : std::min(number - first_, last_ - first_);
    return hits_.place_of(number);
}

}  // namespace wt::viewer
