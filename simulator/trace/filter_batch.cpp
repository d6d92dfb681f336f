// SPDX-License-Identifier: MIT
#include "simulator/trace/filter_batch.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/base/check.hpp"

namespace wt::trace {

namespace {

constexpr std::size_t step = RecordColumns::step;

// Eight bytes of 0 or 1 as eight bits: each byte's bit is moved by another multiple of seven, so
// they meet in the uppermost byte, and no two of them anywhere.
std::uint64_t bits_of(const std::uint8_t* bytes) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < step / 8; ++i)
        bits |= (load_u64(bytes + i * 8) * 0x0102'0408'1020'4080 >> 56) << (i * 8);
    return bits;
}

// Whether (value & mask) lies in [low, low + span], for 64 values.
template <class Value>
std::uint64_t within(const Value* values, std::uint64_t mask, std::uint64_t low,
                     std::uint64_t span) {
    constexpr std::uint64_t most = std::numeric_limits<Value>::max();
    if (low > most) return 0;
    const Value bits = static_cast<Value>(mask);
    const Value from = static_cast<Value>(low);
    const Value length = static_cast<Value>(std::min(span, most - low));
    std::uint8_t is_within[step];
    for (std::size_t i = 0; i < step; ++i) {
        const Value above = static_cast<Value>((values[i] & bits) - from);
        is_within[i] = above <= length ? 1 : 0;
    }
    return bits_of(is_within);
}

// From so many records on that are still undecided, all 64 are looked at: a loop without a branch
// takes about a fifth of the time for each that one of `holds` takes.
constexpr int together_min = 12;

}  // namespace

// Out of the records themselves, for fields without a column. First they are gathered, four bytes a
// record, then compared: the compiler turns the second loop into vectors, and would make one of
// both slower than either. Whole steps only.
std::uint64_t FilterBatch::holds_stored(const Filter::Test& test, const Records& records) {
    const std::uint8_t* const stored = records.stored + test.word;
    std::uint32_t values[step];
    for (unsigned i = 0; i < step; ++i)
        values[i] = load_u32(stored + i * Record::stored_bytes) >> test.word_shift;
    std::uint64_t right = within(values, test.mask, test.low, test.span);
    if (test.is_outside) right = ~right;
    if (right == 0 || test.types == ~std::uint32_t{0}) return right;
    const std::uint8_t* const type = records.stored + Record::offset_type;
    std::uint8_t has_field[step];
    for (unsigned i = 0; i < step; ++i)
        has_field[i] =
            static_cast<std::uint8_t>(test.types >> (type[i * Record::stored_bytes] & 31) & 1);
    return right & bits_of(has_field);
}

std::uint64_t FilterBatch::holds(const Filter::Test& test, const RecordColumns& columns,
                                 std::size_t place) {
    const auto look = [&](const auto& column) {
        const std::uint64_t inside = within(column.data() + place, test.mask, test.low, test.span);
        return test.is_outside ? ~inside : inside;
    };
    switch (test.column) {
        case Filter::Column::type:
            return look(columns.type);
        case Filter::Column::lane:
            return look(columns.lane);
        case Filter::Column::peer:
            return look(columns.peer);
        case Filter::Column::kind:
            return look(columns.kind);
        case Filter::Column::flags:
            return look(columns.flags);
        case Filter::Column::size:
            return look(columns.size);
        case Filter::Column::none:
            break;
    }
    return 0;
}

bool FilterBatch::reads_records() const {
    return std::any_of(filter_.tests_.begin(), filter_.tests_.end(), [](const Filter::Test& test) {
        return test.column == Filter::Column::none;
    });
}

std::uint64_t FilterBatch::take(const Records& records) {
    WT_CHECK(records.count <= step);
    WT_CHECK(records.place % step == 0);
    if (records.count == 0) return 0;
    const std::uint64_t all = ~std::uint64_t{0} >> (step - records.count);
    if (filter_.start_ < 0) return filter_.start_ == Filter::accept ? all : 0;
    arriving_.assign(filter_.tests_.size(), 0);
    arriving_[static_cast<std::size_t>(filter_.start_)] = all;
    std::uint64_t taken = 0;
    const auto send = [&](std::int32_t target, std::uint64_t which) {
        if (target >= 0)
            arriving_[static_cast<std::size_t>(target)] |= which;
        else if (target == Filter::accept)
            taken |= which;
    };
    // Every test leads to a later one.
    for (std::size_t at = static_cast<std::size_t>(filter_.start_); at < arriving_.size(); ++at) {
        const std::uint64_t here = arriving_[at];
        if (here == 0) continue;
        const Filter::Test& test = filter_.tests_[at];
        std::uint64_t yes = 0;
        if (records.columns != nullptr && test.column != Filter::Column::none) {
            yes = holds(test, *records.columns, records.place) & here;
        } else if (test.is_word && records.count == step && std::popcount(here) >= together_min) {
            yes = holds_stored(test, records) & here;
        } else {
            for (std::uint64_t left = here; left != 0; left &= left - 1) {
                const unsigned i = static_cast<unsigned>(std::countr_zero(left));
                const std::uint8_t* const stored =
                    records.stored + std::size_t{i} * Record::stored_bytes;
                if (filter_.holds(test, stored, records.first + i)) yes |= left & ~(left - 1);
            }
        }
        send(test.yes, yes);
        send(test.no, here & ~yes);
    }
    return taken;
}

}  // namespace wt::trace
