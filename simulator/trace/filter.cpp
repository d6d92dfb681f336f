// SPDX-License-Identifier: MIT
//
// The taking; filter_parser.cpp has the reading.
#include "simulator/trace/filter.hpp"

namespace wt::trace {

namespace {

using Field = Filter::Field;

bool is_one_of(std::uint8_t type, std::initializer_list<Type> types) {
    for (const Type each : types) {
        if (type == static_cast<std::uint8_t>(each)) return true;
    }
    return false;
}

// The field's value; nothing where the record's type has no such thing.
std::optional<std::int64_t> value_of(Field field, const std::uint8_t* at, std::uint64_t number) {
    const std::uint8_t type = at[Record::offset_type];
    switch (field) {
        case Field::time:
            return load_field<std::int64_t>(at + Record::offset_time);
        case Field::peer:
        case Field::group:
            return load_u16(at + Record::offset_peer);
        case Field::lane:
            return at[Record::offset_lane];
        case Field::type:
            return type;
        case Field::kind:
            return load_u16(at + Record::offset_kind);
        case Field::flags:
            return load_u16(at + Record::offset_flags);
        case Field::sequence:
            return load_u32(at + Record::offset_sequence);
        case Field::tick:
            return load_u32(at + Record::offset_tick);
        case Field::size:
            return load_u16(at + Record::offset_size);
        case Field::age:
            // In ns like every time; records hold us.
            return std::int64_t{load_u32(at + Record::offset_age)} * 1'000;
        case Field::detail:
            return load_u16(at + Record::offset_detail);
        case Field::number:
            return static_cast<std::int64_t>(number);
        case Field::way:
            return load_u16(at + Record::offset_flags) & flag::down;
        case Field::message:
            if (!is_one_of(type,
                           {Type::send, Type::fragment, Type::receive, Type::deliver, Type::acked}))
                return std::nullopt;
            return load_u16(at + Record::offset_detail);
        case Field::fragment:
            if (!is_one_of(type, {Type::fragment, Type::acked})) return std::nullopt;
            return load_u32(at + Record::offset_age) & 0xff;
        case Field::transmission:
            if (!is_one_of(type, {Type::fragment, Type::acked})) return std::nullopt;
            return load_u32(at + Record::offset_age) >> 8;
        case Field::cause:
            if (!is_one_of(type, {Type::drop})) return std::nullopt;
            return load_u16(at + Record::offset_detail);
        case Field::reason:
            if (!is_one_of(type, {Type::connection})) return std::nullopt;
            return load_u16(at + Record::offset_detail);
    }
    return std::nullopt;
}

bool compares(Filter::Compare compare, std::int64_t value, std::int64_t bound) {
    switch (compare) {
        case Filter::Compare::equal:
            return value == bound;
        case Filter::Compare::unequal:
            return value != bound;
        case Filter::Compare::less:
            return value < bound;
        case Filter::Compare::at_most:
            return value <= bound;
        case Filter::Compare::more:
            return value > bound;
        case Filter::Compare::at_least:
            return value >= bound;
        case Filter::Compare::has_bits:
            return (value & bound) != 0;
    }
    return false;
}

}  // namespace

bool Filter::holds(const Test& test, const std::uint8_t* stored, std::uint64_t number) const {
    const std::optional<std::int64_t> value = value_of(test.field, stored, number);
    if (!value) return false;
    if (test.field != Field::group) return compares(test.compare, *value, test.value);
    const std::size_t peer = static_cast<std::size_t>(*value);
    const bool is_in = peer < groups_.size() && groups_[peer] == test.value;
    return is_in == (test.compare == Compare::equal);
}

bool Filter::takes(const std::uint8_t* stored, std::uint64_t number) const {
    std::int32_t at = start_;
    while (at >= 0) {
        const Test& test = tests_[static_cast<std::size_t>(at)];
        // Every test leads to a later one, so this ends.
        at = holds(test, stored, number) ? test.yes : test.no;
    }
    return at == accept;
}

}  // namespace wt::trace
