// SPDX-License-Identifier: MIT
#include "simulator/link/presets.hpp"

#include <vector>

namespace wt::sim {

namespace {

constexpr std::uint64_t kibibyte = 1'024;

constexpr BitRate megabits(std::uint64_t n) {
    return {n * 1'000'000};
}

JitterConfig uniform_up_to(Duration width) {
    return {.kind = JitterConfig::Kind::uniform, .width = width, .p50 = {}, .p99 = {}};
}

JitterConfig lognormal(Duration p50, Duration p99) {
    return {.kind = JitterConfig::Kind::lognormal, .width = {}, .p50 = p50, .p99 = p99};
}

BurstConfig burst_of(Duration time) {
    return {.unit = BurstConfig::Unit::time, .milli_packets = 0, .time = time};
}

QueueConfig queue_of(Duration time) {
    return {.unit = QueueConfig::Unit::time, .bytes = 0, .packets = 0, .time = time};
}

QueueConfig queue_of_bytes(std::uint64_t bytes) {
    return {.unit = QueueConfig::Unit::bytes, .bytes = bytes, .packets = 0, .time = {}};
}

// What differs between the directions of every preset: the rate, and here and there the queue.
struct Rates {
    BitRate up{};
    BitRate down{};
};

Preset symmetrical(const char* name, const char* source, const DirectionConfig& each, Rates rates) {
    Preset preset{.name = name, .version = 1, .source = source, .config = {}};
    preset.config.name = name;
    preset.config.source = preset.name + "@1";
    preset.config.up = each;
    preset.config.down = each;
    preset.config.up.rate = rates.up;
    preset.config.down.rate = rates.down;
    return preset;
}

Preset lan() {
    DirectionConfig each{};
    each.delay = Duration::micros(150);
    each.jitter = uniform_up_to(Duration::micros(50));
    each.queue = queue_of(Duration::millis(10));
    return symmetrical("lan", "ours", each, {megabits(1'000), megabits(1'000)});
}

Preset home_broadband() {
    // The source says 32 +- 12 ms; jitter here is added to the floor, so floor 20 and width 24.
    DirectionConfig each{};
    each.delay = Duration::millis(20);
    each.jitter = uniform_up_to(Duration::millis(24));
    each.loss = Chance::percent(2);
    Preset preset = symmetrical("home-broadband",
                                "Unity Multiplayer Tools, Home Broadband (32 +- 12 ms, 2 %); "
                                "rates ours",
                                each, {megabits(20), megabits(100)});
    preset.config.up.queue = queue_of_bytes(64 * kibibyte);
    preset.config.down.queue = queue_of_bytes(512 * kibibyte);
    return preset;
}

Preset wifi_good() {
    DirectionConfig each{};
    each.delay = Duration::millis(3);
    each.jitter = lognormal(Duration::millis(1), Duration::millis(8));
    each.loss = Chance::ppm(1'000);
    each.burst = burst_of(Duration::millis(30));
    each.queue = queue_of(Duration::millis(100));
    return symmetrical("wifi-good", "ours, burst shape after da Silva and Pedroso 2022", each,
                       {megabits(50), megabits(100)});
}

Preset wifi_bad() {
    DirectionConfig each{};
    each.delay = Duration::millis(5);
    each.jitter = lognormal(Duration::millis(4), Duration::millis(120));
    each.loss = Chance::ppm(2'000);
    each.bad = BadStateConfig{.share = Chance::percent(6),
                              .mean = Duration::millis(150),
                              .loss = Chance::percent(50),
                              .extra_delay = Duration::millis(100),
                              .rate = megabits(1)};
    each.queue = queue_of(Duration::millis(200));
    return symmetrical("wifi-bad", "ours", each, {megabits(10), megabits(20)});
}

Preset mobile_4g() {
    // The source says 100 +- 20 ms: floor 80 and width 40.
    DirectionConfig each{};
    each.delay = Duration::millis(80);
    each.jitter = uniform_up_to(Duration::millis(40));
    each.loss = Chance::percent(4);
    each.burst = burst_of(Duration::millis(50));
    each.queue = queue_of(Duration::millis(400));
    return symmetrical("mobile-4g",
                       "Unity Multiplayer Tools, Mobile 4G (100 +- 20 ms, 4 %); bursts and rates "
                       "ours",
                       each, {megabits(5), megabits(20)});
}

Preset intercontinental() {
    DirectionConfig each{};
    each.delay = Duration::millis(90);
    each.jitter = lognormal(Duration::millis(1), Duration::millis(10));
    each.loss = Chance::ppm(1'000);
    each.queue = queue_of(Duration::millis(100));
    return symmetrical("intercontinental", "ours", each, {megabits(100), megabits(100)});
}

Preset satellite_geo() {
    DirectionConfig each{};
    each.delay = Duration::millis(280);
    each.jitter = uniform_up_to(Duration::millis(20));
    each.loss = Chance::ppm(5'000);
    each.burst = burst_of(Duration::millis(40));
    each.queue = queue_of(Duration::millis(600));
    return symmetrical("satellite-geo", "ours, after published GEO measurements", each,
                       {megabits(2), megabits(10)});
}

}  // namespace

std::span<const Preset> all_presets() {
    static const std::vector<Preset> presets = {
        symmetrical("perfect", "nothing at all: 0 ns, no loss, no limit", {}, {}),
        lan(),
        home_broadband(),
        wifi_good(),
        wifi_bad(),
        mobile_4g(),
        intercontinental(),
        satellite_geo()};
    return presets;
}

const Preset* find_preset(std::string_view name) {
    const Preset* found = nullptr;
    for (const Preset& preset : all_presets()) {
        if (name == preset.config.source) return &preset;
        const bool is_newer = found == nullptr || preset.version > found->version;
        if (name == preset.name && is_newer) found = &preset;
    }
    return found;
}

}  // namespace wt::sim
