// SPDX-License-Identifier: MIT
//
// Queues under load: what each discipline does to a standing queue, and what the traffic of others
// does to ours. Bounds come from queueing theory; their arithmetic stands beside them.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim::shared_queue_test {
namespace {

constexpr transport::WeatherTag tag = transport::WeatherTag::lane_1;
constexpr std::int64_t ms = 1'000'000;

DirectionConfig narrow(std::uint64_t queue_bytes, Discipline discipline = Discipline::droptail) {
    DirectionConfig config;
    config.rate = {1'000'000};
    config.queue = {QueueConfig::Unit::bytes, queue_bytes, 0, {}};
    config.discipline = discipline;
    return config;
}

struct Load {
    std::vector<std::int64_t> waits{};  // ns, of what got through.
    std::size_t dropped_early = 0;
    std::size_t dropped_full = 0;

    [[nodiscard]] std::int64_t mean() const {
        return std::accumulate(waits.begin(), waits.end(), std::int64_t{0}) /
               std::max<std::int64_t>(static_cast<std::int64_t>(waits.size()), 1);
    }
    [[nodiscard]] std::int64_t longest() const {
        return *std::max_element(waits.begin(), waits.end());
    }
};

// `count` datagrams of 1,000 B (8 ms each at 1 Mbit/s), one each `every`.
Load loaded(const DirectionConfig& config, std::int64_t count, Duration every) {
    LinkDirection link = direction_of(config);
    Load load;
    for (std::int64_t i = 0; i < count; ++i) {
        const Fate fate = link.send(Instant{} + every * i, 1'000 - header_bytes, tag);
        if (fate.cause == DropCause::none) load.waits.push_back(fate.queue_wait.ns);
        if (fate.cause == DropCause::aqm) ++load.dropped_early;
        if (fate.cause == DropCause::queue) ++load.dropped_full;
    }
    return load;
}

// Waits of `count` small probes, one each 50 ms, from `from` on.
std::vector<std::int64_t> probed(const DirectionConfig& config, std::int64_t count,
                                 Instant from = {}) {
    LinkDirection link = direction_of(config);
    std::vector<std::int64_t> waits;
    for (std::int64_t i = 0; i < count; ++i) {
        const Fate fate = link.send(from + Duration::millis(50) * i, 0, tag);
        if (fate.cause == DropCause::none) waits.push_back(fate.queue_wait.ns);
    }
    return waits;
}

std::int64_t mean_of(const std::vector<std::int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{0}) /
           static_cast<std::int64_t>(values.size());
}

CrossConfig flow(CrossKind kind, std::uint64_t rate) {
    CrossConfig cross;
    cross.name = "others";
    cross.kind = kind;
    cross.rate = {rate};
    cross.packet = 1'200;  // 1,228 B on the wire: 9.824 ms at 1 Mbit/s.
    return cross;
}

}  // namespace

TEST_CASE("integer square roots") {
    for (std::uint64_t root = 0; root < 3'000; ++root) {
        CHECK(integer_sqrt(root * root) == root);
        if (root > 0) CHECK(integer_sqrt(root * root - 1) == root - 1);
    }
    CHECK(integer_sqrt(~std::uint64_t{0}) == 0xffff'ffff);
}

TEST_CASE(
    "25 % too much, 60 s of it: droptail stands at its limit, the others do not let it stand") {
    const Duration every = Duration::micros(6'400);
    constexpr std::int64_t count = 9'375;
    // 200,000 B are 1.6 s. The queue grows by 0.25 s a second of offered load until it is full.
    const Load droptail = loaded(narrow(200'000), count, every);
    CHECK(droptail.longest() > 1'500 * ms);
    CHECK(droptail.dropped_early == 0);
    // CoDel: 156 datagrams a second, of which 31 are too many. The n-th drop comes 100 ms / sqrt(n)
    // after the one before it, so 31 a second are reached at n = 10, 0.1 * sum(1 / sqrt(n)) = 0.5 s
    // after the first; the queue is then 0.25 * (0.1 + 0.5) s long and falls.
    const Load codel = loaded(narrow(200'000, Discipline::codel), count, every);
    CHECK(codel.longest() < 200 * ms);
    CHECK(codel.mean() < 60 * ms);
    CHECK(codel.dropped_full == 0);
    CHECK(codel.dropped_early > 31 * 55);
    // PIE: nothing is dropped for 150 ms; its chance must then rise to 20 %, at most 2 % each 15 ms
    // once it is at 10 %. It aims at 15 ms.
    const Load pie = loaded(narrow(200'000, Discipline::pie), count, every);
    CHECK(pie.longest() < 400 * ms);
    CHECK(pie.mean() < 60 * ms);
    CHECK(pie.dropped_full == 0);
    // RED: 20 % are dropped where the average lies above 75 % of the limit (10 % there), 20,000 B
    // of 16 KB: 0.128 s and up; its average follows slowly, so the beginning is left out.
    Load red = loaded(narrow(20'000, Discipline::red), count, every);
    red.waits.erase(red.waits.begin(), red.waits.begin() + 4'000);
    CHECK(red.mean() > 20'000 / 4 * 8 * 1'000);
    CHECK(red.mean() < 20'000 * 8 * 1'000);
    CHECK(red.dropped_early > red.dropped_full);
}

TEST_CASE("what a link can carry no discipline touches") {
    for (const Discipline discipline : {Discipline::codel, Discipline::red, Discipline::pie}) {
        const Load load = loaded(narrow(50'000, discipline), 5'000, Duration::millis(16));
        CHECK(load.dropped_early == 0);
        CHECK(load.longest() == 0);
    }
}

TEST_CASE("CoDel lets a burst pass that is over within its interval") {
    // Ten at once each second: the last waits 72 ms, and the queue is empty 80 ms after the first.
    LinkDirection link = direction_of(narrow(200'000, Discipline::codel));
    for (std::int64_t second = 0; second < 50; ++second) {
        for (int i = 0; i < 10; ++i) {
            const Fate fate = link.send(Instant{} + Duration::seconds(second), 972, tag);
            CHECK(fate.cause == DropCause::none);
        }
    }
}

TEST_CASE("others: a constant half of the link, and a random one (M/D/1)") {
    DirectionConfig config = narrow(500'000);
    config.cross = {flow(CrossKind::constant, 500'000)};
    // A probe comes while a packet is being sent in half of the cases, and waits half of it then.
    const std::vector<std::int64_t> steady = probed(config, 20'000);
    CHECK(mean_of(steady) > 2'456'000 * 90 / 100);
    CHECK(mean_of(steady) < 2'456'000 * 115 / 100);
    CHECK(*std::max_element(steady.begin(), steady.end()) <= 9'824'000 + 224'000);
    // Mean wait of M/D/1: load * service / (2 * (1 - load)) = 4.912 ms, and the probes' own 0.45 %
    // of load on top.
    config.cross = {flow(CrossKind::poisson, 500'000)};
    const std::vector<std::int64_t> random = probed(config, 40'000);
    CHECK(mean_of(random) > 4'912'000 * 92 / 100);
    CHECK(mean_of(random) < 4'912'000 * 112 / 100);
}

TEST_CASE("others: on and off in their shares") {
    DirectionConfig config = narrow(500'000);
    CrossConfig cross = flow(CrossKind::onoff, 900'000);
    cross.on = Duration::seconds(2);
    cross.off = Duration::seconds(8);
    config.cross = {cross};
    const std::vector<std::int64_t> waits = probed(config, 200'000);
    const auto busy =
        std::count_if(waits.begin(), waits.end(), [](std::int64_t wait) { return wait > 0; });
    // A fifth of the time at 90 %: 18 %. 10,000 s have 1,000 pairs of stretches: sqrt(2 / 1,000) of
    // it is 4.5 %, and three times that 13.5 %.
    CHECK(busy > 36'000 * 865 / 1'000);
    CHECK(busy < 36'000 * 1'135 / 1'000);
}

TEST_CASE("a greedy flow fills the queue it finds, falls by half, and ends when it ends") {
    DirectionConfig config = narrow(65'536);  // 524 ms
    config.delay = Duration::millis(10);
    CrossConfig cross = flow(CrossKind::greedy, 0);
    cross.end = Instant{} + Duration::seconds(60);
    config.cross = {cross};
    // Beyond the start (the window doubles each round trip), the window swings between what fills
    // pipe and queue, 65,536 + 2,500 B, and half of that: 31.5 KB in the queue, 252 ms.
    const std::vector<std::int64_t> waits =
        probed(config, 1'000, Instant{} + Duration::seconds(10));
    REQUIRE(waits.size() > 950);
    const auto low = std::count_if(waits.begin(), waits.end(),
                                   [](std::int64_t wait) { return wait < 230 * ms; });
    CHECK(low <= 10);
    CHECK(*std::max_element(waits.begin(), waits.end()) <= 525 * ms);
    CHECK(mean_of(waits) > 300 * ms);
    // CoDel keeps the same flow near its target of 12 ms (a full packet's time).
    config.discipline = Discipline::codel;
    CHECK(mean_of(probed(config, 1'000, Instant{} + Duration::seconds(10))) < 40 * ms);
    // Nobody sends any more.
    const std::vector<std::int64_t> after = probed(config, 100, Instant{} + Duration::seconds(61));
    CHECK(mean_of(after) == 0);
}

TEST_CASE("others never move our luck: losses and jitter are the same with and without them") {
    DirectionConfig config = narrow(100'000'000);
    config.loss = Chance::percent(10);
    config.jitter = {JitterConfig::Kind::uniform, Duration::millis(20), {}, {}};
    config.order = LinkOrder::free;
    LinkDirection alone = direction_of(config);
    config.cross = {flow(CrossKind::poisson, 300'000), flow(CrossKind::greedy, 0)};
    config.cross[0].name = "first";
    LinkDirection beside = direction_of(config);
    for (std::int64_t i = 0; i < 2'000; ++i) {
        const Instant now = at_us(i * 10'000);
        const Fate a = alone.send(now, 20, tag);
        const Fate b = beside.send(now, 20, tag);
        REQUIRE(a.cause == b.cause);
        if (a.cause != DropCause::none) continue;
        REQUIRE(b.arrival[0] - b.queue_wait == a.arrival[0] - a.queue_wait);
    }
}

}  // namespace wt::sim::shared_queue_test
