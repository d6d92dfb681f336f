// SPDX-License-Identifier: MIT
//
// Captured bytes in words: through the engine's own decoders, so what they refuse is shown as
// refused and nothing is guessed.
#pragma once

#include <string>

#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

// Of a `deliver` record with the payload flag.
[[nodiscard]] std::string payload_text(const TraceFile& trace, std::uint64_t number,
                                       const Record& record);

}  // namespace wt::trace
