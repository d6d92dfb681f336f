// SPDX-License-Identifier: MIT
//
// Numbers with a unit, as people write them, turned into integers without ever passing through
// floating point. A value finer than the base unit of its dimension is an error, not a rounding;
// only a chance is rounded, to the nearest 2^-32, and 0 % and 100 % stay exact.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "engine/base/units.hpp"

namespace wt::sim {

// What a number measures; the comment is its base unit.
enum class Dimension : std::uint8_t {
    time,       // ns
    bytes,      // B
    rate,       // bit/s
    share,      // 10^-9
    frequency,  // events per hour
    packets,    // 1/1000 packet
    length,     // mm
    ratio,      // 10^-9
    count,      // 1
};

// A decimal number taken apart: digits * 10^-decimals in `unit`.
struct Quantity {
    Dimension dimension = Dimension::count;
    bool negative = false;
    std::uint64_t digits = 0;
    std::uint32_t decimals = 0;
    std::string unit{};

    // The value in the dimension's base unit. parse_quantity has checked that it is exact.
    std::int64_t base = 0;

    [[nodiscard]] Duration duration() const { return {base}; }
    // Nearest multiple of 2^-32. Only for Dimension::share between 0 % and 100 %.
    [[nodiscard]] Chance chance() const;
};

// What is wrong, and what would be right; the reader adds the place.
struct QuantityError {
    std::string message{};
    std::string hint{};
};

// Parses `text` as one of `accepted`. The unit decides which; Dimension::count takes no unit.
Result<Quantity, QuantityError> parse_quantity(std::string_view text,
                                               std::initializer_list<Dimension> accepted);

// "a time: ns, us, ms, s, min, h": for messages.
[[nodiscard]] std::string units_of(Dimension dimension);

}  // namespace wt::sim
