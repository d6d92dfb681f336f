// SPDX-License-Identifier: MIT
//
// A filter finds the same records whether they are read one by one or by columns, also while the
// columns are being gathered; and whoever closes the trace meanwhile waits for nobody.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "tests/support/trace_source.hpp"
#include "viewer/model/record_list.hpp"

using namespace wt;
using namespace wt::viewer;

namespace {

// Three blocks and a part of one.
constexpr test::SyntheticTrace wanted{.bots = 16, .records = 200'001, .seconds = 10};

std::vector<std::uint64_t> hits_of(const SavedSource& source, const char* filter, Range range) {
    RecordList list;
    list.only_peer = false;
    list.filter = filter;
    do {
        list.refresh(source, range, first_bot);
    } while (!list.is_complete());
    CHECK(list.error().empty());
    std::vector<std::uint64_t> hits;
    for (std::uint64_t i = 0; i < list.count(); ++i)
        hits.push_back(list.number_at(i));
    return hits;
}

void gather(SavedSource& source) {
    source.begin_frame();
    source.begin_frame();
    for (int i = 0; i < 10'000 && !source.is_indexed(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(source.is_indexed());
}

}  // namespace

TEST_CASE("by columns and one by one: the same hits") {
    const auto source = test::source_of(wanted);
    const Range whole{{0}, source->end()};
    // Not at a whole step of 64 at either end.
    const Range part{{3'333'333'333}, {7'777'777'777}};
    constexpr const char* filters[] = {
        "type == drop && size > 900", "size > 900 && kind < 6 && lane != bulk",
        "!(lane == control) || down && tick > 300", "age > 40ms && (kind == 3 || drop)",
        "peer == bot-3 && size > 900 || sequence < 70"};
    CHECK(source->columns_of(0) == nullptr);
    std::vector<std::vector<std::uint64_t>> one_by_one;
    for (const char* const filter : filters) {
        one_by_one.push_back(hits_of(*source, filter, whole));
        one_by_one.push_back(hits_of(*source, filter, part));
        CHECK(one_by_one.back().size() > 10);
    }
    // The first frame is drawn before anything else of the file is looked at.
    source->begin_frame();
    CHECK(source->columns_of(0) == nullptr);
    gather(*source);
    CHECK(source->columns_of(200'000) != nullptr);
    std::size_t i = 0;
    for (const char* const filter : filters) {
        CAPTURE(filter);
        CHECK(hits_of(*source, filter, whole) == one_by_one[i++]);
        CHECK(hits_of(*source, filter, part) == one_by_one[i++]);
    }
}

TEST_CASE("sixty-four at once, shared by two threads: the records that the filter takes alone") {
    // More than one thread does alone, and no whole number of steps.
    const auto source = test::source_of({.bots = 16, .records = 410'037, .seconds = 20});
    REQUIRE(source->record_count() > 2 * RecordList::shared_from);
    const Range whole{{0}, {source->end().ns + 1}};
    for (const char* const filter :
         {"age > 20ms", "message == 7 || fragment == 3 || cause == loss", "time > 3s && tick > 90",
          "sequence < 900 && detail != 0", "way == 1 && size >= 400", "number > 100000 && drop",
          "peer == bot && !(kind < 9) && try > 1", "!(cause == loss)", "reason != 0 || late"}) {
        CAPTURE(filter);
        const auto compiled = trace::Filter::compile(filter, source->names());
        REQUIRE(compiled.has_value());
        std::vector<std::uint64_t> by_hand;
        for (std::uint64_t number = 0; number < source->record_count(); ++number) {
            if (compiled->takes(source->record_bytes(number).data(), number))
                by_hand.push_back(number);
        }
        CHECK(hits_of(*source, filter, whole) == by_hand);
    }
}

TEST_CASE("a trace may be closed while its columns are being gathered") {
    for (int turn = 0; turn < 8; ++turn) {
        const auto source = test::source_of(wanted);
        source->begin_frame();
        source->begin_frame();
        (void)hits_of(*source, "size > 900", {{0}, source->end()});
    }
}
