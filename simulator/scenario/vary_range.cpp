// SPDX-License-Identifier: MIT
#include "simulator/scenario/vary_range.hpp"

#include <algorithm>

#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

// Events per hour that one Hz and one a minute are: nothing finer can be written.
constexpr std::int64_t per_hertz = 3'600;
constexpr std::int64_t per_minute = 60;

Result<Quantity, TextError> parse_end(std::string_view text, std::size_t offset) {
    const auto parsed = parse_quantity(
        text, {Dimension::time, Dimension::bytes, Dimension::rate, Dimension::share,
               Dimension::frequency, Dimension::packets, Dimension::length, Dimension::count});
    if (parsed) return *parsed;
    return unexpected(TextError{offset, std::max<std::size_t>(text.size(), 1),
                                parsed.error().message, parsed.error().hint});
}

// The smallest step in which values of a dimension can be written back.
std::int64_t grain_of(Dimension dimension, std::int64_t first, std::int64_t last) {
    if (dimension != Dimension::frequency) return 1;
    return first % per_hertz == 0 && last % per_hertz == 0 ? per_hertz : per_minute;
}

std::string written(Dimension dimension, std::int64_t base) {
    const std::uint64_t size = static_cast<std::uint64_t>(base < 0 ? -base : base);
    const std::string sign = base < 0 ? "-" : "";
    switch (dimension) {
        case Dimension::time:
            return base % 1'000'000'000 == 0 ? exact_time({base}) : exact_millis({base});
        case Dimension::bytes:
            return sign + exact_bytes(size);
        case Dimension::rate:
            return sign + exact_rate({size});
        case Dimension::share:
            return sign + exact_percent(size);
        case Dimension::frequency:
            return base % per_hertz == 0 ? std::to_string(base / per_hertz) + "Hz"
                                         : std::to_string(base / per_minute) + "/min";
        case Dimension::packets:
            return sign + exact_packets(size);
        case Dimension::length:
            return std::to_string(base) + "mm";
        case Dimension::ratio:
        case Dimension::count:
            break;
    }
    return std::to_string(base);
}

}  // namespace

Result<VaryRange, TextError> VaryRange::parse(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        return unexpected(TextError{0, std::max<std::size_t>(text.size(), 1),
                                    "\"" + std::string(text) + "\" is not a range",
                                    "\"A..B\", \"A..B step C\", or a list: [\"keep\", \"free\"]"});
    }
    constexpr std::string_view step_word = " step ";
    const std::size_t word = text.find(step_word, dots);
    const std::size_t last_at = dots + 2;
    const Result<Quantity, TextError> first = parse_end(text.substr(0, dots), 0);
    if (!first) return unexpected(first.error());
    const Result<Quantity, TextError> last =
        parse_end(text.substr(last_at, std::min(word, text.size()) - last_at), last_at);
    if (!last) return unexpected(last.error());
    const auto error = [&](const char* message, const char* hint) {
        return unexpected(TextError{0, text.size(), message, hint});
    };
    if (first->dimension != last->dimension)
        return error("the two ends are not of one kind", "e.g. \"10ms..300ms\"");
    if (last->base <= first->base)
        return error("the range has no length", "the second end is the larger one");
    VaryRange range;
    range.dimension_ = first->dimension;
    range.first_ = first->base;
    const std::int64_t length = last->base - first->base;
    const std::int64_t grain = grain_of(range.dimension_, first->base, last->base);
    range.step_ = grain;
    if (word == std::string_view::npos) {
        while (length / range.step_ / 10 >= steps_least)
            range.step_ *= 10;
    } else {
        const std::size_t step_at = word + step_word.size();
        const Result<Quantity, TextError> step = parse_end(text.substr(step_at), step_at);
        if (!step) return unexpected(step.error());
        if (step->dimension != first->dimension || step->base <= 0 || step->base > length)
            return error("the step does not fit the range", "e.g. \"0%..10% step 1%\"");
        range.step_ = step->base;
    }
    if (first->base % grain != 0 || range.step_ % grain != 0)
        return error("this frequency cannot be written", "whole Hz, or whole events a minute");
    range.count_ = static_cast<std::uint64_t>(length / range.step_) + 1;
    return range;
}

VaryRange VaryRange::of_choices(std::vector<Node> choices) {
    VaryRange range;
    range.count_ = choices.size();
    range.choices_ = std::move(choices);
    return range;
}

Node VaryRange::value(std::uint64_t index) const {
    if (!choices_.empty()) return choices_[index];
    const std::int64_t base = first_ + step_ * static_cast<std::int64_t>(index);
    Node node;
    if (dimension_ == Dimension::count) {
        node.kind = Node::Kind::integer;
        node.integer = base;
        return node;
    }
    node.kind = Node::Kind::string;
    node.text = written(dimension_, base);
    return node;
}

}  // namespace wt::sim
