// SPDX-License-Identifier: MIT
//
// One peer's traffic: by lane over the view, and datagram by datagram around an instant. Both read
// that peer's records only, and at most a stated number of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "viewer/model/source.hpp"

namespace wt::viewer {

// One row of the lanes panel: a lane in one direction.
struct LaneRow {
    std::uint8_t lane = 0;
    bool is_down = false;
    struct Column {
        std::uint32_t sent = 0;
        std::uint32_t lost = 0;
        std::uint32_t resent = 0;
    };
    std::vector<Column> columns{};
    std::uint32_t sent = 0;
    std::uint32_t lost = 0;
};

// Things that happen to a peer without a lane: connections, corrections, misses.
struct LaneEvent {
    std::uint64_t record = no_record;
    Instant at{};
    std::uint8_t type = 0;
};

class Lanes {
public:
    static constexpr std::size_t records_max = 200'000;
    static constexpr std::size_t events_max = 2'000;
    static constexpr std::uint32_t columns = 480;

    void refresh(const Source& source, PeerIndex peer, Range view);

    [[nodiscard]] const std::vector<LaneRow>& rows() const { return rows_; }
    [[nodiscard]] const std::vector<LaneEvent>& events() const { return events_; }
    // The view holds more records than were read; rows show its beginning only.
    [[nodiscard]] bool is_cut() const { return is_cut_; }

private:
    void take(std::uint64_t number, const trace::Record& record);
    LaneRow& row_of(std::uint8_t lane, bool is_down);

    const Source* source_ = nullptr;
    PeerIndex peer_ = no_peer;
    Range view_{};
    std::uint64_t version_ = 0;
    std::vector<LaneRow> rows_;
    std::vector<LaneEvent> events_;
    std::size_t last_row_ = 0;
    bool is_cut_ = false;
};

// One datagram on its way, as both ends and the link saw it.
struct LadderStep {
    std::uint64_t record = no_record;  // The one that says most: receive, drop or send.
    std::uint32_t sequence = 0;
    std::uint8_t lane = 0;
    std::uint16_t kind = 0;
    std::uint16_t size = 0;
    bool is_down = false;
    bool is_copy = false;
    Instant sent = Instant::never();      // never: before what was read.
    Instant received = Instant::never();  // never: not, or not yet.
    Instant dropped = Instant::never();
    std::string cause{};
};

class Ladder {
public:
    static constexpr std::size_t steps_max = 600;

    void refresh(const Source& source, PeerIndex peer, Range shown);
    [[nodiscard]] const std::vector<LadderStep>& steps() const { return steps_; }
    [[nodiscard]] bool is_cut() const { return is_cut_; }
    // What the panel shows around a cursor, given what is in view.
    [[nodiscard]] static Range window_of(Range view, Instant cursor);

private:
    LadderStep* find(const trace::Record& record);

    const Source* source_ = nullptr;
    PeerIndex peer_ = no_peer;
    Range shown_{};
    std::uint64_t version_ = 0;
    std::vector<LadderStep> steps_;
    bool is_cut_ = false;
};

}  // namespace wt::viewer
