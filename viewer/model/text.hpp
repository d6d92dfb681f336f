// SPDX-License-Identifier: MIT
//
// Numbers and instants as the viewer writes them. Columns of them line up: digits group by comma,
// an instant has as many decimals as its neighbours need to differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "viewer/model/source.hpp"

namespace wt::viewer {

// "18,231"
[[nodiscard]] std::string count_text(std::uint64_t count);
// "1:12.050": minutes, seconds, and decimals down to `step`.
[[nodiscard]] std::string clock_text(Instant at, Duration step = Duration::millis(1));
// A value of a series: "84.1 ms", "203 kbit/s".
[[nodiscard]] std::string value_text(sim::Dimension dimension, std::int64_t value);
// "1.2k", "10 M": for places with no room.
[[nodiscard]] std::string short_count(std::uint64_t count);
// "412 MiB"
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

// What a person types for a place in time: "1:12.5", "72.5s", "450ms", "tick:1803", "record:41".
struct TimePlace {
    enum class Kind : std::uint8_t { time, tick, record };
    Kind kind = Kind::time;
    std::int64_t value = 0;  // ns, tick or record number.
};
[[nodiscard]] std::optional<TimePlace> read_time_place(std::string_view text);

// Whether every letter of `pattern` occurs in `text` in this order, whatever its case: how the
// palette searches.
[[nodiscard]] bool matches_loosely(std::string_view pattern, std::string_view text);
[[nodiscard]] bool contains_word(std::string_view text, std::string_view part);

}  // namespace wt::viewer
