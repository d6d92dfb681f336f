// SPDX-License-Identifier: MIT
//
// Where the viewer looks and what it makes of a trace, without anything being drawn.
#include "viewer/model/model.hpp"

#include <doctest/doctest.h>

#include <set>

#include "simulator/trace/writer.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/trace_source.hpp"
#include "viewer/model/open.hpp"
#include "viewer/model/saved_source.hpp"

using namespace wt;
using namespace wt::viewer;
using test::source_of;
using test::SyntheticTrace;

namespace {

void settle(Model& model) {
    for (int i = 0; i < 300; ++i) {
        model.refresh();
        if (model.is_settled()) return;
    }
    FAIL("the model never settles");
}

}  // namespace

TEST_CASE("a trace says what run it was, gates first") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    settle(model);
    const RunInfo& info = *model.info();
    CHECK(info.bot_count() == 16);
    CHECK(info.peers[first_bot].name == "bot-0");
    REQUIRE(info.gates.size() == 2);
    CHECK(info.gates[0].state == GateInfo::State::fail);
    CHECK(info.gates[0].series == "snapshot_age");
    CHECK(info.gates[0].series_bound == 90'000'000);
    CHECK(model.bound_of("snapshot_age") == 90'000'000);
    CHECK(!model.bound_of("lead").has_value());
    CHECK(info.phases.size() == 2);
    CHECK(info.acts[0].what == "change default");
}

TEST_CASE("a failed gate leads to its worst moment and its peer") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    model.go_to_gate(0);
    CHECK(model.cursor() == Instant{5'000'000'000});
    CHECK(model.info()->peers[model.peer()].name == "bot-2");
    CHECK(model.axis.view().holds(model.cursor()));
    CHECK(model.axis.view().length() == Duration::seconds(4));
}

TEST_CASE("sums over columns are the sums over the records") {
    const SyntheticTrace wanted{.bots = 3, .records = 2'000, .seconds = 10};
    const auto source = source_of(wanted);
    // From the records themselves: bytes of each peer, by hand.
    std::vector<std::int64_t> by_peer(4, 0);
    for (std::uint64_t n = 0; n < source->record_count(); ++n) {
        const trace::Record record = source->record(n);
        by_peer[record.peer] += record.size;
    }
    const int series = source->info().find_series("bytes");
    REQUIRE(series >= 0);
    for (PeerIndex peer = first_bot; peer <= 3; ++peer) {
        std::vector<Cell> cells(7);
        (void)source->cells(static_cast<std::size_t>(series), peer, {{0}, source->end()}, cells,
                            Detail::exact);
        std::int64_t sum = 0;
        for (const Cell& cell : cells)
            sum += cell.sum;
        CHECK(sum == by_peer[peer]);
    }
}

TEST_CASE("a spike of one cell is seen from any distance") {
    std::vector<std::uint8_t> bytes;
    trace::Output output(bytes);
    const SyntheticTrace wanted{.bots = 2, .records = 0, .seconds = 1'000};
    trace::Writer writer(test::header_synthetic(wanted), test::about_synthetic(wanted), output);
    for (std::int64_t at = trace::cell_ns; at <= 1'000'000'000'000; at += trace::cell_ns) {
        writer.series().add(trace::Series::rtt, 1, at == 612'300'000'000 ? 999'000 : 60'000);
        writer.advance(at);
    }
    trace::Writer::Ending ending;
    ending.end_ns = 1'000'000'000'000;
    ending.outcome = test::outcome_synthetic(wanted);
    REQUIRE(writer.finish(ending));
    auto file = trace::TraceFile::parse(bytes);
    REQUIRE(file.has_value());
    const SavedSource source(std::move(*file), "t");
    const int rtt = source.info().find_series("rtt");
    for (const std::size_t columns : {1u, 7u, 100u, 240u, 10'000u}) {
        std::vector<Cell> cells(columns);
        (void)source.cells(static_cast<std::size_t>(rtt), 1, {{0}, source.end()}, cells,
                           Detail::exact);
        std::size_t found = 0;
        for (const Cell& cell : cells)
            found += !cell.is_empty() && cell.max == 999'000'000;
        // Two where the stored cell lies across a border between columns.
        CHECK_MESSAGE(found >= 1, columns, " columns");
        CHECK_MESSAGE(found <= 2, columns, " columns");
    }
}

TEST_CASE("the next and the previous anomaly, and none beyond the last") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    settle(model);
    model.run(Command::next_anomaly);
    const Instant first = model.cursor();
    CHECK(first == Instant{10'000'000'000 / 6});
    model.run(Command::next_anomaly);
    CHECK(model.cursor() > first);
    model.run(Command::previous_anomaly);
    CHECK(model.cursor() == first);
    model.run(Command::previous_anomaly);
    CHECK(model.cursor() == first);
    CHECK(model.message() == "no anomaly before the cursor");
    // A kind that is hidden is not stopped at.
    model.anomalies.hide(static_cast<std::uint16_t>(trace::AnomalyKind::loss_burst), true);
    model.run(Command::next_anomaly);
    CHECK(model.cursor() == first);
}

TEST_CASE("records of one peer, one after the other") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    settle(model);
    model.select_peer(5);
    model.set_cursor({3'000'000'000});
    model.run(Command::next_record);
    const std::uint64_t record = model.record();
    REQUIRE(record != no_record);
    CHECK(model.source()->record(record).peer == 5);
    CHECK(model.source()->record(record).time >= 3'000'000'000);
    model.run(Command::next_record);
    CHECK(model.record() > record);
    model.run(Command::previous_record);
    CHECK(model.record() == record);
}

TEST_CASE("the table sorts by any column and filters by name and value") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    settle(model);
    PeerTable& table = model.peers;
    REQUIRE(table.rows().size() == 16);
    std::size_t rtt = 0;
    while (table.columns()[rtt].key != "rtt")
        ++rtt;
    table.sort_column = static_cast<int>(rtt);
    table.sort_descending = true;
    settle(model);
    for (std::size_t i = 1; i < table.rows().size(); ++i)
        CHECK(*table.value(table.rows()[i - 1], rtt) >= *table.value(table.rows()[i], rtt));
    table.filter = "bot-1";
    settle(model);
    CHECK(table.rows().size() == 7);  // bot-1, and bot-10 to bot-15.
    table.filter = "bot-1 && rtt > 1s";
    settle(model);
    CHECK(table.rows().empty());
    table.filter = "rttt > 1s";
    settle(model);
    CHECK(table.filter_error().find("rttt") != std::string::npos);
    CHECK(table.rows().size() == 16);
    table.filter = "rtt > 5";
    settle(model);
    CHECK(!table.filter_error().empty());
}

TEST_CASE("the heat map has one row a peer, and shares rows between thousands") {
    Model model;
    model.open(source_of(SyntheticTrace{.bots = 1'000, .records = 4'000, .seconds = 5}), "");
    model.heat.order = HeatOrder::name;
    settle(model);
    CHECK(model.heat.rows().size() == 250);
    CHECK(model.heat.rows()[0].label == "bot-0..3");
    CHECK(model.heat.row_of(first_bot + 4) == 1);
    const std::vector<std::uint32_t> picture = model.heat.picture();
    CHECK(picture.size() == model.heat.rows().size() * model.heat.columns());
    CHECK(std::set<std::uint32_t>(picture.begin(), picture.end()).size() > 20);
}

TEST_CASE("no colour of the heat map is a gate's red") {
    for (int i = 0; i <= 100; ++i) {
        const std::uint32_t colour = heat_colour(i / 100.0);
        const int red = static_cast<int>(colour & 0xff);
        const int green = static_cast<int>(colour >> 8 & 0xff);
        CHECK(red - green < 30);
    }
}

TEST_CASE("marks are kept beside the trace and read again") {
    const test::ScratchFolder folder;
    const std::string path = folder.file("marks");
    Bookmarks marks;
    marks.attach(path);
    CHECK(marks.add({{500}, "bot-3", "late\tand\nbroken"}));
    CHECK(marks.add({{100}, "", "early"}));
    Bookmarks again;
    again.attach(path);
    REQUIRE(again.all().size() == 2);
    CHECK(again.all()[0].text == "early");
    CHECK(again.all()[1].text == "late and broken");
    CHECK(again.all()[1].peer == "bot-3");
    CHECK(again.remove(0));
    marks.attach(path);
    CHECK(marks.all().size() == 1);
    marks.attach("/nowhere/at/all");
    CHECK(!marks.add({{1}, "", "x"}));
}

TEST_CASE("every command has a name of its own, and every key leads to one command") {
    std::set<std::string> names;
    for (const CommandInfo& command : command_table()) {
        CHECK(names.insert(command.name).second);
        CHECK(&info_of(command.command) == &command);
    }
    std::set<std::string> keys;
    for (const KeyBinding& binding : key_table())
        CHECK_MESSAGE(keys.insert(binding.key).second, binding.key);
}

TEST_CASE("no command does harm without a run") {
    Model model;
    for (const CommandInfo& command : command_table())
        model.run(command.command);
    model.refresh();
    CHECK(model.source() == nullptr);
}

TEST_CASE("what is no trace is refused by name, and what was open stays") {
    Model model;
    model.open(source_of(SyntheticTrace{}), "");
    const test::ScratchFolder folder;
    const std::string path = folder.write(
        "bad.wtrace", "this is no trace at all, it is a sentence of some length for a header");
    const std::string problem = open_file(model, path);
    CHECK(problem.find(path) != std::string::npos);
    CHECK(model.info()->bot_count() == 16);
    CHECK(!open_file(model, folder.file("missing")).empty());
}
