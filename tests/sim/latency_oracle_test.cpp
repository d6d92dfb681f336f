// SPDX-License-Identifier: MIT
//
// Goal: the literal profile recovers from loss exactly as the seed's rules say, which an event
// model of those rules has put into numbers. Method: 20 seeds of 1,800 messages each (60/s of 64 B
// on one ordered lane, quanta 0, losses on data and acknowledgements alike, nothing else in that
// direction); the mean over the seeds of each percentile lies in the band of the model's seeds.
#include <doctest/doctest.h>

#include <array>

#include "tests/sim/lab.hpp"

namespace wt::sim::latency_oracle_test {
namespace {

// Full size where the compiler optimises; elsewhere fewer seeds, so that a debug build is done in
// half a minute. The model's bands are rounded to milliseconds, so ours are half a millisecond
// wider at either end; of four seeds one may lie a message (16.7 ms) further, which moves the mean
// by 4.2.
#ifdef WT_LONG_RUNS
constexpr std::uint64_t seeds = 20;
constexpr std::int64_t slack_us = 500;
constexpr std::int64_t root_of_fragments = 848;  // sqrt(20 * 36,000), rounded down
#else
constexpr std::uint64_t seeds = 4;
constexpr std::int64_t slack_us = 500 + 4'200;
constexpr std::int64_t root_of_fragments = 379;  // sqrt(4 * 36,000), rounded down
#endif
constexpr std::uint64_t messages_per_seed = 36'000;  // 600 s
// Join, messages, and time for the last one's retransmissions.
constexpr Duration run_length = Duration::seconds(620);

struct Figures {
    std::vector<Duration> latencies{};
    std::uint64_t acked = 0;
    std::uint64_t transmissions = 0;
};

// One message a tick from the first tick after the join on.
Figures run_line(const LabSettings& settings, std::uint64_t messages) {
    Lab lab(settings);
    std::uint64_t sent = 0;
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (sent == messages) return;
        std::array<std::uint8_t, 64> bytes{};
        store_u64(bytes.data(), ++sent);
        CHECK(context.endpoint.send(context.now, self.peer,
                                    {.lane = transport::Lane::state,
                                     .bytes = bytes,
                                     .replace_tag = {},
                                     .kind = transport::Kind::report}) ==
              transport::SendStatus::ok);
    };
    lab.run();
    Figures figures;
    for (const Got& got : lab.server.got)
        figures.latencies.push_back(got.latency);
    figures.acked = lab.client_mouth->counters().acked;
    figures.transmissions = lab.client_mouth->counters().fragments_sent;
    return figures;
}

struct Band {
    std::int64_t low_ms = 0;
    std::int64_t high_ms = 0;
};

struct Row {
    const char* name = "";
    std::int64_t rtt_ms = 0;
    unsigned loss_percent = 0;
    std::uint32_t fast_retransmit = 0;
    Band p50{};
    Band p95{};
    Band p99{};
    // Transmissions per 10^6 fragments: 1 / (1 - p), and the deviation of one fragment's number,
    // which is geometric: sqrt(p) / (1 - p).
    std::int64_t transmissions_ppm = 0;
    std::int64_t deviation_ppm = 0;
};

// Where the table names no band, all its seeds gave one number.
//
// Deviations: 1 %: 0.1 / 0.99; 5 %: 0.223607 / 0.95; 10 %: 0.316228 / 0.9.
constexpr std::array<Row, 5> rows = {{
    {"50 ms, 5 %", 50, 5, 0, {25, 42}, {225, 392}, {558, 742}, 1'052'632, 235'376},
    {"50 ms, 5 %, fast retransmit", 50, 5, 3, {25, 25}, {125, 125}, {158, 175}, 1'052'632, 235'376},
    {"100 ms, 1 %", 100, 1, 0, {50, 50}, {167, 183}, {233, 250}, 1'010'101, 101'010},
    {"100 ms, 5 %", 100, 5, 0, {50, 67}, {267, 417}, {600, 817}, 1'052'632, 235'376},
    {"100 ms, 10 %", 100, 10, 0, {183, 200}, {633, 883}, {1'250, 2'200}, 1'111'111, 351'364},
}};

void check_in(const Band& band, std::int64_t sum_ns) {
    const std::int64_t mean_us = sum_ns / static_cast<std::int64_t>(seeds) / 1'000;
    CHECK(mean_us >= band.low_ms * 1'000 - slack_us);
    CHECK(mean_us <= band.high_ms * 1'000 + slack_us);
}

}  // namespace

TEST_CASE("literal latency under loss lies in the bands of the model of the seed's rules") {
    for (const Row& row : rows) {
        CAPTURE(std::string(row.name));
        std::int64_t p50 = 0;
        std::int64_t p95 = 0;
        std::int64_t p99 = 0;
        std::uint64_t transmissions = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            LabSettings settings{.seed = seed, .length = run_length};
            settings.reliability.fast_retransmit = row.fast_retransmit;
            settings.up = half_of(Duration::millis(row.rtt_ms), Chance::percent(row.loss_percent));
            settings.down = settings.up;
            const Figures figures = run_line(settings, messages_per_seed);
            REQUIRE(figures.latencies.size() == messages_per_seed);
            CHECK(figures.acked == messages_per_seed);
            p50 += percentile(figures.latencies, 50).ns;
            p95 += percentile(figures.latencies, 95).ns;
            p99 += percentile(figures.latencies, 99).ns;
            transmissions += figures.transmissions;
        }
        check_in(row.p50, p50);
        check_in(row.p95, p95);
        check_in(row.p99, p99);
        const std::int64_t ppm =
            static_cast<std::int64_t>(transmissions * 1'000'000 / (seeds * messages_per_seed));
        const std::int64_t three_sigma = 3 * row.deviation_ppm / root_of_fragments;
        CHECK(ppm >= row.transmissions_ppm - three_sigma);
        CHECK(ppm <= row.transmissions_ppm + three_sigma);
    }
}

// Without loss a fragment is repeated at 0.2, 0.6, 1.4, 3, 5 ... s after its first sending until
// its latest transmission is acknowledged: 210-300 ms means the second one (0.2 s) is in time, 500
// ms the third (0.2 + 0.4 s), and so on. Nothing is ever learnt: the samples would be of fragments
// that went out once.
TEST_CASE("lossless round trips beyond the floor are repeated for ever under per_fragment") {
    struct Case {
        std::int64_t rtt_ms = 0;
        std::uint64_t transmissions = 0;
    };
    for (const Case& each : {Case{50, 1}, Case{190, 1}, Case{210, 2}, Case{300, 2}, Case{500, 3},
                             Case{1'000, 4}, Case{1'900, 5}}) {
        CAPTURE(each.rtt_ms);
        LabSettings settings{.length = Duration::seconds(40)};
        settings.up = half_of(Duration::millis(each.rtt_ms));
        settings.down = settings.up;
        const Figures figures = run_line(settings, 600);
        CHECK(figures.acked == 600);
        CHECK(figures.transmissions == 600 * each.transmissions);
        // Late acknowledgements hold nothing back: each message arrives in its half round trip.
        REQUIRE(figures.latencies.size() == 600);
        CHECK(percentile(figures.latencies, 100) == Duration::nanos(each.rtt_ms * 500'000 + 1));
    }
}

TEST_CASE("a round trip of 2.1 s is never released by the literal rule: the cap lies under it") {
    // 600 messages over 10 s, repeated every 2 s from the fifth time on: 600 * (4 + 30 / 2) =
    // 11,400 transmissions in 40 s, far from the 32,768 at which the sender would stop and listen.
    LabSettings settings{.length = Duration::seconds(40)};
    settings.up = half_of(Duration::millis(2'100));
    settings.down = settings.up;
    const Figures figures = run_line(settings, 600);
    CHECK(figures.latencies.size() == 600);
    CHECK(figures.acked == 0);
    CHECK(figures.transmissions > 600 * 10);
}

}  // namespace wt::sim::latency_oracle_test
