// SPDX-License-Identifier: MIT
//
// Files beside a scenario that say what a link does: the recording that `trace` names becomes
// instants at which 1,500 bytes may leave, or lateness by datagram; a jitter's table its shape.
#pragma once

#include <memory>
#include <optional>
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

// A list of arrivals, as NetEq's tools take it: line n is the whole millisecond at which datagram n
// came. They were sent evenly: how late each one was is what it comes to beyond the mean interval,
// and the least late one was not late at all.
[[nodiscard]] Result<LatenessList, RecordingError> parse_arrivals(std::string_view text);
// netem's tables of distributions: whole numbers of 16 bits with spaces between them, comments
// behind '#'. Their order does not matter: each is equally likely.
[[nodiscard]] Result<DelayTable, RecordingError> parse_delay_table(std::string_view text);

// The recording that `value` names, beside the file it is written in; false after a problem. The
// hashes of files become part of the scenario's text.
[[nodiscard]] bool read_recording(const Node& value, bool wraps, Reading& reading,
                                  TraceConfig& into);
// The same for a table of a jitter; nothing after a problem.
[[nodiscard]] std::shared_ptr<const DelayTable> read_delay_table(const Node& value,
                                                                 Reading& reading);

// Where the file lies that `value` names,
[[nodiscard]] std::string path_beside(const Node& value, const Reading& reading);
// and what is in it; nothing after a problem, which calls the file a `what`.
[[nodiscard]] std::optional<std::string> read_beside(const Node& value, const char* what,
                                                     std::size_t bytes_max, Reading& reading);
// The text of the file that `value` names becomes part of the scenario's, by its hash.
void keep_hash(const Node& value, const std::string& text, Reading& reading);

}  // namespace wt::sim
