// SPDX-License-Identifier: MIT
//
// A run that is watched: the same run, the same trace, whatever is done at the window; and what is
// changed in it is a scenario that replays it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "simulator/scenario/read_scenario.hpp"
#include "simulator/trace/difference.hpp"
#include "tests/support/scratch_folder.hpp"
#include "viewer/model/live_source.hpp"
#include "viewer/model/model.hpp"
#include "viewer/model/open.hpp"

using namespace wt;
using namespace wt::viewer;

namespace {

constexpr const char* text = R"(
[scenario]
phases = ["join 1s", "play 2s"]
[links.default]
profile = "home-broadband"
[bots.fighter]
count = 4
[gates]
in = "peers.active min == 100% in play"
)";

// A folder with the scenario that most cases run.
struct Scratch : test::ScratchFolder {
    Scratch() { write("run.toml", text); }
};

sim::RunResult run_without_viewer(std::string_view scenario_text, const std::string& trace) {
    auto scenario = sim::read_scenario_text(scenario_text, "run.toml", {});
    REQUIRE(scenario.has_value());
    std::vector<sim::Problem> problems;
    const std::vector<sim::Gate> gates = sim::compile_gates(*scenario, problems);
    sim::RunOptions options;
    options.trace = sim::TraceOptions{};
    options.trace->path = trace;
    return sim::run_scenario(*scenario, gates, options);
}

bool have_equal_records(const std::string& a, const std::string& b) {
    auto first = trace::TraceFile::open(a);
    auto second = trace::TraceFile::open(b);
    REQUIRE(first.has_value());
    REQUIRE(second.has_value());
    return trace::difference_of(*first, *second).is_equal();
}

// Frames until the run is over, with a hand on its controls in between.
void watch(Model& model, bool with_interference) {
    for (int frame = 0; frame < 20'000 && !model.live()->state().is_over; ++frame) {
        model.refresh();
        if (with_interference && frame % 40 == 10) model.run(Command::live_run);
        if (with_interference && frame % 40 == 15) model.run(Command::live_step);
        if (with_interference && frame % 40 == 20) model.run(Command::live_run);
        if (with_interference && frame == 30) model.run(Command::live_faster);
        if (with_interference && frame % 100 == 99) model.run(Command::live_fastest);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    REQUIRE(model.live()->state().is_over);
    model.refresh();
}

}  // namespace

TEST_CASE("a watched run, held, stepped and hurried, is the run that nobody watched") {
    const Scratch scratch;
    const sim::RunResult alone = run_without_viewer(text, scratch.file("alone.wtrace"));
    Model model;
    OpenOptions options;
    options.live.trace_path = scratch.file("watched.wtrace");
    options.live.speed = 8;
    REQUIRE(open_file(model, scratch.file("run.toml"), options).empty());
    watch(model, true);
    const sim::RunResult& watched = *model.live()->state().result;
    CHECK(watched.digest == alone.digest);
    CHECK(watched.events == alone.events);
    CHECK(have_equal_records(scratch.file("alone.wtrace"), scratch.file("watched.wtrace")));
    CHECK(model.info()->gates[0].state == GateInfo::State::ok);
    CHECK(model.source()->record_count() == alone.trace_records);
    // What panels are made of is what the file would say.
    auto saved = SavedSource::open(scratch.file("alone.wtrace"));
    REQUIRE(saved.has_value());
    for (const char* const key : {"rtt", "bytes", "snapshot_age"}) {
        const int series = model.info()->find_series(key);
        REQUIRE(series >= 0);
        std::vector<Cell> live(30);
        std::vector<Cell> file(30);
        const Range whole{{0}, model.source()->end()};
        (void)model.source()->cells(static_cast<std::size_t>(series), 2, whole, live,
                                    Detail::exact);
        (void)(*saved)->cells(static_cast<std::size_t>(series), 2, whole, file, Detail::exact);
        for (std::size_t i = 0; i < live.size(); ++i) {
            CHECK(live[i].max == file[i].max);
            CHECK(live[i].sum == file[i].sum);
        }
    }
}

TEST_CASE(
    "of more than 128 bots and no file records of 128 are kept; two workers run the same run") {
    const Scratch scratch;
    const std::string crowd =
        std::string(text).replace(std::string(text).find("count = 4"), 9, "count = 130");
    scratch.write("crowd.toml", crowd);
    const sim::RunResult alone = run_without_viewer(crowd, scratch.file("alone.wtrace"));
    Model model;
    OpenOptions options;
    options.live.speed = 0;
    options.live.workers = 2;
    REQUIRE(open_file(model, scratch.file("crowd.toml"), options).empty());
    watch(model, false);
    CHECK(model.live()->state().result->digest == alone.digest);
    const auto kept = std::count_if(model.info()->peers.begin(), model.info()->peers.end(),
                                    [](const PeerInfo& peer) { return peer.has_records; });
    CHECK(kept == 1 + 128);  // The server's as well.
    CHECK(model.info()->recorded_bots == 128);
    const PeerIndex last = first_bot + 129;
    CHECK(!model.info()->peers[last].has_records);
    std::uint64_t of_last = 0;
    model.source()->each_of_peer(last, 0, [&](std::uint64_t, const trace::Record&) {
        ++of_last;
        return true;
    });
    CHECK(of_last == 0);
    const int rtt = model.info()->find_series("rtt");
    const Range whole{{0}, model.source()->end()};
    CHECK(!model.source()->cell(static_cast<std::size_t>(rtt), last, whole).is_empty());
    CHECK(model.source()->record_count() < alone.trace_records);
}

TEST_CASE("closing the window in the middle harms nothing") {
    const Scratch scratch;
    const sim::RunResult alone = run_without_viewer(text, scratch.file("alone.wtrace"));
    Model model;
    OpenOptions options;
    options.live.trace_path = scratch.file("closed.wtrace");
    options.live.speed = 1;
    REQUIRE(open_file(model, scratch.file("run.toml"), options).empty());
    for (int frame = 0; frame < 20; ++frame) {
        model.refresh();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const sim::RunResult rest = model.live()->wait_for_end();
    CHECK(rest.digest == alone.digest);
    CHECK(rest.exit_code() == 0);
    CHECK(have_equal_records(scratch.file("alone.wtrace"), scratch.file("closed.wtrace")));
}

TEST_CASE("a changed link is an act, and the scenario with it replays what was seen") {
    const Scratch scratch;
    Model model;
    OpenOptions options;
    options.live.trace_path = scratch.file("changed.wtrace");
    options.live.is_running = false;
    options.live.catch_up_to = Instant{1'500'000'000};
    REQUIRE(open_file(model, scratch.file("run.toml"), options).empty());
    for (int i = 0; i < 2'000 && model.live()->state().reached < Instant{1'500'000'000}; ++i) {
        model.refresh();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    CHECK(!model.live()->change_link({"default", "lss = \"10%\""}).empty());
    CHECK(model.live()->changes() == 0);
    REQUIRE(model.live()->change_link({"default", "loss = \"30%\""}) == "");
    CHECK(model.live()->changes() == 1);
    REQUIRE(model.info()->acts.size() == 1);
    CHECK(model.info()->acts[0].range.from == Instant{1'600'000'000});
    model.run(Command::live_fastest);
    model.run(Command::live_run);
    watch(model, false);
    const sim::RunResult& watched = *model.live()->state().result;
    // As a user would: the file that `e` leaves is what repeats the run.
    model.run(Command::export_selection);
    CHECK(model.message().find("run.live.toml") != std::string::npos);
    const std::string file = test::read_all(scratch.file("run.live.toml"));
    CHECK(file == model.live()->text());
    const sim::RunResult replayed = run_without_viewer(file, scratch.file("replayed.wtrace"));
    CHECK(watched.digest == replayed.digest);
    CHECK(have_equal_records(scratch.file("changed.wtrace"), scratch.file("replayed.wtrace")));
    const sim::RunResult unchanged = run_without_viewer(text, scratch.file("unchanged.wtrace"));
    CHECK(!(watched.digest == unchanged.digest));
}

TEST_CASE("a tick is a tick, and a restart begins at nothing with the same seed") {
    const Scratch scratch;
    Model model;
    OpenOptions options;
    options.live.is_running = false;
    options.live.seed = 77;
    REQUIRE(open_file(model, scratch.file("run.toml"), options).empty());
    for (int i = 0; i < 3; ++i)
        model.run(Command::live_step);
    const std::int64_t three = 3 * (1'000'000'000 / 60);
    for (int i = 0; i < 1'000 && model.live()->state().reached.ns < three; ++i) {
        model.refresh();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    CHECK(model.live()->state().reached.ns == three);
    CHECK(model.info()->seed == 77);
    model.run(Command::live_restart);
    model.refresh();
    CHECK(model.info()->seed == 77);
    CHECK(model.live()->state().reached.ns == 0);
}

TEST_CASE("what is wrong with a scenario is told in the reader's words") {
    const Scratch scratch;
    scratch.write("bad.toml", "[scenario]\nphases = [\"a 2s\"]\n[bots.x]\ncuont = 3\n");
    Model model;
    const std::string problem = open_file(model, scratch.file("bad.toml"));
    CHECK(problem.find("cuont") != std::string::npos);
    CHECK(model.source() == nullptr);
}

TEST_CASE("a cell store that is full looks more coarsely and forgets no spike and no sum") {
    CellStore store(2, 1);  // No room at all: 64 rows.
    std::vector<trace::SeriesCell> row(2 * trace::series_count);
    const std::size_t rtt = trace::series_count + static_cast<std::size_t>(trace::Series::rtt);
    const std::size_t bytes =
        trace::series_count + static_cast<std::size_t>(trace::Series::bytes_up);
    for (int i = 0; i < 1'000; ++i) {
        row[rtt] = {50, i == 613 ? 999 : 60};
        row[bytes] = {3, 3};
        store.push(row);
    }
    CHECK(store.rows(0) <= 64);
    std::int64_t sum = 0;
    std::int32_t largest = 0;
    for (std::uint64_t i = 0; i < store.rows(0); ++i) {
        sum += store.at(0, i, 1, static_cast<std::uint32_t>(trace::Series::bytes_up)).max;
        largest = std::max(largest,
                           store.at(0, i, 1, static_cast<std::uint32_t>(trace::Series::rtt)).max);
    }
    CHECK(sum == 3'000);
    CHECK(largest == 999);
    CHECK(store.rows(0) * static_cast<std::uint64_t>(store.row_ns(0)) >= 100'000'000'000);
}
