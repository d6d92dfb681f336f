// SPDX-License-Identifier: MIT
//
// Exact decimal arithmetic on at most 18 digits. Units that people mix up (KB, kbps, Mb) are not
// guessed: the error names both readings.
#include "simulator/scenario/quantity.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/wide.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t number_digits_max = 18;
// What 18 digits can say, so that a value which one unit takes can be written in every other. Far
// above every limit of a scenario, far below overflow of sums: 10^18 ns are 31 years.
constexpr std::uint64_t base_max = 999'999'999'999'999'999;

struct Unit {
    std::string_view name;
    Dimension dimension;
    std::uint64_t factor;  // Base units in one unit.
};

constexpr auto units = std::to_array<Unit>({
    {"ns", Dimension::time, 1},
    {"us", Dimension::time, 1'000},
    {"ms", Dimension::time, 1'000'000},
    {"s", Dimension::time, 1'000'000'000},
    {"min", Dimension::time, 60'000'000'000},
    {"h", Dimension::time, 3'600'000'000'000},
    {"B", Dimension::bytes, 1},
    {"KiB", Dimension::bytes, 1'024},
    {"MiB", Dimension::bytes, 1'024 * 1'024},
    {"GiB", Dimension::bytes, 1'024 * 1'024 * 1'024},
    {"bit/s", Dimension::rate, 1},
    {"kbit/s", Dimension::rate, 1'000},
    {"Mbit/s", Dimension::rate, 1'000'000},
    {"Gbit/s", Dimension::rate, 1'000'000'000},
    {"%", Dimension::share, 10'000'000},
    {"ppm", Dimension::share, 1'000},
    {"Hz", Dimension::frequency, 3'600},
    {"/s", Dimension::frequency, 3'600},
    {"/min", Dimension::frequency, 60},
    {"packets", Dimension::packets, 1'000},
    {"packet", Dimension::packets, 1'000},
    {"mm", Dimension::length, 1},
    {"cm", Dimension::length, 10},
    {"m", Dimension::length, 1'000},
    {"x", Dimension::ratio, 1'000'000'000},
});

struct Lookalike {
    std::string_view written;
    std::string_view readings;
};

constexpr std::string_view byte_readings =
    "bytes are written with B, KiB (1,024 B), MiB; 1,000 bytes are \"1000B\"";
constexpr std::string_view bit_readings =
    "bits or bytes? a rate is written in kbit/s or Mbit/s, a size in KiB or MiB";
constexpr std::string_view rate_readings =
    "kilobits are kbit/s; kilobytes a second are 8 times as many kbit/s";
constexpr std::string_view byte_rate_readings =
    "rates are in bits: 1 kilobyte a second is 8kbit/s, 1 megabyte a second 8Mbit/s";

constexpr auto lookalikes = std::to_array<Lookalike>({
    {"KB", byte_readings},
    {"kB", byte_readings},
    {"MB", byte_readings},
    {"GB", byte_readings},
    {"K", byte_readings},
    {"k", byte_readings},
    {"bytes", byte_readings},
    {"Kb", bit_readings},
    {"kb", bit_readings},
    {"Mb", bit_readings},
    {"Gb", bit_readings},
    {"Kib", bit_readings},
    {"b", bit_readings},
    {"kbps", rate_readings},
    {"Kbps", rate_readings},
    {"mbps", rate_readings},
    {"Mbps", rate_readings},
    {"gbps", rate_readings},
    {"Gbps", rate_readings},
    {"bps", rate_readings},
    {"KBps", byte_rate_readings},
    {"MBps", byte_rate_readings},
    {"KB/s", byte_rate_readings},
    {"kB/s", byte_rate_readings},
    {"MB/s", byte_rate_readings},
    {"KiB/s", byte_rate_readings},
    {"MiB/s", byte_rate_readings},
    {"kb/s", rate_readings},
    {"Mb/s", rate_readings},
    {"Kbit/s", "kilobits are written kbit/s"},
    {"mbit/s", "megabits are written Mbit/s"},
    {"sec", "seconds are written s"},
    {"secs", "seconds are written s"},
    {"seconds", "seconds are written s"},
    {"S", "seconds are written s"},
    {"msec", "milliseconds are written ms"},
    {"usec", "microseconds are written us"},
    {"hz", "a frequency is written in Hz"},
    {"minutes", "minutes are written min"},
    {"pct", "a share is written with %"},
    {"percent", "a share is written with %"},
    {"pkts", "packets are written out: \"3 packets\""},
    {"p", "packets are written out: \"3 packets\""},
});

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string wanted(std::initializer_list<Dimension> accepted) {
    std::string words;
    for (const Dimension dimension : accepted) {
        if (!words.empty()) words += "; or ";
        words += units_of(dimension);
    }
    return words;
}

// Takes digits and single `_` between digits from the front of `text`.
std::string take_digits(std::string_view& text) {
    std::string digits;
    std::size_t i = 0;
    while (i < text.size()) {
        const bool groups = text[i] == '_' && i > 0 && is_digit(text[i - 1]) &&
                            i + 1 < text.size() && is_digit(text[i + 1]);
        if (!is_digit(text[i]) && !groups) break;
        if (!groups) digits += text[i];
        ++i;
    }
    text.remove_prefix(i);
    return digits;
}

struct Number {
    bool negative = false;
    std::string whole{};
    std::string fraction{};
    std::string_view unit{};
};

// The grammar: [ "-" ] digits [ "." digits ] [ spaces ] unit. False: not a number at all.
bool take_number(std::string_view text, Number& number) {
    if (text.starts_with('-')) {
        number.negative = true;
        text.remove_prefix(1);
    }
    number.whole = take_digits(text);
    if (number.whole.empty()) return false;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        number.fraction = take_digits(text);
        if (number.fraction.empty()) return false;
    }
    while (text.starts_with(' '))
        text.remove_prefix(1);
    number.unit = text;
    while (number.fraction.ends_with('0'))
        number.fraction.pop_back();
    const std::size_t zeros = number.whole.find_first_not_of('0');
    number.whole.erase(0, std::min(zeros, number.whole.size() - 1));
    return true;
}

Result<Quantity, QuantityError> exact(std::string_view text, const Number& number,
                                      const Unit& unit) {
    Quantity quantity{.dimension = unit.dimension, .negative = number.negative};
    quantity.unit = unit.name;
    if (number.whole.size() + number.fraction.size() > number_digits_max) {
        return unexpected(
            QuantityError{in_quotes(text) + " is too large or too fine", "at most 18 digits"});
    }
    for (const char c : number.whole + number.fraction)
        quantity.digits = quantity.digits * 10 + static_cast<std::uint64_t>(c - '0');
    quantity.decimals = static_cast<std::uint32_t>(number.fraction.size());

    Wide scaled = static_cast<Wide>(quantity.digits) * unit.factor;
    for (std::uint32_t i = 0; i < quantity.decimals; ++i) {
        // A share is a chance: rounded to 2^-32 where it is used, so finer ones are no error.
        const bool is_finer = scaled % 10 != 0 && unit.dimension != Dimension::share;
        if (is_finer && !mutated<"quantity-finest">()) {
            return unexpected(QuantityError{
                in_quotes(text) + " is finer than the smallest step",
                std::string("the base unit is ") + (unit.dimension == Dimension::time    ? "1 ns"
                                                    : unit.dimension == Dimension::bytes ? "1 B"
                                                    : unit.dimension == Dimension::rate  ? "1 bit/s"
                                                    : unit.dimension == Dimension::length ? "1 mm"
                                                    : unit.dimension == Dimension::packets
                                                        ? "1/1000 of a packet"
                                                        : "one event an hour")});
        }
        scaled /= 10;
    }
    if (scaled > base_max) {
        return unexpected(QuantityError{in_quotes(text) + " is too large", "no run is that big"});
    }
    const std::int64_t magnitude = static_cast<std::int64_t>(scaled);
    quantity.base = number.negative ? -magnitude : magnitude;
    return quantity;
}

QuantityError wrong_unit(std::string_view text, std::string_view unit,
                         std::initializer_list<Dimension> accepted) {
    for (const Lookalike& entry : lookalikes) {
        if (entry.written == unit)
            return {in_quotes(text) + ": " + in_quotes(unit) + " has two readings or none",
                    std::string(entry.readings)};
    }
    return {in_quotes(text) + ": the unit " + in_quotes(unit) + " does not fit", wanted(accepted)};
}

}  // namespace

Chance Quantity::chance() const {
    WT_CHECK(dimension == Dimension::share);
    WT_CHECK(!negative);
    // percent: digits / (100 * 10^decimals) of 2^32; ppm: digits / (10^6 * 10^decimals).
    Wide divisor = unit == "%" ? 100 : 1'000'000;
    for (std::uint32_t i = 0; i < decimals; ++i)
        divisor *= 10;
    const Wide scaled = (static_cast<Wide>(digits) << 32) + divisor / 2;
    return {static_cast<std::uint64_t>(scaled / divisor)};
}

Result<Quantity, QuantityError> parse_quantity(std::string_view text,
                                               std::initializer_list<Dimension> accepted) {
    Number number;
    if (!take_number(text, number))
        return unexpected(QuantityError{in_quotes(text) + " is not a number", wanted(accepted)});
    const auto accepts = [&](Dimension dimension) {
        return std::find(accepted.begin(), accepted.end(), dimension) != accepted.end();
    };
    if (number.unit.empty()) {
        if (!accepts(Dimension::count))
            return unexpected(QuantityError{in_quotes(text) + " has no unit", wanted(accepted)});
        if (!number.fraction.empty())
            return unexpected(QuantityError{in_quotes(text) + " is not a whole number", ""});
        return exact(text, number, {"", Dimension::count, 1});
    }
    for (const Unit& unit : units) {
        if (unit.name == number.unit && accepts(unit.dimension)) return exact(text, number, unit);
    }
    return unexpected(wrong_unit(text, number.unit, accepted));
}

std::string units_of(Dimension dimension) {
    switch (dimension) {
        case Dimension::time:
            return "a time: ns, us, ms, s, min, h";
        case Dimension::bytes:
            return "a size: B, KiB, MiB, GiB";
        case Dimension::rate:
            return "a rate: bit/s, kbit/s, Mbit/s, Gbit/s";
        case Dimension::share:
            return "a share: %, ppm";
        case Dimension::frequency:
            return "a frequency: Hz, /s, /min";
        case Dimension::packets:
            return "packets: \"3 packets\"";
        case Dimension::length:
            return "a length: mm, cm, m";
        case Dimension::ratio:
            return "a ratio: x";
        case Dimension::count:
            return "a whole number";
    }
    return "";
}

}  // namespace wt::sim
