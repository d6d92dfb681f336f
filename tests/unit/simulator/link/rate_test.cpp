// SPDX-License-Identifier: MIT
//
// Limited rates and their queues: exact times, exact limits (field report T11).
#include <doctest/doctest.h>

#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim {
namespace {

// 8 Mbit/s is one byte a microsecond; 972 B of payload take 1 ms with their headers.
DirectionConfig byte_a_microsecond(QueueConfig queue) {
    DirectionConfig config;
    config.rate = {8'000'000};
    config.queue = queue;
    return config;
}

Fate send(LinkDirection& link, std::int64_t us, std::uint32_t bytes = 972) {
    return link.send(at_us(us), bytes, transport::WeatherTag::lane_0);
}

}  // namespace

TEST_CASE("datagrams leave one after another and wait for each other") {
    LinkDirection link =
        direction_of(byte_a_microsecond({QueueConfig::Unit::time, 0, 0, Duration::millis(100)}));
    CHECK(send(link, 0).arrival[0] == at_us(1'000));
    const Fate second = send(link, 0);
    CHECK(second.arrival[0] == at_us(2'000));
    CHECK(second.queue_wait == Duration::millis(1));
    CHECK(send(link, 1'500).arrival[0] == at_us(3'000));
    CHECK(send(link, 10'000).arrival[0] == at_us(11'000));
    // The empty datagram has its headers.
    CHECK(send(link, 20'000, 0).arrival[0] == at_us(20'028));
}

TEST_CASE("carried remainders: three million bits take exactly as long as they are") {
    DirectionConfig config;
    config.rate = {7'000'000};  // 1,000 bytes take 1,142,857.14.. ns
    config.queue = {QueueConfig::Unit::time, 0, 0, Duration::seconds(100)};
    LinkDirection link = direction_of(config);
    Instant last{};
    for (int i = 0; i < 7'000; ++i)
        last = send(link, 0).arrival[0];
    CHECK(last == Instant{} + Duration::seconds(8));
}

TEST_CASE("a queue in packets holds exactly so many, the leaving one included (T11)") {
    LinkDirection link = direction_of(byte_a_microsecond({QueueConfig::Unit::packets, 0, 3, {}}));
    CHECK(send(link, 0).cause == DropCause::none);
    CHECK(send(link, 0).cause == DropCause::none);
    CHECK(send(link, 0).cause == DropCause::none);
    CHECK(send(link, 0).cause == DropCause::queue);
    CHECK(send(link, 999).cause == DropCause::queue);
    CHECK(send(link, 1'000).cause == DropCause::none);
    CHECK(send(link, 1'000).cause == DropCause::queue);
    CHECK(link.counters().dropped.of(DropCause::queue) == 3);
    CHECK(link.counters().sent == 7);
}

TEST_CASE("a queue in bytes holds exactly so many (T11)") {
    LinkDirection link = direction_of(byte_a_microsecond({QueueConfig::Unit::bytes, 2'000, 0, {}}));
    CHECK(send(link, 0).cause == DropCause::none);
    CHECK(send(link, 0, 973).cause == DropCause::queue);
    CHECK(send(link, 0, 972).cause == DropCause::none);
    CHECK(send(link, 0, 0).cause == DropCause::queue);
    CHECK(send(link, 1'000, 972).cause == DropCause::none);
}

TEST_CASE("a queue in time lets wait exactly so long (T11)") {
    LinkDirection link =
        direction_of(byte_a_microsecond({QueueConfig::Unit::time, 0, 0, Duration::millis(2)}));
    CHECK(send(link, 0).queue_wait == Duration::millis(0));
    CHECK(send(link, 0).queue_wait == Duration::millis(1));
    CHECK(send(link, 0).queue_wait == Duration::millis(2));
    CHECK(send(link, 0).cause == DropCause::queue);
    CHECK(send(link, 999).cause == DropCause::queue);
    CHECK(send(link, 1'000).queue_wait == Duration::millis(2));
}

TEST_CASE("a change of rate applies to the bits that have not left yet") {
    DirectionConfig fast =
        byte_a_microsecond({QueueConfig::Unit::time, 0, 0, Duration::seconds(9)});
    DirectionConfig slow = fast;
    slow.rate = {4'000'000};
    LinkDirection link(LuckKey::root(1), {{at_us(0), compile(fast)}, {at_us(500), compile(slow)}});
    // Half of the first datagram at full rate, the rest and the second at half of it.
    CHECK(send(link, 0).arrival[0] == at_us(1'500));
    CHECK(send(link, 0).arrival[0] == at_us(3'500));
    CHECK(send(link, 600).arrival[0] == at_us(5'500));
}

TEST_CASE("a limit that ends lets the queue go at once, in order") {
    DirectionConfig limited =
        byte_a_microsecond({QueueConfig::Unit::time, 0, 0, Duration::seconds(9)});
    LinkDirection link(LuckKey::root(1),
                       {{at_us(0), compile(limited)}, {at_us(1'500), compile(DirectionConfig{})}});
    CHECK(send(link, 0).arrival[0] == at_us(1'000));
    CHECK(send(link, 0).arrival[0] == at_us(1'500));
    CHECK(send(link, 0).arrival[0] == at_us(1'500));
    CHECK(send(link, 1'600).arrival[0] == at_us(1'600));
}

TEST_CASE("the bad state's rate slows the queue down, and no bit is lost or gained") {
    DirectionConfig config =
        byte_a_microsecond({QueueConfig::Unit::time, 0, 0, Duration::seconds(1'000)});
    config.bad = BadStateConfig{.share = Chance::percent(50),
                                .mean = Duration::millis(20),
                                .loss = Chance::never(),
                                .extra_delay = {},
                                .rate = {800'000}};
    LinkDirection link = direction_of(config);
    Instant last{};
    for (int i = 0; i < 20'000; ++i)
        last = send(link, 0).arrival[0];
    // 20 MB: half of the time at 1 B/us, half at 0.1 B/us, so 0.55 B/us: 36.4 s. About 900
    // stretches of each kind give a few per cent.
    CHECK(last > Instant{} + Duration::millis(34'000));
    CHECK(last < Instant{} + Duration::millis(39'000));
}

}  // namespace wt::sim
