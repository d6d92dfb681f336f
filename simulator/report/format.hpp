// SPDX-License-Identifier: MIT
//
// Integers in base units as people read them: three significant digits, a unit. No floating point
// and no locale, so that a report is the same text everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/digest.hpp"
#include "simulator/gates/evaluate.hpp"

namespace wt::sim {

// "118 ms", "1.84 s", "0.11 %", "203 kbit/s", "3.6 /min". A share below 100 % never shows as 100 %.
[[nodiscard]] std::string format_value(Dimension dimension, std::int64_t value);
// Every digit: where rounding would hide the difference that matters.
[[nodiscard]] std::string format_exact(Dimension dimension, std::int64_t value);
[[nodiscard]] std::string format_time(std::int64_t ns);
// Three significant digits of numerator / denominator: "31.4".
[[nodiscard]] std::string format_quotient(std::uint64_t numerator, std::uint64_t denominator);
[[nodiscard]] const char* text_of(Compare compare);
// "== 2 % +- 0.5 %"
[[nodiscard]] std::string format_bound(const Gate& gate);
// The gate's value; exact where it would look like its bound and is on the wrong side of it.
[[nodiscard]] std::string format_gate_value(const GateResult& result);
// "3b1f 09c2 77aa 4e10 52d0 8c3e 91bf 6a07"
[[nodiscard]] std::string format_digest(const DigestValue& digest);
[[nodiscard]] std::string format_hex(std::uint64_t value, unsigned digits);

[[nodiscard]] std::string pad_right(std::string text, std::size_t width);
// Pieces of at most `columns` characters, cut at a space where there is one in their second half.
[[nodiscard]] std::vector<std::string> wrapped(std::string text, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string text, std::size_t width);
// As XML and HTML need it, in text and in quoted attributes; what no XML may hold is a '?'.
[[nodiscard]] std::string markup_text(std::string_view text);
// A word as the shell needs it.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace wt::sim
