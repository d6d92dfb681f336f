// SPDX-License-Identifier: MIT
//
// Numbers with units: no text crashes or overflows; an error says something; a value is its digits
// times its unit, to the last one; read, written exactly and read again it is the same value.
#include <array>
#include <string>

#include "engine/base/wide.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/quantity.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::sim;

constexpr std::array<Dimension, 9> dimensions = {
    Dimension::time,    Dimension::bytes,  Dimension::rate,  Dimension::share, Dimension::frequency,
    Dimension::packets, Dimension::length, Dimension::ratio, Dimension::count};

// The text of the same value, where the tree has a writer for it.
std::string written(const Quantity& quantity) {
    if (quantity.negative) return {};
    const auto base = static_cast<std::uint64_t>(quantity.base);
    switch (quantity.dimension) {
        case Dimension::time:
            return exact_time(quantity.duration());
        case Dimension::bytes:
            return exact_bytes(base);
        case Dimension::rate:
            return exact_rate({base});
        case Dimension::packets:
            return exact_packets(base);
        case Dimension::share:
        case Dimension::frequency:
        case Dimension::length:
        case Dimension::ratio:
        case Dimension::count:
            return {};
    }
    return {};
}

void check_chance(const Quantity& quantity) {
    if (quantity.negative || quantity.base > 1'000'000'000) return;
    const Chance chance = quantity.chance();
    WT_CHECK(chance.threshold <= Chance::one);
    WT_CHECK((quantity.base == 1'000'000'000) <= (chance.threshold == Chance::one));
    const Result<Quantity, QuantityError> again =
        parse_quantity(exact_share(chance), {Dimension::share});
    WT_CHECK(again.has_value());
    WT_CHECK(again->chance() == chance);
}

// digits / 10^decimals of one unit, with nothing left over. Shares are rounded where they are used.
void check_digits(const Quantity& quantity) {
    if (quantity.dimension == Dimension::share) return;
    const Result<Quantity, QuantityError> one =
        parse_quantity("1" + std::string(quantity.unit), {quantity.dimension});
    WT_CHECK(one.has_value());
    Wide whole = static_cast<Wide>(quantity.digits) * static_cast<std::uint64_t>(one->base);
    for (std::uint32_t i = 0; i < quantity.decimals; ++i) {
        WT_CHECK(whole % 10 == 0);
        whole /= 10;
    }
    WT_CHECK(whole ==
             static_cast<std::uint64_t>(quantity.negative ? -quantity.base : quantity.base));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::FuzzBytes input(data, size);
    const Dimension one = dimensions[input.u8() % dimensions.size()];
    const Dimension other = dimensions[input.u8() % dimensions.size()];
    const Result<Quantity, QuantityError> read = parse_quantity(input.text(), {one, other});
    if (!read.has_value()) {
        WT_CHECK(!read.error().message.empty());
        return 0;
    }
    WT_CHECK(read->dimension == one || read->dimension == other);
    WT_CHECK(read->negative == (read->base < 0) || read->base == 0);
    if (read->dimension == Dimension::share) check_chance(*read);
    check_digits(*read);
    const std::string text = written(*read);
    if (text.empty()) return 0;
    const Result<Quantity, QuantityError> again = parse_quantity(text, {read->dimension});
    WT_CHECK(again.has_value());
    WT_CHECK(again->base == read->base);
    return 0;
}
