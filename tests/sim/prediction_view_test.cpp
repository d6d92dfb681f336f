// SPDX-License-Identifier: MIT
//
// Goal: what a client shows of others moves without freezes on the links of the field reports, and
// the server finds the very pose that was shown (F42). Method: the laboratory of one client.
#include <doctest/doctest.h>

#include <map>

#include "engine/base/rng.hpp"
#include "tests/support/prediction_lab.hpp"

namespace wt::test::prediction_view_test {
namespace {

constexpr Instant warm{3'000'000'000};

// Length of the longest run of frames that show one time, and the share of starving frames.
struct Smoothness {
    Duration longest_freeze{};
    std::uint64_t frames = 0;
    std::uint64_t starving = 0;
    bool went_back = false;
};
Smoothness smoothness_of(const PredictionLab& lab, Frequency frames, Instant from) {
    Smoothness out;
    const LabFrame* before = nullptr;
    std::uint32_t run = 0;
    for (const LabFrame& frame : lab.frames) {
        if (frame.at < from) continue;
        ++out.frames;
        out.starving += frame.is_starving ? 1 : 0;
        if (before != nullptr) {
            out.went_back = out.went_back || frame.shown_q16 < before->shown_q16;
            run = frame.shown_q16 == before->shown_q16 ? run + 1 : 0;
        }
        out.longest_freeze = std::max(out.longest_freeze,
                                      Duration::nanos(run * 1'000'000'000ll / frames.per_second));
        before = &frame;
    }
    return out;
}

// Of each message a tenth waits in the air, and what comes behind it waits too.
Way holding_way(std::uint64_t seed, Duration way, Duration hold) {
    const LuckKey key = LuckKey::root(seed);
    Instant free{};
    return [=](std::uint64_t n, Instant sent) mutable -> std::optional<Duration> {
        const bool is_held = uniform_below(key.draw(n), 10) == 0;
        Instant out = sent + (is_held ? hold : Duration{});
        free = std::max(free, out);
        return free - sent + way;
    };
}

// T6: a tenth of all datagrams held for 50 ms.
TEST_CASE("holds of 50 ms freeze nobody for more than 100 ms") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        LabConfig config;
        config.up = holding_way(seed, Duration::millis(15), Duration::millis(50));
        config.down = holding_way(seed + 100, Duration::millis(15), Duration::millis(50));
        PredictionLab lab(config);
        lab.run(Duration::seconds(60));
        const Smoothness smooth = smoothness_of(lab, config.frames, warm);
        CHECK(smooth.longest_freeze <= Duration::millis(100));
        CHECK(smooth.starving * 200 <= smooth.frames);
        CHECK_FALSE(smooth.went_back);
        CHECK(lab.jitter().counters().jumps == 0);
        CHECK(lab.jitter().counters().outages == 0);
        // Not by hiding behind a huge delay: way, hold, an interval, frames and margin.
        for (const LabFrame& frame : lab.frames) {
            if (frame.at >= warm)
                REQUIRE(frame.view_age_q16 <=
                        prediction::ticks_in(Duration::millis(15 + 50 + 50 + 50), {60}).q16);
        }
    }
}

TEST_CASE("T6: without a buffer the same holds starve more frames than that") {
    LabConfig config;
    config.up = holding_way(1, Duration::millis(15), Duration::millis(50));
    config.down = holding_way(101, Duration::millis(15), Duration::millis(50));
    config.has_no_buffer = true;
    PredictionLab lab(config);
    lab.run(Duration::seconds(60));
    const Smoothness smooth = smoothness_of(lab, config.frames, warm);
    CHECK(smooth.starving * 200 > smooth.frames);
}

TEST_CASE("without jitter the shown time is one interval and little more behind") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        const std::uint32_t interval = rate == 128 ? 2 : 3;
        LabConfig config{.rate = {rate}, .snapshot_ticks = interval, .frames = {rate}};
        config.up = fixed_way(Duration::millis(20));
        config.down = fixed_way(Duration::millis(20));
        PredictionLab lab(config);
        lab.run(Duration::seconds(30));
        const Smoothness smooth = smoothness_of(lab, config.frames, warm);
        CHECK(smooth.starving == 0);
        CHECK(smooth.longest_freeze == Duration{});
        const std::int64_t way = prediction::ticks_in(Duration::millis(20), {rate}).q16;
        // At most one frame until it is seen, and half a tick of margin.
        CHECK(lab.frames.back().view_age_q16 >= way + interval * prediction::tick_one);
        CHECK(lab.frames.back().view_age_q16 <= way + (interval + 2) * prediction::tick_one);
    }
}

TEST_CASE("an outage is extrapolated for 100 ms, shown as it is, and left behind at once") {
    LabConfig config;
    config.up = fixed_way(Duration::millis(20));
    config.down = [](std::uint64_t, Instant sent) -> std::optional<Duration> {
        if (sent >= Instant{10'000'000'000} && sent < Instant{12'000'000'000}) return {};
        return Duration::millis(20);
    };
    PredictionLab lab(config);
    lab.run(Duration::seconds(15));
    std::int64_t newest_before = 0;
    for (const LabFrame& frame : lab.frames) {
        if (frame.at < Instant{10'000'000'000}) continue;
        if (newest_before == 0) newest_before = 598 * prediction::tick_one;
        if (frame.at < Instant{12'000'000'000})
            REQUIRE(frame.shown_q16 <= newest_before + 7 * prediction::tick_one);
        if (frame.at >= Instant{12'100'000'000}) {
            REQUIRE_FALSE(frame.is_starving);
            REQUIRE(frame.view_age_q16 <= 9 * prediction::tick_one);
        }
    }
    CHECK(lab.jitter().counters().outages == 1);
    CHECK(lab.jitter().counters().jumps == 1);
}

// F42: of every shot that the bound lets through the server finds the pose on the screen, to the
// last bit and so within a quantum, however the picture came about: blended over lost snapshots,
// extrapolated, held.
TEST_CASE("rewind finds what was shown, within a quantum") {
    struct Case {
        std::uint32_t rate;
        std::uint32_t interval;
        std::uint32_t lost_percent;
    };
    for (const Case& c : {Case{60, 3, 0}, Case{60, 3, 15}, Case{30, 3, 5}, Case{128, 2, 15}}) {
        LabConfig config{.rate = {c.rate}, .snapshot_ticks = c.interval, .frames = {c.rate}};
        config.first_tick = 0xffff'ff00;
        config.up = fixed_way(Duration::millis(25));
        config.down = [&c](std::uint64_t n, Instant) -> std::optional<Duration> {
            const std::uint64_t draw = LuckKey::root(7).draw(n);
            if (uniform_below(draw, 100) < c.lost_percent) return {};
            return Duration::micros(20'000 + static_cast<std::int64_t>(draw % 20'000));
        };
        PredictionLab lab(config);
        lab.run(Duration::seconds(60));
        std::map<Tick, const PredictionLab::Shot*> shots;
        for (const PredictionLab::Shot& shot : lab.shots)
            shots[shot.tick] = &shot;
        std::uint32_t compared = 0;
        for (const PredictionLab::RebuiltShot& rebuilt : lab.rebuilt) {
            if (rebuilt.status != prediction::RewindStatus::ok) continue;
            const auto shot = shots.find(rebuilt.tick);
            REQUIRE(shot != shots.end());
            ++compared;
            CHECK(rebuilt.pose == shot->second->seen);
        }
        // The rest lay beyond the bound of 400 ms.
        CHECK(compared * 3 >= lab.shots.size() * 2);
        CHECK(lab.poses().counters().implausible * 50 <= lab.shots.size());
    }
}

TEST_CASE("F42: poses kept under the wrong tick are another picture than the one on the screen") {
    LabConfig config;
    config.up = fixed_way(Duration::millis(25));
    config.down = fixed_way(Duration::millis(25));
    config.poses_are_late = true;
    PredictionLab lab(config);
    lab.run(Duration::seconds(20));
    std::map<Tick, const PredictionLab::Shot*> shots;
    for (const PredictionLab::Shot& shot : lab.shots)
        shots[shot.tick] = &shot;
    std::uint32_t wrong = 0;
    std::uint32_t compared = 0;
    for (const PredictionLab::RebuiltShot& rebuilt : lab.rebuilt) {
        if (rebuilt.status != prediction::RewindStatus::ok) continue;
        ++compared;
        if (!(rebuilt.pose == shots.at(rebuilt.tick)->seen)) ++wrong;
    }
    CHECK(compared > 30);
    CHECK(wrong * 2 > compared);
}

TEST_CASE("a view beyond the bound is rebuilt at the bound") {
    LabConfig config;
    config.up = fixed_way(Duration::millis(25));
    config.down = fixed_way(Duration::millis(150));
    config.rewind_max = Duration::millis(150);
    PredictionLab lab(config);
    lab.run(Duration::seconds(10));
    REQUIRE(lab.rebuilt.size() > 30);
    for (const PredictionLab::RebuiltShot& rebuilt : lab.rebuilt)
        CHECK(rebuilt.status == prediction::RewindStatus::clamped);
    CHECK(lab.poses().counters().clamped == lab.rebuilt.size());
}

}  // namespace
}  // namespace wt::test::prediction_view_test
