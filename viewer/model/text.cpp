// SPDX-License-Identifier: MIT
#include "viewer/model/text.hpp"

#include <algorithm>

#include "simulator/report/format.hpp"

namespace wt::viewer {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Digits and at most one point, scaled exactly by `unit`; nothing else.
std::optional<std::int64_t> read_decimal(std::string_view text, std::int64_t unit) {
    std::int64_t whole = 0;
    std::int64_t part = 0;
    std::int64_t scale = 1;
    bool has_digit = false;
    bool has_point = false;
    for (const char c : text) {
        if (c == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (c < '0' || c > '9' || whole > 100'000'000'000) {
            return std::nullopt;
        }
        has_digit = true;
        // Below a nanosecond nothing counts.
        if (has_point && scale >= 1'000'000'000) continue;
        if (has_point) {
            part = part * 10 + (c - '0');
            scale *= 10;
        } else {
            whole = whole * 10 + (c - '0');
        }
    }
    if (!has_digit || whole > INT64_MAX / unit - 1) return std::nullopt;
    // The fraction of a minute is cut to microminutes, so that its product fits.
    while (scale > 1'000'000 && unit > 1'000'000'000) {
        scale /= 10;
        part /= 10;
    }
    // part < scale <= 10^9 and unit <= 6 * 10^10: split, so that neither product overflows.
    return whole * unit + part * (unit / scale) + part * (unit % scale) / scale;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return true;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<std::int64_t> read_clock(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
        const auto minutes = read_decimal(text.substr(0, colon), 60'000'000'000);
        const auto seconds = read_decimal(text.substr(colon + 1), 1'000'000'000);
        if (!minutes || !seconds) return std::nullopt;
        return *minutes + *seconds;
    }
    struct Unit {
        const char* suffix;
        std::int64_t ns;
    };
    constexpr Unit units[] = {
        {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}, {"min", 60'000'000'000}, {"s", 1'000'000'000}};
    for (const Unit& unit : units) {
        if (take_suffix(text, unit.suffix)) return read_decimal(text, unit.ns);
    }
    return read_decimal(text, 1'000'000'000);
}

}  // namespace

std::string count_text(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits;
}

std::string clock_text(Instant at, Duration step) {
    const bool is_negative = at.ns < 0;
    const std::uint64_t ns =
        is_negative ? ~static_cast<std::uint64_t>(at.ns) + 1 : static_cast<std::uint64_t>(at.ns);
    const std::uint64_t seconds = ns / 1'000'000'000;
    std::string text = is_negative ? "-" : "";
    if (seconds >= 3'600) {
        text += std::to_string(seconds / 3'600) + ":";
        if (seconds / 60 % 60 < 10) text += '0';
    }
    text += std::to_string(seconds / 60 % 60) + ":";
    if (seconds % 60 < 10) text += '0';
    text += std::to_string(seconds % 60);
    std::int64_t unit = 1'000'000'000;
    std::string decimals = std::to_string(1'000'000'000 + ns % 1'000'000'000).substr(1);
    std::size_t kept = 0;
    while (unit > 1 && step.ns % unit != 0) {
        unit /= 10;
        ++kept;
    }
    if (kept > 0) text += "." + decimals.substr(0, kept);
    return text;
}

std::string value_text(sim::Dimension dimension, std::int64_t value) {
    return sim::format_value(dimension, value);
}

std::string short_count(std::uint64_t count) {
    if (count < 10'000) return count_text(count);
    if (count < 1'000'000) return sim::format_quotient(count, 1'000) + "k";
    return sim::format_quotient(count, 1'000'000) + " M";
}

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 1'024) return std::to_string(bytes) + " B";
    if (bytes < 1'024 * 1'024) return sim::format_quotient(bytes, 1'024) + " KiB";
    return sim::format_quotient(bytes, 1'024 * 1'024) + " MiB";
}

std::optional<TimePlace> read_time_place(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    TimePlace place;
    std::optional<std::int64_t> value;
    if (take_prefix(text, "tick:")) {
        place.kind = TimePlace::Kind::tick;
        value = read_decimal(text, 1);
    } else if (take_prefix(text, "record:")) {
        place.kind = TimePlace::Kind::record;
        value = read_decimal(text, 1);
    } else {
        value = read_clock(text);
    }
    if (!value) return std::nullopt;
    place.value = *value;
    return place;
}

bool matches_loosely(std::string_view pattern, std::string_view text) {
    std::size_t at = 0;
    for (const char c : pattern) {
        if (c == ' ') continue;
        while (at < text.size() && lower(text[at]) != lower(c))
            ++at;
        if (at == text.size()) return false;
        ++at;
    }
    return true;
}

bool contains_word(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end() ||
           part.empty();
}

}  // namespace wt::viewer
