// SPDX-License-Identifier: MIT
//
// The order in which records leave a window: by time, then hosts by number, a host's own ones as
// they happened, in whatever order the hosts were run.
#include "simulator/trace/capture.hpp"
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace {

namespace {

struct Window {
    std::vector<std::uint8_t> bytes{};
    Output output{bytes};
    Writer writer{small_header(), small_about(), output};
    Capture capture{writer, sim::ServerClock{}, DeclaredCosts{}};
    std::vector<Record> out{};

    Window() {
        Listener listener;
        listener.record = [this](const std::uint8_t* stored) {
            out.push_back(Record::load(stored));
        };
        writer.listen(std::move(listener));
    }

    // `number` is found again in the record: message ids are handed through.
    void say(std::uint32_t bot, sim::Way way, std::int64_t at, std::uint16_t number) {
        transport::Sample sample;
        sample.what = transport::Sample::What::transmissions;
        sample.message = number;
        capture.on_sample({.flow = {bot, way}, .at = Instant{at}, .sample = sample});
    }
    [[nodiscard]] std::vector<std::uint16_t> numbers() {
        capture.on_window_end(Instant{1'000 * ms});
        std::vector<std::uint16_t> all;
        for (const Record& record : out)
            all.push_back(record.detail);
        return all;
    }
};

}  // namespace

TEST_CASE("hosts run in any order leave by time, then server first and bots by number") {
    Window window;
    window.say(1, sim::Way::up, 10 * ms, 3);
    window.say(1, sim::Way::up, 10 * ms, 4);
    window.say(1, sim::Way::up, 15 * ms, 6);
    window.say(0, sim::Way::up, 5 * ms, 0);
    window.say(0, sim::Way::up, 10 * ms, 2);
    window.say(1, sim::Way::down, 10 * ms, 1);
    window.say(0, sim::Way::down, 15 * ms, 5);
    CHECK(window.numbers() == std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("a window with more instants than a grid has is in the same order") {
    // The 64th distinct instant is the last that is dealt out by instant, the next is sorted.
    for (const std::uint16_t instants :
         {std::uint16_t{64}, std::uint16_t{65}, std::uint16_t{300}}) {
        Window window;
        for (std::uint16_t i = 0; i < instants; ++i)
            window.say(1, sim::Way::up, i * ms, static_cast<std::uint16_t>(2 * i + 1));
        for (std::uint16_t i = 0; i < instants; ++i)
            window.say(0, sim::Way::up, i * ms, static_cast<std::uint16_t>(2 * i));
        const std::vector<std::uint16_t> numbers = window.numbers();
        REQUIRE(numbers.size() == 2u * instants);
        for (std::uint16_t i = 0; i < 2 * instants; ++i)
            CHECK(numbers[i] == i);
    }
}

}  // namespace wt::trace
