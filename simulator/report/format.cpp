// SPDX-License-Identifier: MIT
//
// Rounding is half up at the third significant digit; a value that rounding would lift over the
// edge of its unit ("999.7 us") is shown in the next one.
#include "simulator/report/format.hpp"

#include "engine/base/wide.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value);
}

// digits * 10^-decimals, trailing zeros cut, thousands grouped.
std::string decimal(std::uint64_t digits, unsigned decimals) {
    std::uint64_t scale = 1;
    for (unsigned i = 0; i < decimals; ++i)
        scale *= 10;
    std::string text = grouped(digits / scale);
    std::string fraction = std::to_string(digits % scale);
    if (decimals == 0 || digits % scale == 0) return text;
    fraction.insert(0, decimals - fraction.size(), '0');
    while (fraction.ends_with('0'))
        fraction.pop_back();
    return text + "." + fraction;
}

// numerator / denominator with three significant digits, at most six decimals.
std::string three_digits(Wide numerator, Wide denominator) {
    unsigned decimals = 0;
    Wide scale = 1;
    while (decimals < 6 && numerator * scale / denominator < 100) {
        scale *= 10;
        ++decimals;
    }
    const Wide rounded = (numerator * scale + denominator / 2) / denominator;
    // 99.96 has become 100.0: one digit less.
    if (rounded >= 1'000 && decimals > 0) {
        scale /= 10;
        --decimals;
        const Wide again = (numerator * scale + denominator / 2) / denominator;
        return decimal(static_cast<std::uint64_t>(again), decimals);
    }
    return decimal(static_cast<std::uint64_t>(rounded), decimals);
}

std::string share(std::uint64_t ppb) {
    constexpr std::uint64_t whole = 1'000'000'000;
    if (ppb < whole && ppb >= whole / 100 * 99) {
        // Close below 100 %: four decimals, never rounded up to it.
        return decimal(ppb / 1'000, 4) + " %";
    }
    return three_digits(ppb, 10'000'000) + " %";
}

struct Step {
    std::uint64_t size;
    const char* name;
};

template <std::size_t Count>
std::string in_unit(std::uint64_t value, const Step (&steps)[Count]) {
    for (const Step& step : steps) {
        // 999.5 of the next smaller unit round to one of this one.
        if (value >= step.size - step.size / 2'000)
            return three_digits(value, step.size) + " " + step.name;
    }
    return std::to_string(value) + " " + steps[Count - 1].name;
}

std::string unsigned_value(Dimension dimension, std::uint64_t value) {
    static constexpr Step times[] = {
        {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}};
    static constexpr Step sizes[] = {
        {1'073'741'824, "GiB"}, {1'048'576, "MiB"}, {10'240, "KiB"}, {1, "B"}};
    static constexpr Step rates[] = {
        {1'000'000'000, "Gbit/s"}, {1'000'000, "Mbit/s"}, {1'000, "kbit/s"}, {1, "bit/s"}};
    switch (dimension) {
        case Dimension::time:
            return in_unit(value, times);
        case Dimension::bytes:
            if (value >= 10'240 && value < 1'048'576) return three_digits(value, 1'024) + " KiB";
            if (value < 10'240) return grouped(value) + " B";
            return in_unit(value, sizes);
        case Dimension::rate:
            return in_unit(value, rates);
        case Dimension::share:
            return share(value);
        case Dimension::frequency:
            if (value >= 3'600 * 10) return three_digits(value, 3'600) + " /s";
            return three_digits(value, 60) + " /min";
        case Dimension::packets:
            return three_digits(value, 1'000) + (value == 1'000 ? " packet" : " packets");
        case Dimension::length:
            return grouped(value) + " mm";
        case Dimension::ratio:
            return three_digits(value, 1'000'000'000) + " x";
        case Dimension::count:
            return grouped(value);
    }
    return "";
}

}  // namespace

std::string format_value(Dimension dimension, std::int64_t value) {
    const std::string text = unsigned_value(dimension, magnitude(value));
    return value < 0 ? "-" + text : text;
}

std::string format_exact(Dimension dimension, std::int64_t value) {
    const std::uint64_t size = magnitude(value);
    std::string text;
    switch (dimension) {
        case Dimension::time:
            text = decimal(size, 6) + " ms";
            break;
        case Dimension::share:
            text = decimal(size, 7) + " %";
            break;
        case Dimension::ratio:
            text = decimal(size, 9) + " x";
            break;
        case Dimension::packets:
            text = decimal(size, 3) + " packets";
            break;
        case Dimension::frequency:
            text = grouped(size) + " /h";
            break;
        case Dimension::bytes:
        case Dimension::rate:
        case Dimension::length:
        case Dimension::count:
            text = grouped(size);
            if (dimension != Dimension::count) text += std::string(" ") + base_unit(dimension);
            break;
    }
    return value < 0 ? "-" + text : text;
}

std::string format_time(std::int64_t ns) {
    return format_value(Dimension::time, ns);
}

std::string format_quotient(std::uint64_t numerator, std::uint64_t denominator) {
    return denominator == 0 ? "-" : three_digits(numerator, denominator);
}

const char* text_of(Compare compare) {
    switch (compare) {
        case Compare::less:
            return "<";
        case Compare::less_equal:
            return "<=";
        case Compare::greater:
            return ">";
        case Compare::greater_equal:
            return ">=";
        case Compare::equal:
            return "==";
        case Compare::not_equal:
            return "!=";
    }
    return "";
}

std::string format_bound(const Gate& gate) {
    const Bound& bound = gate.watch.bound;
    std::string text = std::string(text_of(bound.compare)) + " ";
    text += format_value(gate.dimension, bound.value);
    if (bound.tolerance > 0) text += " +- " + format_value(gate.dimension, bound.tolerance);
    return text;
}

std::string format_gate_value(const GateResult& result) {
    if (result.verdict == Verdict::no_values || result.values == 0) {
        const MetricType type = metric(result.gate.watch.metric).type;
        const bool may_be_none = type == MetricType::event || type == MetricType::count;
        if (result.verdict == Verdict::no_values || !may_be_none) return "no values";
    }
    const Gate& gate = result.gate;
    const std::string value = format_value(gate.dimension, result.value);
    if (!result.holds && value == format_value(gate.dimension, gate.watch.bound.value) &&
        result.value != gate.watch.bound.value) {
        return format_exact(gate.dimension, result.value);
    }
    return value;
}

std::string format_hex(std::uint64_t value, unsigned digits) {
    std::string text(digits, '0');
    for (unsigned i = 0; i < digits; ++i)
        text[digits - 1 - i] = "0123456789abcdef"[value >> (4 * i) & 15];
    return text;
}

std::string format_digest(const DigestValue& digest) {
    const std::string digits = format_hex(digest.high, 16) + format_hex(digest.low, 16);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); i += 4)
        text += (i == 0 ? "" : " ") + digits.substr(i, 4);
    return text;
}

std::string pad_right(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

std::vector<std::string> wrapped(std::string text, std::size_t columns) {
    std::vector<std::string> pieces;
    while (text.size() > columns) {
        const std::size_t space = text.rfind(' ', columns);
        const bool is_between = space != std::string::npos && space > columns / 2;
        const std::size_t cut = is_between ? space : columns;
        pieces.push_back(text.substr(0, cut));
        text = text.substr(cut + (is_between ? 1 : 0));
    }
    pieces.push_back(std::move(text));
    return pieces;
}

std::string pad_left(std::string text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
}

std::string markup_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const unsigned byte = static_cast<unsigned char>(c);
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (byte < 0x20 && c != '\n' && c != '\t')
            out += '?';
        else
            out += c;
    }
    return out;
}

std::string shell_word(std::string_view word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
        return std::string(word);
    std::string text = "'";
    for (const char c : word) {
        if (c == '\'')
            text += "'\\''";
        else
            text += c;
    }
    return text + "'";
}

}  // namespace wt::sim
