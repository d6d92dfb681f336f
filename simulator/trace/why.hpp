// SPDX-License-Identifier: MIT
//
// One message's life and where the time went: rows for people, from the records alone. Command
// line and viewer show the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

struct WhyQuestion {
    enum class What : std::uint8_t { message, snapshot, input, datagram };
    What what = What::message;
    std::uint16_t peer = 0;
    std::uint8_t lane = 0;          // message
    std::uint32_t id = 0;           // Message id, tick, or the datagram's sequence.
    std::optional<bool> is_down{};  // Only this direction; else the first one found.
    std::int64_t from_ns = 0;       // Ids come again: the first one from here on.
};

struct WhyRow {
    std::int64_t time_ns = 0;
    std::string text{};
    std::string where{};  // "server", "player-7", "link, down"
    std::uint64_t record = no_record;
    bool is_loss = false;
};

// Parts of the time between beginning and end; they add up to it.
struct WhyShare {
    std::string name{};
    std::int64_t ns = 0;
};

struct WhyAnswer {
    std::string title{};    // "bulk message 31 to wireless-12, 4,096 B in 4 fragments"
    std::string verdict{};  // "delivered after 3.040 s"
    std::int64_t start_ns = 0;
    std::vector<WhyRow> rows{};  // In order of time.
    std::vector<WhyShare> shares{};
    std::vector<std::string> helped{};  // Facts about what would have been quicker.
};

// What luck did on the first link to the datagram that a send, drop or receive record is about, in
// words; empty where it is not known. (The room knows no scenario: simulator/run/link_replay does.)
using LuckOf = std::function<std::string(const Record& record)>;

// The error is a sentence: there is no such thing in the trace, or its peer has no records.
[[nodiscard]] Result<WhyAnswer, std::string> why(const TraceFile& trace,
                                                 const WhyQuestion& question,
                                                 const LuckOf& luck = {});
// As `wavetank why` prints it, in 100 columns; of more than so many rows the first and the last.
[[nodiscard]] std::string why_text(const WhyAnswer& answer, std::size_t rows_max = SIZE_MAX);

}  // namespace wt::trace
