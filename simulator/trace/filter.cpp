// SPDX-License-Identifier: MIT
//
// Comparisons as ranges of bits; filter_parser.cpp has the reading of expressions.
#include "simulator/trace/filter.hpp"

#include <algorithm>

namespace wt::trace {

namespace {

using FilterField = Filter::Field;

constexpr std::uint32_t all_types = ~std::uint32_t{0};

constexpr std::uint32_t bit_of(Type type) {
    return std::uint32_t{1} << static_cast<unsigned>(type);
}

// Where a field lies in a record, and which types have it, as bits.
struct Bits {
    std::uint32_t offset = 0;
    std::uint32_t shift = 0;
    std::uint32_t width = 0;
    std::uint32_t types = all_types;
};

Bits bits_of(FilterField field) {
    switch (field) {
        case FilterField::time:
            return {Record::offset_time, 0, 64};
        case FilterField::peer:
        case FilterField::group:
            return {Record::offset_peer, 0, 16};
        case FilterField::lane:
            return {Record::offset_lane, 0, 8};
        case FilterField::type:
            return {Record::offset_type, 0, 8};
        case FilterField::kind:
            return {Record::offset_kind, 0, 16};
        case FilterField::flags:
            return {Record::offset_flags, 0, 16};
        case FilterField::sequence:
            return {Record::offset_sequence, 0, 32};
        case FilterField::tick:
            return {Record::offset_tick, 0, 32};
        case FilterField::size:
            return {Record::offset_size, 0, 16};
        case FilterField::age:
            return {Record::offset_age, 0, 32};
        case FilterField::detail:
            return {Record::offset_detail, 0, 16};
        case FilterField::number:
            return {};
        case FilterField::way:
            return {Record::offset_flags, 0, 1};
        case FilterField::message:
            return {Record::offset_detail, 0, 16,
                    bit_of(Type::send) | bit_of(Type::fragment) | bit_of(Type::receive) |
                        bit_of(Type::deliver) | bit_of(Type::acked)};
        case FilterField::fragment:
            return {Record::offset_age, 0, 8, bit_of(Type::fragment) | bit_of(Type::acked)};
        case FilterField::transmission:
            return {Record::offset_age, 8, 24, bit_of(Type::fragment) | bit_of(Type::acked)};
        case FilterField::cause:
            return {Record::offset_detail, 0, 16, bit_of(Type::drop)};
        case FilterField::reason:
            return {Record::offset_detail, 0, 16, bit_of(Type::connection)};
    }
    return {};
}

// The column that has the field's bits where the field has them.
Filter::Column column_of(FilterField field) {
    switch (field) {
        case FilterField::peer:
            return Filter::Column::peer;
        case FilterField::lane:
            return Filter::Column::lane;
        case FilterField::type:
            return Filter::Column::type;
        case FilterField::kind:
            return Filter::Column::kind;
        case FilterField::flags:
        case FilterField::way:
            return Filter::Column::flags;
        case FilterField::size:
            return Filter::Column::size;
        case FilterField::time:
        case FilterField::sequence:
        case FilterField::tick:
        case FilterField::age:
        case FilterField::detail:
        case FilterField::number:
        case FilterField::message:
        case FilterField::fragment:
        case FilterField::transmission:
        case FilterField::cause:
        case FilterField::reason:
        case FilterField::group:
            return Filter::Column::none;
    }
    return Filter::Column::none;
}

// The values for which a comparison holds: [low, high], or everything else.
struct Range {
    std::uint64_t low = 0;
    std::uint64_t high = ~std::uint64_t{0};
    bool is_outside = false;
};

constexpr Range nothing{0, ~std::uint64_t{0}, true};

Range range_of(Filter::Compare compare, std::uint64_t bound) {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    switch (compare) {
        case Filter::Compare::equal:
            return {bound, bound, false};
        case Filter::Compare::unequal:
            return {bound, bound, true};
        case Filter::Compare::less:
            return bound == 0 ? nothing : Range{0, bound - 1, false};
        case Filter::Compare::at_most:
            return {0, bound, false};
        case Filter::Compare::more:
            return bound == most ? nothing : Range{bound + 1, most, false};
        case Filter::Compare::at_least:
            return {bound, most, false};
        case Filter::Compare::has_bits:
            return {1, most, false};
    }
    return nothing;
}

// Records hold ages in us; expressions say them in ns.
Range in_microseconds(const Range& range) {
    constexpr std::uint64_t us = 1'000;
    const std::uint64_t low = range.low / us + (range.low % us != 0 ? 1 : 0);
    const std::uint64_t high = range.high / us;
    if (low <= high) return {low, high, range.is_outside};
    // No whole microsecond lies in it.
    return range.is_outside ? Range{} : nothing;
}

}  // namespace

Filter::Test Filter::make_test(FilterField field, Compare compare, std::int64_t value) {
    const Bits bits = bits_of(field);
    Test test;
    test.column = column_of(field);
    if (field == FilterField::number) test.source = Test::Source::number;
    if (field == FilterField::group) test.source = Test::Source::group;
    // Eight bytes that begin with the field, or end with the record.
    const std::uint32_t base = std::min<std::uint32_t>(bits.offset, Record::stored_bytes - 8);
    test.base = static_cast<std::uint8_t>(base);
    test.shift = static_cast<std::uint8_t>((bits.offset - base) * 8 + bits.shift);
    test.is_word = test.source == Test::Source::record && bits.width <= 32;
    const std::uint32_t word = std::min<std::uint32_t>(bits.offset, Record::stored_bytes - 4);
    test.word = static_cast<std::uint8_t>(word);
    test.word_shift = static_cast<std::uint8_t>((bits.offset - word) * 8 + bits.shift);
    test.mask = bits.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits.width) - 1;
    test.types = bits.types;
    // No value of a record is negative, and none is asked for: the grammar has no minus.
    const std::uint64_t bound = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
    if (compare == Compare::has_bits) test.mask = bound;
    Range range = range_of(compare, bound);
    if (field == FilterField::age) range = in_microseconds(range);
    test.low = range.low;
    test.span = range.high - range.low;
    test.is_outside = range.is_outside;
    return test;
}

std::uint64_t Filter::other_value(const Test& test, const std::uint8_t* stored,
                                  std::uint64_t number) const {
    if (test.source == Test::Source::number) return number;
    const std::uint16_t peer = load_u16(stored + Record::offset_peer);
    return peer < groups_.size() ? groups_[peer] : ~std::uint64_t{0};
}

}  // namespace wt::trace
