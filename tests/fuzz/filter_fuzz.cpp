// SPDX-License-Identifier: MIT
//
// Expressions over the records of one trace: each compiles, or the problem has words and a place in
// the text. What compiles takes the same records one by one and 64 at a time, its negation takes
// the others, and the one peer that it says it is about is the peer of all that it takes.
#include <string>

#include "simulator/trace/filter_batch.hpp"
#include "simulator/trace/record_columns.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"
#include "tests/support/synthetic_trace.hpp"

namespace {

using namespace wt;
using namespace wt::trace;

const TraceFile& records() {
    static const TraceFile file = [] {
        std::vector<std::uint8_t> bytes;
        Output output(bytes);
        const test::SyntheticTrace wanted{.bots = 5, .records = 300, .seconds = 1};
        WT_CHECK(test::write_synthetic(wanted, output));
        auto read = TraceFile::parse(std::move(bytes));
        WT_CHECK(read.has_value());
        return std::move(*read);
    }();
    return file;
}

// From the records themselves, or from columns made of them.
void check_batches(const Filter& filter, const RecordColumns* columns) {
    const TraceFile& file = records();
    FilterBatch batch(filter);
    for (std::uint64_t first = 0; first < file.record_count(); first += 64) {
        const std::uint64_t left = file.record_count() - first;
        const unsigned count = left < 64 ? static_cast<unsigned>(left) : 64u;
        const std::uint64_t bits = batch.take({.stored = file.record_bytes(first),
                                               .first = first,
                                               .count = count,
                                               .columns = columns,
                                               .place = static_cast<std::size_t>(first)});
        WT_CHECK(count == 64 || bits >> count == 0);
        for (unsigned i = 0; i < count; ++i) {
            const bool is_taken = filter.takes(file.record_bytes(first + i), first + i);
            WT_CHECK((bits >> i & 1) == (is_taken ? 1u : 0u));
        }
    }
}

void check_peer(const Filter& filter) {
    const TraceFile& file = records();
    if (!filter.only_peer().has_value()) return;
    for (std::uint64_t n = 0; n < file.record_count(); ++n) {
        if (filter.takes(file.record_bytes(n), n))
            WT_CHECK(file.record(n).peer == *filter.only_peer());
    }
}

// Where the negation is too long or too deep, it is no expression any more.
void check_negation(const Filter& filter, const std::string& text) {
    const TraceFile& file = records();
    const Result<Filter, FilterError> other = Filter::compile("!(" + text + ")", file);
    if (!other) return;
    for (std::uint64_t n = 0; n < file.record_count(); ++n) {
        const std::uint8_t* const stored = file.record_bytes(n);
        WT_CHECK(filter.takes(stored, n) != other->takes(stored, n));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::FuzzBytes(data, size).text());
    const Result<Filter, FilterError> filter = Filter::compile(text, records());
    if (!filter) {
        WT_CHECK(!filter.error().message.empty());
        WT_CHECK(filter.error().offset <= text.size());
        return 0;
    }
    static const RecordColumns columns = RecordColumns::of(records().block_bytes(0));
    check_batches(*filter, nullptr);
    check_batches(*filter, &columns);
    check_peer(*filter);
    check_negation(*filter, text);
    return 0;
}
