// SPDX-License-Identifier: MIT
//
// What a trace says of its run beside records: who took part, what was planned, which words its
// numbers stand for, and at the end what came out. Plain data; encode and decode are inverse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/digest.hpp"
#include "simulator/trace/layout.hpp"

namespace wt::trace {

struct PeerEntry {
    std::string name{};
    std::uint16_t group = 0;
    bool is_full = true;  // Its records were kept; else it has series only.
};

// Half open: [start, end).
struct PhaseEntry {
    std::string name{};
    std::int64_t start = 0;
    std::int64_t end = 0;
};

struct ActEntry {
    std::string name{};
    std::string verb{};
    std::string link{};  // change: whose.
    std::int64_t start = 0;
    std::int64_t end = 0;                  // INT64_MAX: held to the run's end.
    std::vector<std::uint16_t> targets{};  // Peers; empty: all.
};

struct GateEntry {
    std::string name{};
    std::string text{};
};

// A numbered word of the build that wrote the trace.
struct Word {
    std::uint32_t value = 0;
    std::string name{};
};

struct SeriesEntry {
    std::string name{};
    std::string unit{};
    Fold fold = Fold::range;
};

struct About {
    std::string scenario{};  // Name.
    std::string file{};
    std::string text{};   // TOML after parents and settings.
    std::string build{};  // "wavetank 0.1.0 7f3c2a1 gcc-12"
    std::string transport{};
    std::string cipher{};
    std::uint32_t input_rate = 0;     // Hz
    std::uint32_t snapshot_rate = 0;  // Hz
    std::int64_t last_ns = 0;         // Flight recorder's span; 0: everything.
    bool has_payload = false;
    std::vector<std::string> groups{};
    std::vector<PeerEntry> peers{};  // The server is 0; bots in the scenario's order.
    std::vector<PhaseEntry> phases{};
    std::vector<ActEntry> acts{};  // In order of their starts.
    std::vector<GateEntry> gates{};
    std::vector<Word> types{};
    std::vector<Word> flags{};
    std::vector<Word> changes{};
    std::vector<Word> anomalies{};
    std::vector<Word> kinds{};
    std::vector<Word> lanes{};
    std::vector<Word> causes{};
    std::vector<Word> reasons{};
    std::vector<Word> statuses{};
    std::vector<SeriesEntry> series{};
};

// The words of this build.
void add_words(About& about);
// "?" and the number where the list does not know it.
[[nodiscard]] std::string word_of(const std::vector<Word>& words, std::uint32_t value);

void encode(const About& about, std::vector<std::uint8_t>& out);
// Empty where the bytes are none.
[[nodiscard]] std::optional<About> decode_about(ConstBytes bytes);

// A gate after the run. Values and bounds as the report prints them, and as numbers.
struct GateOutcome {
    std::string name{};
    std::string subject{};  // Without the bound.
    std::string verdict{};  // ok, fail, no_values, not_counted
    std::string value{};
    std::string bound{};
    std::int64_t number = 0;  // In the metric's base unit.
    std::uint16_t worst_peer = no_peer;
    std::int64_t worst_time = -1;  // -1: no single moment.
    std::int64_t worst_number = 0;

    [[nodiscard]] bool is_failed() const { return verdict == "fail" || verdict == "no_values"; }
};

struct Outcome {
    std::int64_t ran_until = 0;
    DigestValue digest{};
    std::uint64_t events = 0;
    std::uint64_t last_draw = 0;
    std::uint8_t exit_code = 0;
    std::vector<GateOutcome> gates{};
};
void encode(const Outcome& outcome, std::vector<std::uint8_t>& out);
[[nodiscard]] std::optional<Outcome> decode_outcome(ConstBytes bytes);

struct Counts {
    std::uint64_t kept = 0;
    std::uint64_t dropped = 0;             // Overwritten by the flight recorder.
    std::vector<std::uint64_t> by_peer{};  // Kept; the last entry is nobody's.
};
void encode(const Counts& counts, std::vector<std::uint8_t>& out);
[[nodiscard]] std::optional<Counts> decode_counts(ConstBytes bytes);

// Everything of the wall clock. Two traces of one run differ here and nowhere else.
struct Wall {
    std::int64_t wall_ns = 0;
    std::int64_t cpu_ns = 0;
    std::uint64_t memory_bytes = 0;
    // The server's work by 100 ms of virtual time: the longest tick and all of them, in us.
    std::vector<std::uint32_t> tick_max_us{};
    std::vector<std::uint32_t> tick_sum_us{};
};
void encode(const Wall& wall, std::vector<std::uint8_t>& out);
[[nodiscard]] std::optional<Wall> decode_wall(ConstBytes bytes);

}  // namespace wt::trace
