// SPDX-License-Identifier: MIT
//
// Every key of the key map and everything the pointer does, each through ImGui as a person would.
#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/viewer_bench.hpp"
#include "viewer/model/live_source.hpp"
#include "viewer/model/open.hpp"

using namespace wt;
using namespace wt::viewer;
using test::ViewerBench;

TEST_CASE("W S A D and the wheel: closer, farther, earlier, later") {
    ViewerBench bench;
    Model& model = bench.model;
    model.set_cursor({5'000'000'000});
    const Duration whole = model.axis.view().length();
    bench.hand().key("w");
    CHECK(model.axis.view().length() < whole);
    bench.hand().key("W");
    const Range closer = model.axis.view();
    bench.hand().key("d");
    CHECK(model.axis.view().from > closer.from);
    bench.hand().key("A");
    CHECK(model.axis.view().from <= closer.from + Duration::millis(1));
    bench.hand().key("s");
    CHECK(model.axis.view().length() > closer.length());
    bench.hand().key("r");
    CHECK(model.axis.shows_all());
    REQUIRE(bench.hand().wheel("heat", {0.25f, 0.5f}, 3));
    CHECK(model.axis.view().length() < whole);
    // What was under the pointer still is: a quarter of the way.
    CHECK(model.axis.fraction_of({2'500'000'000}) == doctest::Approx(0.25).epsilon(0.02));
}

TEST_CASE("left drag selects, z zooms there, Esc lets go, right drag pans, middle drag zooms") {
    ViewerBench bench;
    Model& model = bench.model;
    REQUIRE(bench.hand().drag("plots/rtt", {0.2f, 0.5f}, {0.6f, 0.5f}));
    REQUIRE(model.selected().has_value());
    CHECK(model.selected()->from.ns == doctest::Approx(2e9).epsilon(0.02));
    CHECK(model.selected()->to.ns == doctest::Approx(6e9).epsilon(0.02));
    const Range selected = *model.selected();
    bench.hand().key("z");
    CHECK(model.axis.view() == selected);
    bench.hand().key("Esc");
    CHECK(!model.selected().has_value());
    const Range before = model.axis.view();
    REQUIRE(bench.hand().drag("heat", {0.5f, 0.5f}, {0.75f, 0.5f}, MouseButton::right));
    CHECK(model.axis.view().from < before.from);
    CHECK(model.axis.view().length() == before.length());
    bench.hand().key("r");
    REQUIRE(bench.hand().drag("heat", {0.4f, 0.5f}, {0.5f, 0.5f}, MouseButton::middle));
    CHECK(model.axis.view().length().ns == doctest::Approx(1e9).epsilon(0.05));
    CHECK(!model.selected().has_value());
}

TEST_CASE("a click puts the cursor, in the heat map also the peer") {
    ViewerBench bench;
    Model& model = bench.model;
    REQUIRE(bench.hand().click("plots/rtt", MouseButton::left, {0.3f, 0.5f}));
    CHECK(model.cursor().ns == doctest::Approx(3e9).epsilon(0.02));
    REQUIRE(bench.hand().click("heat", MouseButton::left, {0.7f, 0.01f}));
    CHECK(model.cursor().ns == doctest::Approx(7e9).epsilon(0.02));
    CHECK(model.peer() == model.heat.rows()[0].peers.front());
    REQUIRE(bench.hand().click("overview", MouseButton::left, {0.5f, 0.3f}));
    CHECK(model.cursor().ns == doctest::Approx(5e9).epsilon(0.02));
}

TEST_CASE("arrows move by a tick, with Shift by a second") {
    ViewerBench bench;
    Model& model = bench.model;
    model.set_cursor({4'000'000'000});
    bench.hand().key("Right");
    CHECK(model.cursor().ns - 4'000'000'000 == model.info()->tick_ns);
    bench.hand().key("Left");
    CHECK(model.cursor().ns == 4'000'000'000);
    bench.hand().key("Shift+Right");
    CHECK(model.cursor().ns == 5'000'000'000);
    bench.hand().key("Shift+Left");
    CHECK(model.cursor().ns == 4'000'000'000);
}

TEST_CASE("brackets change the peer, p pins it, point and comma its records") {
    ViewerBench bench;
    Model& model = bench.model;
    const PeerIndex first = model.peer();
    bench.hand().key("]");
    CHECK(model.peer() == first + 1);
    bench.hand().key("[");
    CHECK(model.peer() == first);
    bench.hand().key("p");
    CHECK(model.pinned().size() == 1);
    bench.hand().key("]");
    CHECK(model.plotted_peers().size() == 2);
    CHECK(bench.is_there("plots/rtt/legend/bot-1"));
    bench.hand().key("[");
    bench.hand().key("p");
    CHECK(model.pinned().empty());
    bench.hand().key(".");
    const std::uint64_t record = model.record();
    REQUIRE(record != no_record);
    bench.hand().key(".");
    CHECK(model.record() > record);
    bench.hand().key(",");
    CHECK(model.record() == record);
}

TEST_CASE("n and N go from anomaly to anomaly") {
    ViewerBench bench;
    bench.hand().key("n");
    const Instant first = bench.model.cursor();
    CHECK(first > Instant{});
    bench.hand().key("n");
    CHECK(bench.model.cursor() > first);
    bench.hand().key("N");
    CHECK(bench.model.cursor() == first);
    CHECK(bench.text("status").find("loss burst") != std::string::npos);
    REQUIRE(bench.hand().click("anomalies/row/3"));
    CHECK(bench.model.cursor() == bench.model.source()->anomalies()[3].at);
    REQUIRE(bench.hand().click("anomalies/kind/loss burst"));
    CHECK(bench.is_there("anomalies/none"));
}

TEST_CASE("f centres and then fits, F follows, Space holds") {
    ViewerBench bench;
    Model& model = bench.model;
    model.axis.show({{1'000'000'000}, {2'000'000'000}});
    model.set_cursor({8'000'000'000});
    bench.hand().key("f");
    CHECK(model.axis.fraction_of(model.cursor()) == doctest::Approx(0.5).epsilon(0.01));
    bench.hand().key("f");
    CHECK(model.axis.shows_all());
    bench.hand().key("F");
    CHECK(model.axis.follows());
    bench.hand().key("F");
    CHECK(!model.axis.follows());
    bench.hand().key("Space");
    CHECK(model.is_held());
    CHECK(bench.text("status/state").find("held") != std::string::npos);
    bench.hand().key("Space");
    CHECK(!model.is_held());
}

TEST_CASE("1 to 4 change the layout, and each shows its panels") {
    ViewerBench bench;
    const std::set<std::string> wanted[] = {{"heat", "plots/rtt", "peers/filter"},
                                            {"lanes", "ladder", "records/filter"},
                                            {"range/histogram", "records/filter"},
                                            {"lanes", "peers/filter"}};
    for (int i = 0; i < 4; ++i) {
        bench.hand().key(std::string(1, static_cast<char>('1' + i)));
        bench.hand().settle();
        CHECK(bench.model.layouts.chosen() == static_cast<std::size_t>(i));
        for (const std::string& name : wanted[i])
            CHECK_MESSAGE(bench.is_there(name), name, " in layout ", i + 1);
    }
}

TEST_CASE("slash takes the keyboard to the filter, and keys are letters there") {
    ViewerBench bench;
    bench.hand().key("/");
    bench.hand().type("bot-1n");
    CHECK(bench.model.peers.filter == "bot-1n");
    CHECK(bench.model.cursor() == Instant{});  // n did not go to an anomaly.
    bench.hand().key("Backspace");
    bench.hand().frame(2);
    CHECK(bench.model.peers.filter == "bot-1");
    bench.hand().settle();
    CHECK(bench.text("peers/count") == "7 of 16");
    bench.hand().key("Esc");
}

TEST_CASE("the palette finds a command by some of its letters and runs it") {
    ViewerBench bench;
    bench.hand().key(":");
    REQUIRE(bench.is_there("palette/box"));
    bench.hand().type("lay 3");
    CHECK(bench.is_there("palette/layout-3"));
    CHECK(!bench.is_there("palette/zoom-in"));
    bench.hand().key("Enter");
    CHECK(bench.model.layouts.chosen() == 2);
    CHECK(bench.model.overlay == Overlay::none);
    bench.hand().key(":");
    bench.hand().key("Down");
    bench.hand().key("Enter");  // The second one: from farther away.
    CHECK(bench.model.overlay == Overlay::none);
    bench.hand().key(":");
    bench.hand().type("layout");
    REQUIRE(bench.hand().click("palette/layout-2"));
    CHECK(bench.model.layouts.chosen() == 1);
}

TEST_CASE("g goes to a time, a tick or a record, and says what it did not understand") {
    ViewerBench bench;
    const auto go = [&](const char* place) {
        bench.hand().key("g");
        bench.hand().type(place);
        bench.hand().key("Enter");
    };
    go("0:02.5");
    CHECK(bench.model.cursor() == Instant{2'500'000'000});
    go("tick:60");
    CHECK(bench.model.cursor().ns == 60 * bench.model.info()->tick_ns);
    go("record:41");
    CHECK(bench.model.record() == 41);
    go("nonsense");
    CHECK(bench.model.overlay == Overlay::go_to);
    CHECK(bench.model.message().find("nonsense") != std::string::npos);
    bench.hand().key("Esc");
    CHECK(bench.model.overlay == Overlay::none);
}

TEST_CASE("m marks, the apostrophe lists, a click returns there") {
    ViewerBench bench;
    bench.model.set_cursor({7'000'000'000});
    bench.hand().key("m");
    bench.model.set_cursor({1'000'000'000});
    bench.hand().key("'");
    REQUIRE(bench.is_there("marks/row/0"));
    REQUIRE(bench.hand().click("marks/row/0"));
    CHECK(bench.model.cursor().ns == 7'000'000'000);
    CHECK(bench.model.overlay == Overlay::none);
}

TEST_CASE("the key help names every key there is, and ? closes it again") {
    ViewerBench bench;
    bench.hand().key("?");
    for (const CommandInfo& command : command_table()) {
        if (command.keys[0] == '\0') continue;
        CHECK_MESSAGE(bench.is_there(std::string("help/") + command.name), command.name);
    }
    for (const PointerHelp& pointer : pointer_table())
        CHECK(bench.is_there(std::string("help/pointer/") + pointer.gesture));
    bench.hand().key("?");
    CHECK(!bench.is_there("help/title"));
}

TEST_CASE("e exports the selected range, filtered, as CSV") {
    ViewerBench bench;
    const test::ScratchFolder folder;
    const std::string path = folder.file("range.csv");
    bench.model.export_path = path;
    bench.model.select_range(Range{{2'000'000'000}, {3'000'000'000}});
    bench.model.records.filter = "type == drop";
    // By hand: the drops of that second.
    std::size_t drops = 0;
    for (std::uint64_t n = 0; n < bench.model.source()->record_count(); ++n) {
        const trace::Record record = bench.model.source()->record(n);
        const bool is_drop = record.type == static_cast<std::uint8_t>(trace::Type::drop);
        drops += is_drop && record.time >= 2'000'000'000 && record.time < 3'000'000'000;
    }
    REQUIRE(drops > 0);
    bench.hand().key("e");
    CHECK(bench.model.message().starts_with(std::to_string(drops) + " records in "));
    std::ifstream file(path);
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);)
        ++lines;
    CHECK(lines == drops + 1);
}

TEST_CASE("c puts a second trace beside this one; x and X go from difference to difference") {
    ViewerBench bench;
    bench.hand().key("c");
    REQUIRE(bench.is_there("start/box"));
    bench.hand().type("/nowhere.wtrace");
    bench.hand().key("Enter");
    CHECK(bench.is_there("start/problem"));
    bench.hand().key("Esc");
    bench.hand().key("x");
    CHECK(bench.model.message() == "no second trace: c opens one");
    bench.model.compare(test::source_of(test::synthetic_bytes({.differs_from = 6'001})));
    bench.hand().settle();
    CHECK(bench.text("compare/verdict").starts_with("identical up to record 6,001"));
    // Two causes that both have, above the rows.
    CHECK(bench.text("compare/cause/0").starts_with("before it, in both, of "));
    CHECK(bench.text("compare/cause/1") == "seed, scenario and settings are the same in both");
    const std::size_t first = bench.model.comparison()->row();
    CHECK(bench.text("compare/row/" + std::to_string(first)) == "differs");
    bench.hand().key("x");
    const std::size_t second = bench.model.comparison()->row();
    CHECK(second > first);
    bench.hand().key("X");
    CHECK(bench.model.comparison()->row() == first);
    CHECK(overlapping_labels(bench.hand().items()).empty());
}

namespace {

// A minute of two fighters.
std::string write_run(const test::ScratchFolder& folder) {
    return folder.write("run.toml",
                        "[scenario]\nphases = [\"play 60s\"]\n[links.default]\n"
                        "profile = \"home-broadband\"\n[bots.fighter]\ncount = 2\n");
}

}  // namespace

TEST_CASE("R t + - * and L: a run that goes on, by its keys") {
    const test::ScratchFolder folder;
    const std::string path = write_run(folder);
    Model model;
    OpenOptions options;
    options.live.is_running = false;
    REQUIRE(open_file(model, path, options) == "");
    Headless screen(model);
    Driver& hand = screen.driver();
    hand.settle();
    REQUIRE(hand.find("live/state") != nullptr);
    CHECK(hand.find("live/state")->text == "held");
    hand.key("+");
    CHECK(model.live()->state().speed == doctest::Approx(2));
    hand.key("-");
    hand.key("-");
    CHECK(model.live()->state().speed == doctest::Approx(0.5));
    hand.key("*");
    CHECK(hand.find("live/speed")->text == "as fast as it goes");
    hand.key("t");
    for (int i = 0; i < 2'000 && model.live()->state().reached == Instant{}; ++i)
        hand.frame();
    CHECK(model.live()->state().reached.ns == model.info()->tick_ns);
    hand.key("L");
    REQUIRE(hand.find("link/box") != nullptr);
    hand.type("loss = 10%");
    hand.key("Enter");
    CHECK(model.live()->changes() == 0);  // A quantity stands in quotes.
    CHECK(!model.message().empty());
    CHECK(model.overlay == Overlay::change_link);
    REQUIRE(hand.click("link/example/as if cut"));
    CHECK(model.typed == "loss = \"100%\"");
    hand.key("Esc");
    hand.key("4");
    hand.frame(4);
    CHECK(hand.find("world/peer") != nullptr);
    hand.key("R");
    CHECK(model.live()->state().is_running);
    hand.key("R");
    CHECK(!model.live()->state().is_running);
    CHECK(overlapping_labels(hand.items()).empty());
}

TEST_CASE("o offers to open something else, and Esc leaves the trace as it was") {
    ViewerBench bench;
    const Source* const before = bench.model.source();
    bench.hand().key("o");
    CHECK(bench.model.overlay == Overlay::start);
    REQUIRE(bench.is_there("start/box"));
    bench.hand().type("/nowhere.wtrace");
    bench.hand().key("Enter");
    CHECK(bench.is_there("start/problem"));
    CHECK(bench.model.source() == before);
    bench.hand().key("Esc");
    CHECK(bench.model.overlay == Overlay::none);
    CHECK(bench.model.source() == before);
    const test::ScratchFolder folder;
    const std::string path = folder.file("other.wtrace");
    {
        trace::Output output(path);
        REQUIRE(test::write_synthetic({.bots = 3, .records = 900}, output));
    }
    bench.hand().key("o");
    bench.hand().type(path);
    bench.hand().key("Enter");
    bench.hand().settle();
    CHECK(bench.model.overlay == Overlay::none);
    CHECK(bench.model.info()->bot_count() == 3);
}

TEST_CASE("T begins a live run anew, with the same seed; a saved trace has nothing to begin") {
    const test::ScratchFolder folder;
    const std::string path = write_run(folder);
    Model model;
    OpenOptions options;
    options.live.is_running = false;
    options.live.seed = 5;
    REQUIRE(open_file(model, path, options) == "");
    Headless screen(model);
    Driver& hand = screen.driver();
    hand.key("t");
    for (int i = 0; i < 2'000 && model.live()->state().reached == Instant{}; ++i)
        hand.frame();
    REQUIRE(model.live()->state().reached.ns == model.info()->tick_ns);
    hand.key("T");
    for (int i = 0; i < 2'000 && model.live()->state().reached != Instant{}; ++i)
        hand.frame();
    CHECK(model.live()->state().reached == Instant{});
    CHECK(model.info()->seed == 5);
    ViewerBench saved;
    saved.model.set_cursor({2'000'000'000});
    saved.hand().key("T");
    CHECK(saved.model.cursor().ns == 2'000'000'000);
}

TEST_CASE("keys that are not for a saved trace do nothing and break nothing") {
    ViewerBench bench;
    bench.model.export_path = "/dev/null";
    for (const KeyBinding& binding : key_table()) {
        bench.hand().key(binding.key);
        bench.hand().key("Esc");
        bench.hand().key("Esc");
    }
    CHECK(bench.model.source() != nullptr);
}
