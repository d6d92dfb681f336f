// SPDX-License-Identifier: MIT
//
// Losses: the mean and the burst that were asked for are the ones that happen, over a million
// datagrams (field report T2); both ends are exact (T10); nobody is immune (T4).
#include <doctest/doctest.h>

#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim::loss_test {
namespace {

struct Measured {
    std::int64_t lost = 0;
    std::int64_t runs = 0;
};

Measured measure(const DirectionConfig& config, std::uint32_t count, Duration every,
                 std::uint64_t seed) {
    LinkDirection link = direction_of(config, seed);
    Measured measured;
    bool was_lost = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Fate fate = link.send(Instant{} + every * i, 100, transport::WeatherTag::lane_1);
        const bool is_lost = fate.cause != DropCause::none;
        if (is_lost) ++measured.lost;
        if (is_lost && !was_lost) ++measured.runs;
        was_lost = is_lost;
    }
    return measured;
}

constexpr std::uint32_t million = 1'000'000;

// `value` within `per_mille` of `wanted`.
bool is_near(std::int64_t value, std::int64_t wanted, std::int64_t per_mille) {
    const std::int64_t distance = value > wanted ? value - wanted : wanted - value;
    return distance * 1'000 <= wanted * per_mille;
}

}  // namespace

TEST_CASE("independent losses keep their mean and their runs (T2)") {
    for (const std::uint32_t percent : {1u, 5u, 30u}) {
        DirectionConfig config;
        config.loss = Chance::percent(percent);
        const Measured measured = measure(config, million, Duration::micros(200), 11);
        CAPTURE(percent);
        CHECK(is_near(measured.lost, std::int64_t{percent} * 10'000, 20));
        // The mean run is 1 / (1 - loss).
        CHECK(is_near(measured.lost * (100 - percent), measured.runs * 100, 30));
    }
}

TEST_CASE("bursts in packets keep mean loss and mean burst (T2)") {
    struct Case {
        std::uint32_t percent;
        std::uint64_t milli_packets;
    };
    for (const Case& wanted : {Case{5, 3'000}, Case{20, 1'500}, Case{10, 8'000}}) {
        DirectionConfig config;
        config.loss = Chance::percent(wanted.percent);
        config.burst = {BurstConfig::Unit::packets, wanted.milli_packets, {}};
        const Measured measured = measure(config, million, Duration::micros(200), 5);
        CAPTURE(wanted.percent);
        CAPTURE(measured.lost);
        CAPTURE(measured.runs);
        CHECK(is_near(measured.lost, std::int64_t{wanted.percent} * 10'000, 20));
        CHECK(is_near(measured.lost * 1'000,
                      measured.runs * static_cast<std::int64_t>(wanted.milli_packets), 30));
    }
}

TEST_CASE("bursts in time keep mean loss and mean burst, whatever the traffic (T2)") {
    DirectionConfig config;
    config.loss = Chance::percent(20);
    config.burst = {BurstConfig::Unit::time, 0, Duration::millis(4)};
    // A datagram each d sees runs of share / (share (1 - share) (1 - e^-(d/4ms + d/16ms))): those
    // are the stretches, less the ones that fall between two datagrams. 40.6 for 100 us.
    const Measured dense = measure(config, million, Duration::micros(100), 3);
    CHECK(is_near(dense.lost, 200'000, 20));
    CHECK(is_near(dense.lost * 10, dense.runs * 406, 30));
    // Ten times rarer: the same stretches on the clock, 4.66 datagrams each.
    const Measured sparse = measure(config, million, Duration::millis(1), 3);
    CHECK(is_near(sparse.lost, 200'000, 20));
    CHECK(is_near(sparse.lost * 100, sparse.runs * 466, 30));
}

TEST_CASE("the clock's stretches are the same for dense and for sparse traffic") {
    DirectionConfig config;
    config.loss = Chance::percent(30);
    config.burst = {BurstConfig::Unit::time, 0, Duration::millis(40)};
    LinkDirection dense = direction_of(config);
    LinkDirection sparse = direction_of(config);
    const std::vector<Fate> all = send_many(dense, 20'000, Duration::millis(1));
    const std::vector<Fate> few = send_many(sparse, 2'000, Duration::millis(10));
    std::uint32_t lost = 0;
    for (std::size_t i = 0; i < few.size(); ++i) {
        REQUIRE(few[i].cause == all[i * 10].cause);
        if (few[i].cause == DropCause::loss) ++lost;
    }
    CHECK(lost > 100);
}

TEST_CASE("the bad state takes its share of time and loses with its own cause") {
    DirectionConfig config;
    config.bad = BadStateConfig{.share = Chance::percent(10),
                                .mean = Duration::millis(1),
                                .loss = Chance::percent(50),
                                .extra_delay = Duration::millis(100),
                                .rate = {}};
    LinkDirection link = direction_of(config, 9);
    std::int64_t lost = 0;
    std::int64_t slow = 0;
    for (std::uint32_t i = 0; i < million; ++i) {
        const Instant now = Instant{} + Duration::micros(200) * i;
        const Fate fate = link.send(now, 100, transport::WeatherTag::lane_1);
        if (fate.cause != DropCause::none) {
            REQUIRE(fate.cause == DropCause::bad_state);
            ++lost;
        } else if (fate.arrival[0] - now >= Duration::millis(100)) {
            ++slow;
        }
    }
    CHECK(is_near(lost, 50'000, 20));
    // Order-keeping holds back what comes up to 100 ms after a bad stretch, so at least as many.
    CHECK(slow * 10 >= lost * 9);
    CHECK(link.counters().dropped.of(DropCause::bad_state) == static_cast<std::uint64_t>(lost));
}

TEST_CASE("0 % and 100 % are exact, with and without bursts (T10)") {
    for (const BurstConfig& burst :
         {BurstConfig{}, BurstConfig{BurstConfig::Unit::packets, 3'000, {}},
          BurstConfig{BurstConfig::Unit::time, 0, Duration::millis(40)}}) {
        DirectionConfig config;
        config.burst = burst;
        config.loss = Chance::always();
        CHECK(measure(config, 20'000, Duration::micros(100), 1).lost == 20'000);
        config.loss = Chance::never();
        CHECK(measure(config, 20'000, Duration::micros(100), 1).lost == 0);
    }
    // One unit beside the ends is not the end.
    DirectionConfig config;
    config.loss = Chance{Chance::one - 1};
    CHECK(measure(config, 20'000, Duration::micros(100), 1).lost >= 19'999);
}

TEST_CASE("losses hit every tag and every size, the empty datagram included (T4)") {
    DirectionConfig config;
    config.loss = Chance::percent(50);
    for (unsigned tag = 0; tag < transport::weather_tag_count; ++tag) {
        for (const std::uint32_t bytes : {0u, 1u, 1'232u}) {
            LinkDirection link = direction_of(config);
            std::uint32_t lost = 0;
            for (std::int64_t i = 0; i < 1'000; ++i) {
                const Fate fate =
                    link.send(at_us(i * 1'000), bytes, static_cast<transport::WeatherTag>(tag));
                if (fate.cause == DropCause::loss) ++lost;
            }
            CAPTURE(tag);
            CHECK(lost > 440);
            CHECK(lost < 560);
        }
    }
}

}  // namespace wt::sim::loss_test
