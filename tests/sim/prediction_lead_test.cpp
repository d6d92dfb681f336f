// SPDX-License-Identifier: MIT
//
// Goal: a client's inputs come in time with no more lead than the link needs, from any start, at
// any rate, and after a sleep it is right again at once. Method: one client and one server in the
// laboratory; bounds from delays and frames, as each case says.
#include <doctest/doctest.h>

#include "engine/base/rng.hpp"
#include "tests/support/prediction_lab.hpp"

namespace wt::test::prediction_lead_test {
namespace {

constexpr std::int64_t one = prediction::tick_one;

// Evenly between two delays, some lost: its own luck for each message.
Way uneven_way(std::uint64_t seed, Duration least, Duration span, std::uint32_t lost_ppm) {
    const LuckKey key = LuckKey::root(seed);
    return [=](std::uint64_t n, Instant) -> std::optional<Duration> {
        if (uniform_below(key.with("loss").draw(n), 1'000'000) < lost_ppm) return {};
        const std::uint64_t extra =
            uniform_below(key.with("extra").draw(n), static_cast<std::uint64_t>(span.ns) + 1);
        return least + Duration::nanos(static_cast<std::int64_t>(extra));
    };
}

Way home(std::uint64_t seed) {
    return uneven_way(seed, Duration::millis(25), Duration::millis(12), 20'000);
}

struct LeadRange {
    std::int64_t least = INT64_MAX;
    std::int64_t most = INT64_MIN;
};
LeadRange lead_of(const PredictionLab& lab, Instant from) {
    LeadRange range;
    for (const LabFrame& frame : lab.frames) {
        if (frame.at < from) continue;
        range.least = std::min(range.least, frame.lead_q16);
        range.most = std::max(range.most, frame.lead_q16);
    }
    return range;
}

// F35: with no delay at all the lead is a tick or more, no snapshot is newer than what was
// predicted, and nothing is corrected, in any phase of the frames.
TEST_CASE("a link without delay gets at least one tick of lead and no rollback") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        for (const std::int64_t phase_us : {0, 1, 3'000, 7'000}) {
            LabConfig config{.rate = {rate}, .frames = {rate}};
            config.frame_phase = Duration::micros(phase_us);
            PredictionLab lab(config);
            lab.run(Duration::seconds(20));
            CHECK(lead_of(lab, {}).least >= one);
            // One tick to be ahead, one because frames and ticks do not meet.
            CHECK(lead_of(lab, Instant{2'000'000'000}).most <= 2 * one + one / 2);
            CHECK(lab.ahead_of_prediction == 0);
            CHECK(lab.correction_mm.empty());
            CHECK(lab.input_counters().missed == 0);
            CHECK(lab.lead().counters().resyncs == 0);
        }
    }
}

TEST_CASE("F35: a client that wants no lead has less than a tick of it") {
    LabConfig config;
    config.has_no_lead = true;
    PredictionLab lab(config);
    lab.run(Duration::seconds(20));
    CHECK(lead_of(lab, {}).least < one);
}

TEST_CASE("the hook that breaks the client's arithmetic is found, counted and sized") {
    LabConfig config;
    config.broken_by_mm = 3;
    PredictionLab lab(config);
    lab.run(Duration::seconds(5));
    // Each of the 20 snapshots a second; a client is a tick or two ahead of each, and 3 mm a tick
    // since the last one make 9.
    CHECK(lab.correction_mm.size() > 80);
    for (const std::uint32_t size : lab.correction_mm) {
        CHECK(size >= 3);
        CHECK(size <= 9);
    }
}

TEST_CASE("the lead is the way there, a frame and half a tick, whatever the way back") {
    for (const auto& [up, down] : {std::pair{30, 30}, std::pair{100, 20}, std::pair{20, 100}}) {
        LabConfig config;
        config.up = fixed_way(Duration::millis(up));
        config.down = fixed_way(Duration::millis(down));
        PredictionLab lab(config);
        lab.run(Duration::seconds(20));
        const LeadRange lead = lead_of(lab, Instant{5'000'000'000});
        const std::int64_t way = prediction::ticks_in(Duration::millis(up), {60}).q16;
        CHECK(lead.least >= way + one / 2);
        CHECK(lead.most <= way + 2 * one);
        CHECK(lab.correction_mm.empty());
        CHECK(lab.input_counters().missed <= 1);
        CHECK(lab.lead().counters().resyncs == 0);
    }
}

// The chance that an input and both of its repeats are lost is 2 %^3; that all which came were
// late, below one in the 1,200 inputs that the window remembers.
TEST_CASE("on an uneven link with loss inputs are missed at most once in 500") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        LabConfig config{.rate = {rate}, .snapshot_ticks = rate == 128 ? 2u : 3u, .frames = {rate}};
        config.up = home(1);
        config.down = home(2);
        PredictionLab lab(config);
        lab.run(Duration::seconds(120));
        const prediction::InputCounters& inputs = lab.input_counters();
        CHECK(inputs.missed * 500 <= inputs.ticks);
        const LeadRange lead = lead_of(lab, Instant{25'000'000'000});
        // The longest way, two lost messages, a frame and the margin.
        const std::int64_t most = prediction::ticks_in(Duration::millis(37), {rate}).q16 + 4 * one;
        CHECK(lead.most <= most);
        CHECK(lab.lead().counters().resyncs == 0);
        CHECK(lab.lead().counters().skipped == 0);
    }
}

TEST_CASE("the predicted clock runs within its bounds and comes to rest") {
    LabConfig config;
    // The way there grows by 60 ms at 10 s.
    config.up = [](std::uint64_t, Instant sent) -> std::optional<Duration> {
        return Duration::millis(sent < Instant{10'000'000'000} ? 20 : 80);
    };
    config.down = fixed_way(Duration::millis(20));
    PredictionLab lab(config);
    lab.run(Duration::seconds(18));
    std::uint32_t turns = 0;
    std::int64_t before = 0;
    for (const LabFrame& frame : lab.frames) {
        CHECK(frame.dilation_ppm <= 50'000);
        CHECK(frame.dilation_ppm >= -50'000);
        const bool is_slight = frame.dilation_ppm < 1'000 && frame.dilation_ppm > -1'000;
        if (frame.at < Instant{10'000'000'000} || is_slight) continue;
        turns += (frame.dilation_ppm > 0) != (before > 0) && before != 0 ? 1u : 0u;
        before = frame.dilation_ppm;
    }
    CHECK(turns == 0);
    // 3.6 ticks at 5 % take 1.2 s; it is known after the way back.
    CHECK(lead_of(lab, Instant{13'000'000'000}).least >=
          prediction::ticks_in(Duration::millis(80), {60}).q16);
    CHECK(lab.lead().counters().resyncs == 0);
}

// F38: after ten seconds asleep everything is as before at once, and nothing swings.
TEST_CASE("a client that slept is right again at once, without oscillation") {
    constexpr Instant asleep{10'000'000'000};
    constexpr Instant awake{20'000'000'000};
    for (const bool clock_stops : {false, true}) {
        LabConfig config;
        config.up = fixed_way(Duration::millis(30));
        config.down = fixed_way(Duration::millis(30));
        config.is_paused = [=](Instant at) { return at >= asleep && at < awake; };
        if (clock_stops) {
            config.clock = [=](Instant at) {
                if (at < asleep) return at;
                return at < awake ? asleep : at - (awake - asleep);
            };
        }
        PredictionLab lab(config);
        lab.run(Duration::seconds(30));
        const LeadRange before = lead_of(lab, Instant{3'000'000'000});
        std::int64_t settled = 0;
        for (const LabFrame& frame : lab.frames) {
            if (frame.at >= asleep && frame.at < awake + Duration::millis(100)) continue;
            if (frame.at < awake) continue;
            if (settled == 0) settled = frame.lead_q16;
            CHECK(frame.lead_q16 >= before.least - one - one / 2);
            CHECK(frame.lead_q16 <= before.most + one);
            // The shown time neither stands nor runs away.
            CHECK(frame.view_age_q16 <= 12 * one);
            CHECK_FALSE(frame.is_starving);
        }
        // Only the sleep itself was missed, and the way there.
        CHECK(lab.input_counters().missed <= 610);
        CHECK(lab.lead().counters().resyncs <= 1);
        CHECK(lab.jitter().counters().jumps <= 1);
    }
}

TEST_CASE("F38: times that are only ever walked are wrong long after a sleep") {
    constexpr Instant asleep{10'000'000'000};
    constexpr Instant awake{20'000'000'000};
    LabConfig config;
    config.up = fixed_way(Duration::millis(30));
    config.down = fixed_way(Duration::millis(30));
    config.is_paused = [=](Instant at) { return at >= asleep && at < awake; };
    config.clock = [=](Instant at) {
        if (at < asleep) return at;
        return at < awake ? asleep : at - (awake - asleep);
    };
    config.nothing_jumps = true;
    PredictionLab lab(config);
    lab.run(Duration::seconds(30));
    const LeadRange before = lead_of(lab, Instant{3'000'000'000});
    std::uint32_t outside = 0;
    for (const LabFrame& frame : lab.frames) {
        if (frame.at < awake + Duration::millis(100)) continue;
        const bool is_low = frame.lead_q16 < before.least - one - one / 2;
        const bool is_old = frame.view_age_q16 > 12 * one;
        if (is_low || is_old || frame.lead_q16 > before.most + one) ++outside;
    }
    CHECK(outside > 0);
}

// F34: the number of the tick at which one joins plays no part, and nor does the wrap of u32.
TEST_CASE("joining at any tick takes the same time and gives the same game") {
    std::optional<Instant> synchronised;
    std::uint64_t missed = 0;
    for (const std::uint64_t first :
         {std::uint64_t{10}, std::uint64_t{1'000'000}, std::uint64_t{0xffff'ffff - 300},
          std::uint64_t{0x7fff'ffff - 300}}) {
        LabConfig config;
        config.first_tick = first;
        config.up = home(3);
        config.down = home(4);
        PredictionLab lab(config);
        lab.run(Duration::seconds(20));
        REQUIRE(lab.synchronised_at.has_value());
        if (!synchronised.has_value()) {
            synchronised = lab.synchronised_at;
            missed = lab.input_counters().missed;
        }
        CHECK(*lab.synchronised_at == *synchronised);
        CHECK(lab.input_counters().missed == missed);
        CHECK(lab.lead().counters().resyncs == 0);
        // Hello there and back, and the next snapshot after it.
        CHECK(*lab.synchronised_at <= Instant{} + Duration::millis(2 * 37 + 50 + 3 * 17));
    }
}

TEST_CASE("a client of ten frames a second gets its ticks in") {
    LabConfig config;
    config.frames = {10};
    config.up = home(5);
    config.down = home(6);
    PredictionLab lab(config);
    lab.run(Duration::seconds(60));
    // All six ticks of a frame are made at its start, the last due 100 ms later; a lost message
    // costs six ticks, or four where the next one repeats two.
    CHECK(lab.input_counters().missed * 25 <= lab.input_counters().ticks);
    CHECK(lab.lead().counters().resyncs == 0);
    CHECK(lab.lead().counters().skipped == 0);
}

TEST_CASE("a drifting clock stays in step") {
    LabConfig config;
    config.up = fixed_way(Duration::millis(30));
    config.down = fixed_way(Duration::millis(30));
    config.clock = [](Instant at) { return Instant{at.ns + at.ns / 5'000}; };  // 200 ppm fast.
    PredictionLab lab(config);
    lab.run(Duration::seconds(120));
    CHECK(lab.input_counters().missed <= 2);
    CHECK(lab.clock().counters().steps == 0);
    CHECK(lab.lead().counters().resyncs == 0);
    for (const LabFrame& frame : lab.frames) {
        const bool is_close = frame.clock_error_q16 < one && frame.clock_error_q16 > -one;
        CHECK(is_close);
    }
}

}  // namespace
}  // namespace wt::test::prediction_lead_test
