// SPDX-License-Identifier: MIT
//
// A choice of records by an expression, shared by the command line and the viewer:
//
//   peer == player-7 && kind == snapshot && (size > 900 || type == drop)
//
//   expression = term { ( "&&" | "||" ) term } ;            && binds tighter
//   term       = "!" term | "(" expression ")" | field compare value | word ;
//   compare    = "==" | "!=" | "<" | "<=" | ">" | ">=" ;
//   field      = time peer lane type kind flags sequence tick size age detail number
//              | way message fragment try cause reason ;
//   value      = number | time with a unit | name | "quoted name" ;
//   word       = a type (drop) or a flag (late) by itself ;
//
// A field that a record's type does not have makes every comparison with it false. An empty
// expression takes everything. Compiled once; a test loads one field of 32 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

struct FilterError {
    std::size_t offset = 0;  // Of the wrong stretch, in bytes.
    std::size_t length = 1;
    std::string message{};
    std::string hint{};  // What would be right.
};

class Filter {
public:
    // Takes everything.
    Filter() = default;
    // Names of peers, groups, lanes, kinds, causes and reasons are the trace's.
    [[nodiscard]] static Result<Filter, FilterError> compile(std::string_view text,
                                                             const TraceFile& trace);

    // `stored` are a record's 32 bytes, `number` is its number.
    [[nodiscard]] bool takes(const std::uint8_t* stored, std::uint64_t number) const {
        std::int32_t at = start_;
        // Every test leads to a later one, so this ends.
        while (at >= 0) {
            const Test& test = tests_[static_cast<std::size_t>(at)];
            at = holds(test, stored, number) ? test.yes : test.no;
        }
        return at == accept;
    }
    [[nodiscard]] bool takes_all() const { return tests_.empty(); }
    // The one peer that every record it takes belongs to, where the expression says so: whoever
    // walks through a trace may use its index.
    [[nodiscard]] std::optional<std::uint16_t> only_peer() const { return only_peer_; }

    enum class Field : std::uint8_t {
        time,
        peer,
        lane,
        type,
        kind,
        flags,
        sequence,
        tick,
        size,
        age,
        detail,
        number,
        way,
        message,
        fragment,
        transmission,
        cause,
        reason,
        group,  // peer == GROUP
    };
    enum class Compare : std::uint8_t { equal, unequal, less, at_most, more, at_least, has_bits };
    // Of RecordColumns.
    enum class Column : std::uint8_t { none, type, lane, peer, kind, flags, size };

private:
    friend class FilterParser;
    friend class FilterBatch;
    static constexpr std::int32_t accept = -1;
    static constexpr std::int32_t reject = -2;

    // One comparison, and where to go on from it. A field is some bits of eight bytes of the
    // record; every comparison is "within a range" or "not within it".
    struct Test {
        enum class Source : std::uint8_t { record, number, group };
        Source source = Source::record;
        Column column = Column::none;  // That is the field, all of it from bit 0 on.
        std::uint8_t base = 0;         // Of the eight bytes.
        std::uint8_t shift = 0;        // Bits below the field.
        bool is_word = false;          // The field lies in the four bytes from `word` on.
        std::uint8_t word = 0;
        std::uint8_t word_shift = 0;
        bool is_outside = false;
        std::uint32_t types = ~std::uint32_t{0};  // Of records that have the field, as bits.
        std::uint64_t mask = 0;
        std::uint64_t low = 0;
        std::uint64_t span = 0;  // Largest - low.
        std::int32_t yes = accept;
        std::int32_t no = reject;
    };
    [[nodiscard]] static Test make_test(Field field, Compare compare, std::int64_t value);
    [[nodiscard]] bool holds(const Test& test, const std::uint8_t* stored,
                             std::uint64_t number) const {
        std::uint64_t value = load_u64(stored + test.base) >> test.shift & test.mask;
        if (test.source != Test::Source::record) value = other_value(test, stored, number);
        // Types above 31 are of a later build.
        const std::uint32_t type = stored[Record::offset_type] & 31;
        const bool is_within = value - test.low <= test.span;
        return (test.types >> type & 1) != 0 && is_within != test.is_outside;
    }
    [[nodiscard]] std::uint64_t other_value(const Test& test, const std::uint8_t* stored,
                                            std::uint64_t number) const;

    std::vector<Test> tests_{};
    std::int32_t start_ = accept;
    std::vector<std::uint16_t> groups_{};  // By peer.
    std::optional<std::uint16_t> only_peer_{};
};

// The records of a stretch of a trace that a filter takes, in order: each(number, stored bytes)
// returns false to stop. Looks at one peer's records only where the filter allows it.
template <class Each>
void for_each_record(const TraceFile& trace, const Filter& filter, RecordRange range, Each each) {
    if (range.first >= range.last) return;
    const std::size_t last_block = (range.last - 1) / block_records;
    for (std::size_t index = range.first / block_records; index <= last_block; ++index) {
        const Block& block = trace.block(index);
        const auto visit = [&](std::uint32_t place) {
            const std::uint64_t number = block.first_record + place;
            if (number < range.first || number >= range.last) return true;
            const std::uint8_t* const stored = trace.record_bytes(number);
            return !filter.takes(stored, number) || each(number, stored);
        };
        if (filter.only_peer()) {
            const ConstBytes places = trace.peer_places(index, *filter.only_peer());
            for (std::size_t at = 0; at + 1 < places.size(); at += 2) {
                const std::uint16_t place = load_u16(places.data() + at);
                if (place < block.count && !visit(place)) return;
            }
            continue;
        }
        for (std::uint32_t place = 0; place < block.count; ++place) {
            if (!visit(place)) return;
        }
    }
}

}  // namespace wt::trace
