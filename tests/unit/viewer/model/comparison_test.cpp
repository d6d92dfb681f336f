// SPDX-License-Identifier: MIT
//
// Two traces: the first difference, what still matches after it, and when records say nothing.
#include "viewer/model/comparison.hpp"

#include <doctest/doctest.h>

#include "tests/support/trace_source.hpp"
#include "viewer/model/model.hpp"

using namespace wt;
using namespace wt::viewer;
using test::source_of;
using test::SyntheticTrace;

TEST_CASE("equal traces say so") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    model.compare(source_of(SyntheticTrace{}));
    REQUIRE(model.comparison() != nullptr);
    CHECK(model.comparison()->verdict() == "bit-identical: all 10,000 records");
    model.run(Command::next_difference);
    CHECK(model.message() == "no later difference near here");
    for (const ComparedFigure& figure : model.comparison()->figures())
        CHECK(figure.change == "same");
}

TEST_CASE(
    "the first difference is found, gone to, and what follows is matched by what it is about") {
    // Record 6,001 is the first whose size differs.
    const auto a = source_of(SyntheticTrace{});
    const auto b = source_of(SyntheticTrace{.differs_from = 6'001});
    std::uint64_t expected = 0;
    while (a->record(expected) == b->record(expected))
        ++expected;
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    model.compare(source_of(SyntheticTrace{.differs_from = 6'001}));
    const Comparison& comparison = *model.comparison();
    REQUIRE(comparison.difference().first.has_value());
    CHECK(*comparison.difference().first == expected);
    CHECK(comparison.verdict().starts_with("identical up to record 6,001"));
    CHECK(model.cursor().ns == a->record(expected).time);
    CHECK(model.layouts.is_shown(Panel::compare));
    const ComparedRow& row = comparison.rows()[comparison.row()];
    CHECK(row.a == expected);
    CHECK(row.b == expected);
    CHECK(!row.is_same);
    model.run(Command::next_difference);
    CHECK(comparison.row() > 0);
    const std::size_t second = comparison.row();
    model.run(Command::previous_difference);
    CHECK(comparison.row() < second);
    // Rows pair the same datagram of the same peer.
    for (const ComparedRow& pair : comparison.rows()) {
        if (pair.a == no_record || pair.b == no_record) continue;
        CHECK(a->record(pair.a).peer == b->record(pair.b).peer);
        CHECK(a->record(pair.a).sequence == b->record(pair.b).sequence);
        CHECK(a->record(pair.a).type == b->record(pair.b).type);
    }
}

TEST_CASE("what came before in both is told, and histograms share their buckets") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    const auto settle = [&] {
        for (int i = 0; i < 200; ++i) {
            (void)model.range_figures();
            model.refresh();
        }
    };
    settle();
    CHECK(model.range_figures().beside.empty());
    const auto total = [](const std::vector<std::uint64_t>& buckets) {
        std::uint64_t sum = 0;
        for (const std::uint64_t each : buckets)
            sum += each;
        return sum;
    };
    model.compare(source_of(SyntheticTrace{}));
    settle();
    CHECK(model.comparison()->causes().empty());
    CHECK(model.range_figures().count > 0);
    CHECK(total(model.range_figures().buckets) == model.range_figures().count);
    CHECK(model.range_figures().beside == model.range_figures().buckets);
    // Other seeds: statistics still stand beside each other.
    model.compare(source_of(SyntheticTrace{.seed = 2}));
    settle();
    CHECK(total(model.range_figures().beside) > 0);
    CHECK(model.range_figures().beside != model.range_figures().buckets);
    CHECK(model.comparison()->causes().empty());
    model.compare(source_of(SyntheticTrace{.differs_from = 6'001}));
    const std::vector<std::string>& causes = model.comparison()->causes();
    REQUIRE(causes.size() >= 2);
    // By hand: the last record of that peer before the first one that differs.
    const Source& a = *model.source();
    const trace::Record parted = a.record(6'001);
    std::uint64_t last = 6'000;
    while (a.record(last).peer != parted.peer)
        --last;
    CHECK(causes[0].ends_with("#" + std::to_string(a.record(last).sequence)));
}

TEST_CASE("traces of two seeds get statistics only, and it says why") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    model.compare(source_of(SyntheticTrace{.seed = 2}));
    CHECK(!model.comparison()->is_comparable());
    CHECK(model.comparison()->verdict().starts_with("only statistics: "));
    CHECK(model.comparison()->verdict().find("seed") != std::string::npos);
    CHECK(model.comparison()->rows().empty());
    CHECK(model.comparison()->figures().size() > 3);
}
