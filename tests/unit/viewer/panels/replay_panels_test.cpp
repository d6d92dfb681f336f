// SPDX-License-Identifier: MIT
//
// Panels over a trace that holds its messages: the world from above, what a snapshot said in the
// record list and beside its story; and the tick's phases, which every trace has.
#include <doctest/doctest.h>

#include "tests/support/payload_run.hpp"
#include "tests/support/viewer_bench.hpp"

using namespace wt;
using namespace wt::viewer;

namespace {

struct ReplayBench {
    ReplayBench() {
        static const test::PayloadRun run(Instant{2'501'000'000});
        model.open(test::source_of(run.bytes), "");
        screen = std::make_unique<Headless>(model, HeadlessOptions{.size = {1600, 900}});
        screen->driver().settle();
    }
    [[nodiscard]] Driver& hand() { return screen->driver(); }
    [[nodiscard]] std::string text(std::string_view name) {
        const Item* const item = hand().find(name);
        return item != nullptr && item->is_visible() ? item->text : std::string{};
    }

    Model model{};
    std::unique_ptr<Headless> screen{};
};

}  // namespace

TEST_CASE("the world of a saved trace: who sees it, whose truth, how far apart") {
    ReplayBench bench;
    bench.hand().key("4");
    bench.model.select_peer(2);
    REQUIRE(bench.model.go_to("2.5s"));
    bench.hand().settle();
    CHECK(bench.text("world/peer") == "as fighter-1 sees it");
    CHECK(bench.text("world/time") == "0:02.500");
    CHECK(bench.text("world/truth") == "filled: the truth, by snapshots");
    CHECK(bench.text("world/witnesses") == "of 4 clients");
    CHECK(bench.text("world/view").find("in this client's view") != std::string::npos);
    CHECK(bench.text("world/apart").starts_with("apart: p50 "));
    CHECK(bench.text("world/legend/players") == "4 players");
    CHECK(overlapping_labels(bench.hand().items()).empty());
    // Before anybody was in there is nothing to see, and nothing breaks.
    REQUIRE(bench.model.go_to("0s"));
    bench.hand().settle();
    CHECK(bench.text("world/view") == "hollow: 0 in this client's view");
}

TEST_CASE("the record list and the story say what a snapshot said") {
    ReplayBench bench;
    bench.hand().key("2");
    bench.model.records.filter = "deliver && kind == snapshot";
    bench.hand().settle();
    REQUIRE(bench.model.records.count() > 20);
    const std::uint64_t number = bench.model.records.number_at(10);
    bench.model.select_record(number);
    bench.hand().settle();
    const std::string words = bench.text("why/payload");
    CAPTURE(words);
    CHECK(words.find("snapshot tick ") != std::string::npos);
    CHECK(words.find(" m)") != std::string::npos);
    CHECK(overlapping_labels(bench.hand().items()).empty());
}

TEST_CASE("the tick's phases are stacked, and every peer has its strip") {
    ReplayBench bench;
    bench.hand().settle();
    CHECK(bench.text("plots/tick/title").starts_with("work of a tick"));
    CHECK(bench.text("plots/lateness/title") == "lateness against the jitter buffer");
    REQUIRE(bench.model.go_to("2.5s"));
    bench.hand().settle();
    for (const char* const phase : {"open", "gather", "encode", "seal"}) {
        CAPTURE(phase);
        const std::string legend = bench.text(std::string("plots/tick/legend/") + phase);
        CHECK(legend.find_first_of("123456789") != std::string::npos);
    }
    CHECK(bench.hand().find("peers/spark/fighter-0") != nullptr);
}
