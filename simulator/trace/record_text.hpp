// SPDX-License-Identifier: MIT
//
// A record in words: the trace's own, so that a trace of another build reads right.
#pragma once

#include <string>

#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

[[nodiscard]] std::string type_text(const About& about, const Record& record);
// A message kind, or a connection's change. Empty where the type has none.
[[nodiscard]] std::string kind_text(const About& about, const Record& record);
// Empty where there is no lane.
[[nodiscard]] std::string lane_text(const About& about, std::uint8_t lane);
// Drop cause, close reason, refusal in words; "message 31", "250 mm"; empty where it says nothing.
[[nodiscard]] std::string detail_text(const About& about, const Record& record);
// "down server_side late"
[[nodiscard]] std::string flags_text(const About& about, const Record& record);
// Whether `tick`, `age` mean something for the type.
[[nodiscard]] bool has_tick(const Record& record);
[[nodiscard]] bool has_age(const Record& record);
// One line: "receive  player-7 down  snapshot  seq 811  tick 1,705  1,076 B  age 31 ms".
[[nodiscard]] std::string record_text(const TraceFile& trace, const Record& record);

// "28.410 s": to the millisecond, so that columns are comparable; finer where asked for.
[[nodiscard]] std::string clock_text(std::int64_t ns, unsigned decimals = 3);
// ns as decimal seconds with all nine digits: "28.410000000". For machines.
[[nodiscard]] std::string seconds_text(std::int64_t ns);

}  // namespace wt::trace
