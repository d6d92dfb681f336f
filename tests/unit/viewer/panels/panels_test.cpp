// SPDX-License-Identifier: MIT
//
// What panels show and do, and what they make of traces that are not as they should be.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/viewer_bench.hpp"

using namespace wt;
using namespace wt::viewer;
using test::SyntheticTrace;
using test::ViewerBench;

namespace {

void check_no_overlap(ViewerBench& bench, const std::string& where) {
    const std::vector<std::string> found = overlapping_labels(bench.hand().items());
    CHECK_MESSAGE(found.empty(), where, ": ", found.size(), ", ",
                  found.empty() ? "" : found.front());
}

void visit_everything(ViewerBench& bench, const std::string& where) {
    for (const char* const key : {"1", "2", "3", "4"}) {
        bench.hand().key(key);
        bench.hand().settle();
        check_no_overlap(bench, where + " " + key);
    }
    for (std::size_t i = 0; i < panel_count; ++i) {
        bench.model.layouts.now().places[0] = static_cast<Panel>(i);
        bench.model.layouts.alone = static_cast<Panel>(i);
        bench.hand().settle();
        check_no_overlap(bench, where + " " + name_of(static_cast<Panel>(i)));
    }
    bench.hand().key("n");
    bench.hand().key(".");
    bench.hand().key("z");
    bench.hand().key("?");
    check_no_overlap(bench, where + " help");
    bench.hand().key("Esc");
}

}  // namespace

TEST_CASE("the title, the gates and the cursor's values are read by name") {
    ViewerBench bench;
    CHECK(bench.text("title") == "synthetic.wtrace");
    CHECK(bench.text("title/peers") == "16 peers");
    CHECK(bench.text("title/records") == "10,000 records");
    CHECK(bench.text("gates/verdict") == "1 of 2 failed");
    CHECK(bench.text("gate/fresh").starts_with("FAIL fresh  104 ms"));
    CHECK(bench.text("gate/quick").starts_with("ok"));
    REQUIRE(bench.hand().click("gate/fresh"));
    CHECK(bench.model.cursor() == Instant{5'000'000'000});
    CHECK(bench.model.info()->peers[bench.model.peer()].name == "bot-2");
    bench.hand().settle();
    CHECK(bench.text("plots/rtt/legend/bot-2").find("ms") != std::string::npos);
}

TEST_CASE("a head sorts the table, a row selects its peer, a right click filters by it") {
    ViewerBench bench;
    REQUIRE(bench.hand().click("peers/head/rtt"));
    bench.hand().settle();
    CHECK(bench.model.peers.sort_column == 0);
    const auto& rows = bench.model.peers.rows();
    CHECK(*bench.model.peers.value(rows[0], 0) >= *bench.model.peers.value(rows[15], 0));
    REQUIRE(bench.hand().click("peers/row/bot-7"));
    CHECK(bench.model.info()->peers[bench.model.peer()].name == "bot-7");
    REQUIRE(bench.hand().click("peers/row/bot-7", MouseButton::right));
    bench.hand().settle();
    CHECK(bench.text("peers/count") == "1 of 16");
}

TEST_CASE("the heat map's metric and order are chosen by name") {
    ViewerBench bench;
    REQUIRE(bench.hand().click("heat/metric"));
    REQUIRE(bench.hand().click("heat/metric/rtt"));
    bench.hand().settle();
    CHECK(bench.model.heat.metric == "rtt");
    REQUIRE(bench.hand().click("heat/order"));
    CHECK(bench.model.heat.order == HeatOrder::name);
    REQUIRE(bench.hand().hover("heat", {0.5f, 0.5f}));
}

TEST_CASE("a place's title opens the list of panels") {
    ViewerBench bench;
    REQUIRE(bench.hand().click("place/2"));
    REQUIRE(bench.hand().click("place/2/records"));
    bench.hand().settle();
    CHECK(bench.is_there("records/filter"));
    CHECK(bench.text("place/2") == "Records");
}

TEST_CASE("borders move what lies on both sides") {
    ViewerBench bench;
    const float before = bench.model.layouts.now().top_left;
    const Item* const border = bench.hand().find("splitter/top");
    REQUIRE(border != nullptr);
    // The border is five pixels wide: 40 times its width is 200 pixels.
    REQUIRE(bench.hand().drag("splitter/top", {0.5f, 0.5f}, {40.5f, 0.5f}));
    CHECK(bench.model.layouts.now().top_left > before + 0.08f);
}

TEST_CASE("a record is selected by a click, a value becomes a filter by a right click") {
    ViewerBench bench;
    bench.hand().key("2");
    bench.hand().settle();
    const std::string row = "records/row/" + std::to_string(bench.model.records.number_at(3));
    REQUIRE(bench.hand().click(row, MouseButton::left, {0.02f, 0.5f}));
    CHECK(bench.model.record() == bench.model.records.number_at(3));
    REQUIRE(bench.hand().click(row + "/type", MouseButton::right));
    CHECK(bench.model.records.filter.starts_with("type == "));
    REQUIRE(bench.hand().click("records/one_peer"));
    CHECK(!bench.model.records.only_peer);
}

TEST_CASE("two equal hands leave equal pictures") {
    const auto walk = [](ViewerBench& bench) {
        bench.hand().key("2");
        bench.hand().key("n");
        bench.hand().click("lanes", MouseButton::left, {0.4f, 0.5f});
        bench.hand().settle();
        return bench.screen->draw_hash();
    };
    ViewerBench first;
    const std::uint64_t one = walk(first);
    ViewerBench second;
    CHECK(walk(second) == one);
    second.hand().key("1");
    second.hand().settle();
    CHECK(second.screen->draw_hash() != one);
}

TEST_CASE("nothing overlaps, at any size of window") {
    struct Screen {
        ImVec2 size;
        float scale;
    };
    for (const Screen& screen :
         {Screen{{640, 400}, 1}, Screen{{1000, 700}, 1}, Screen{{1280, 720}, 1},
          Screen{{1600, 900}, 1}, Screen{{1920, 1080}, 1}, Screen{{1920, 1080}, 1.5f},
          Screen{{3840, 2160}, 2}}) {
        ViewerBench bench({}, screen.size, screen.scale);
        visit_everything(bench, std::to_string(static_cast<int>(screen.size.x)) + " x" +
                                    std::to_string(screen.scale));
    }
}

TEST_CASE("a small window draws as many plots as one can read") {
    ViewerBench bench({}, {640, 400});
    bench.model.layouts.alone = Panel::plots;
    bench.hand().settle();
    const Item* const plot = bench.hand().find("plots/rtt");
    REQUIRE(plot != nullptr);
    CHECK(plot->max.y - plot->min.y >= 60);
    CHECK(bench.is_there("plots/queue_age"));
    CHECK(!bench.is_there("plots/corrections"));
}

TEST_CASE("4,096 peers are drawn row by row and never all at once") {
    ViewerBench bench({.bots = 4'096, .records = 20'000, .seconds = 4});
    CHECK(bench.text("title/peers") == "4,096 peers");
    CHECK(bench.model.heat.rows().size() == 241);  // 17 peers a row.
    CHECK(bench.screen->vertices() < 65'000);
    check_no_overlap(bench, "4,096 peers");
}

// A pass over so many peers takes more than one frame, and each frame asks for another view: who is
// served first must not be served alone.
TEST_CASE("with 4,096 peers and a view that never rests every plot has its turn") {
    Model model;
    model.open(test::source_of(SyntheticTrace{.bots = 4'096, .records = 20'000, .seconds = 4}), "");
    Headless screen(model);
    for (std::int64_t frame = 0; frame < 120; ++frame) {
        model.axis.show({{frame % 7 * 1'000'000}, {4'000'000'000}});
        screen.driver().frame();
    }
    for (const char* const key : {"rtt", "snapshot_age"}) {
        const std::vector<std::uint8_t>& has = model.band(key).has;
        CHECK_MESSAGE(std::count(has.begin(), has.end(), 1) > 0, std::string(key));
    }
}

TEST_CASE("an empty trace, one of a single record, one without peers") {
    for (const SyntheticTrace& wanted : {SyntheticTrace{.bots = 4, .records = 0, .seconds = 1},
                                         SyntheticTrace{.bots = 1, .records = 1, .seconds = 1},
                                         SyntheticTrace{.bots = 0, .records = 0, .seconds = 1}}) {
        ViewerBench bench(wanted);
        visit_everything(bench, std::to_string(wanted.bots) + " bots");
        CHECK(bench.is_there("title"));
    }
}

TEST_CASE("a trace that was cut off opens up to there and says so") {
    std::vector<std::uint8_t> bytes =
        test::synthetic_bytes({.bots = 8, .records = 200'000, .seconds = 20});
    bytes.resize(bytes.size() * 2 / 3);
    auto source = test::source_of(bytes);
    REQUIRE(source != nullptr);
    ViewerBench bench;
    bench.model.open(std::move(source), "");
    bench.hand().settle();
    CHECK(!bench.text("title/warning").empty());
    CHECK(bench.model.source()->record_count() > 0);
    visit_everything(bench, "cut");
}

TEST_CASE("flipped bits anywhere: an error or a picture, never a crash") {
    const std::vector<std::uint8_t> good =
        test::synthetic_bytes({.bots = 3, .records = 2'000, .seconds = 2});
    ViewerBench bench;
    std::uint64_t luck = 12'345;
    unsigned opened = 0;
    for (int i = 0; i < 60; ++i) {
        std::vector<std::uint8_t> bytes = good;
        for (int flip = 0; flip < 3; ++flip) {
            luck = luck * 6'364'136'223'846'793'005ull + 1'442'695'040'888'963'407ull;
            bytes[(luck >> 33) % bytes.size()] ^= static_cast<std::uint8_t>(1u << (luck >> 30 & 7));
        }
        auto source = test::source_of(std::move(bytes));
        if (source == nullptr) continue;
        ++opened;
        bench.model.open(std::move(source), "");
        bench.hand().key(i % 2 == 0 ? "1" : "2");
        bench.hand().settle();
    }
    CHECK(opened > 10);
}

TEST_CASE("the empty start offers to open something") {
    Model model;
    Headless screen(model);
    screen.driver().frame(3);
    CHECK(screen.driver().find("start/title") != nullptr);
    CHECK(screen.driver().find("start/box") != nullptr);
}
