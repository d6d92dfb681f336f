// SPDX-License-Identifier: MIT
//
// A recorded link: the file that `trace` names becomes instants at which 1,500 bytes may leave.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "simulator/link/opportunities.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

// What a delivery opportunity holds, as Mahimahi has it.
inline constexpr std::uint32_t opportunity_bytes = 1'500;

// What is wrong with a recording, and in which of its lines.
struct RecordingError {
    std::size_t line = 0;
    std::string message{};
};

// Mahimahi: a line is a millisecond; each line lets 1,500 B go. The last one ends the round.
[[nodiscard]] Result<OpportunityTrace, RecordingError> parse_mahimahi(std::string_view text);
// "time_ms,kbit_s" and lines of two whole numbers: the rate from that time on. The last line's time
// ends the round.
[[nodiscard]] Result<OpportunityTrace, RecordingError> parse_rate_csv(std::string_view text);

// The recording that `value` names, beside the file it is written in; nothing after a problem. Its
// hash becomes part of the scenario's text.
[[nodiscard]] std::shared_ptr<const OpportunityTrace> read_recording(const Node& value, bool wraps,
                                                                     Reading& reading);

}  // namespace wt::sim
