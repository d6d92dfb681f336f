// SPDX-License-Identifier: MIT
//
// Values as they would be written in a scenario: exact, in the largest unit that keeps them whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"
#include "engine/base/units.hpp"

namespace wt::sim {

[[nodiscard]] std::string exact_time(Duration duration);     // "40ms"
[[nodiscard]] std::string exact_millis(Duration duration);   // "151.7ms"
[[nodiscard]] std::string exact_bytes(std::uint64_t bytes);  // "64KiB"
[[nodiscard]] std::string exact_rate(BitRate rate);          // "20Mbit/s"
[[nodiscard]] std::string exact_share(Chance chance);        // "2%": reads back to the same chance
[[nodiscard]] std::string exact_percent(std::uint64_t ppb);  // "2.5%" of 25,000,000
[[nodiscard]] std::string exact_packets(std::uint64_t milli);  // "5.5 packets"
[[nodiscard]] std::string grouped(std::uint64_t number);       // "460,812"
[[nodiscard]] std::string in_quotes(std::string_view text);    // "\"text\""

}  // namespace wt::sim
