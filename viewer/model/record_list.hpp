// SPDX-License-Identifier: MIT
//
// The list of records: those of a range that a filter lets through. Without a filter it is the
// range itself, whatever its size; with one the hits are gathered a piece at a time, and the list
// grows from frame to frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/trace/filter_batch.hpp"
#include "viewer/model/hit_set.hpp"
#include "viewer/model/source.hpp"

namespace wt::viewer {

class RecordList {
public:
    // Scanned in one frame, by two threads: about 4 ms where records have to be read one by one,
    // and one where they have columns. A whole trace of 10 million takes five frames, or three.
    static constexpr std::uint64_t scanned_a_frame = 2'000'000;
    static constexpr std::uint64_t by_columns_a_frame = 4'000'000;
    // Fewer than this are not worth a thread: it takes about 50 us to begin and to end.
    static constexpr std::uint64_t shared_from = 200'000;
    // A single peer's records are looked up, not scanned for, in more records than this.
    static constexpr std::uint64_t index_from = 16'000'000;
    // One peer's are found through an index, and cost more each.
    static constexpr std::uint64_t of_peer_a_frame = 40'000;

    std::string filter{};
    bool only_peer = true;  // Only those of the selected peer.

    void refresh(const Source& source, Range range, PeerIndex peer);

    [[nodiscard]] std::uint64_t count() const;
    // The record at a place in the list.
    [[nodiscard]] std::uint64_t number_at(std::uint64_t place) const;
    // The place of the first record at or after a number.
    [[nodiscard]] std::uint64_t place_of(std::uint64_t number) const;

    [[nodiscard]] bool is_complete() const { return next_ >= last_; }
    [[nodiscard]] std::uint64_t range_count() const { return last_ - first_; }
    // What is wrong with the filter, which then lets everything through.
    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] std::uint64_t scanned() const { return scanned_; }

private:
    [[nodiscard]] bool is_plain() const { return !has_filter_ && !only_peer_seen_; }
    void compile(const Source& source);
    void scan(const Source& source);
    void scan_shared(const Source& source, std::uint64_t end);
    // One thread's part: [from, end), which lie together in the source.
    void scan_part(const Source& source, trace::FilterBatch& batch, std::uint64_t from,
                   std::uint64_t end);
    void take_of_peer(const Source& source);

    const Source* source_ = nullptr;
    std::uint64_t version_ = 0;
    Range range_{};
    PeerIndex peer_ = no_peer;
    std::string filter_seen_;
    bool only_peer_seen_ = false;
    bool has_filter_ = false;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t next_ = 0;
    std::uint64_t scanned_ = 0;
    HitSet hits_{};
    std::string error_;
    trace::Filter compiled_{};
    trace::FilterBatch batch_{compiled_};
    trace::FilterBatch helpers_{compiled_};  // The other thread's.
};

}  // namespace wt::viewer
