// SPDX-License-Identifier: MIT
//
// Traces without a run: as many peers and records as one asks for, the same bytes each time. For
// what no scenario of a test's length would give: 4,096 peers, ten million records, a single one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/trace/writer.hpp"

namespace wt::test {

struct SyntheticTrace {
    std::uint32_t bots = 16;
    std::uint64_t records = 10'000;
    std::int64_t seconds = 10;
    std::uint64_t seed = 1;
    std::uint64_t differs_from = ~std::uint64_t{0};  // Records from this one on are another run's.
    bool has_failed_gate = true;
};

inline trace::About about_synthetic(const SyntheticTrace& wanted) {
    trace::About about;
    about.scenario = "synthetic";
    about.build = "wavetank test";
    about.transport = "secure";
    about.groups = {"server", "bot"};
    about.peers.push_back({"server", 0, true});
    for (std::uint32_t i = 0; i < wanted.bots; ++i)
        about.peers.push_back({"bot-" + std::to_string(i), 1, true});
    const std::int64_t end = wanted.seconds * 1'000'000'000;
    about.phases = {{"join", 0, end / 10}, {"play", end / 10, end}};
    about.acts = {{"storm", "change", "default", end / 2, end / 4 * 3, {}}};
    about.gates = {{"fresh", "peers.snapshot_age p95 <= 90ms in play"},
                   {"quick", "peers.rtt p99 <= 400ms in play"}};
    trace::add_words(about);
    return about;
}

inline trace::Header header_synthetic(const SyntheticTrace& wanted) {
    trace::Header header;
    header.seed = wanted.seed;
    header.end = wanted.seconds * 1'000'000'000;
    header.tick_rate = 60;
    header.peers = wanted.bots + 1;
    return header;
}

// The n-th record: five of them are one datagram's life, up or down, some of them lost.
inline trace::Record record_synthetic(const SyntheticTrace& wanted, std::uint64_t n,
                                      std::int64_t time, std::uint64_t luck) {
    trace::Record record;
    record.time = time;
    record.tick = static_cast<std::uint32_t>(time / 16'666'667);
    const std::uint64_t datagram = n / 4;
    record.peer = static_cast<std::uint16_t>(1 + datagram % std::max(1u, wanted.bots));
    record.sequence = static_cast<std::uint32_t>(datagram);
    const bool is_down = datagram / std::max(1u, wanted.bots) % 3 == 0;
    record.flags = is_down ? trace::flag::down : std::uint16_t{0};
    record.lane = static_cast<std::uint8_t>(is_down ? 1 : datagram % 5);
    record.kind = static_cast<std::uint16_t>(1 + datagram % 6);
    record.size = static_cast<std::uint16_t>(60 + luck % 1'000);
    const bool is_lost = datagram % 37 == 5;
    switch (n % 4) {
        case 0:
            record.type = static_cast<std::uint8_t>(trace::Type::send);
            record.age = static_cast<std::uint32_t>(luck % 5'000);
            break;
        case 1:
            record.type =
                static_cast<std::uint8_t>(is_lost ? trace::Type::drop : trace::Type::receive);
            record.age = static_cast<std::uint32_t>(20'000 + luck % 30'000);
            record.detail = is_lost ? std::uint16_t{1} : std::uint16_t{0};
            break;
        case 2:
            record.type = static_cast<std::uint8_t>(trace::Type::deliver);
            record.age = static_cast<std::uint32_t>(30'000 + luck % 30'000);
            break;
        default:
            record.type = static_cast<std::uint8_t>(trace::Type::rtt);
            record.age = static_cast<std::uint32_t>(60'000 + luck % 60'000);
            break;
    }
    return record;
}

inline trace::Outcome outcome_synthetic(const SyntheticTrace& wanted) {
    trace::Outcome outcome;
    outcome.ran_until = wanted.seconds * 1'000'000'000;
    outcome.gates.resize(2);
    trace::GateOutcome& fresh = outcome.gates[0];
    fresh.name = "fresh";
    fresh.verdict = std::string(wanted.has_failed_gate ? "fail" : "ok");
    fresh.value = "104 ms";
    fresh.bound = "<= 90 ms";
    fresh.worst_peer = static_cast<std::uint16_t>(std::min(wanted.bots, 3u));
    fresh.worst_time = outcome.ran_until / 2;
    trace::GateOutcome& quick = outcome.gates[1];
    quick.name = "quick";
    quick.verdict = std::string("ok");
    quick.value = "118 ms";
    quick.bound = "<= 400 ms";
    return outcome;
}

// Into a file or into memory, as `output` is.
inline bool write_synthetic(const SyntheticTrace& wanted, trace::Output& output) {
    trace::Writer writer(header_synthetic(wanted), about_synthetic(wanted), output);
    const std::int64_t end = wanted.seconds * 1'000'000'000;
    std::uint64_t state = wanted.seed * 0x9e3779b97f4a7c15ull + 1;
    std::int64_t cell = 0;
    std::uint64_t n = 0;
    for (std::int64_t at = trace::cell_ns; at <= end; at += trace::cell_ns) {
        const std::uint64_t until = wanted.records *
                                    static_cast<std::uint64_t>(at / trace::cell_ns) /
                                    static_cast<std::uint64_t>(end / trace::cell_ns);
        for (const std::uint64_t first = n; n < until; ++n) {
            if (n == wanted.differs_from) state ^= 0x5555;
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            const std::int64_t time =
                cell + static_cast<std::int64_t>((n - first) * 99'000'000 / (until - first));
            const trace::Record record = record_synthetic(wanted, n, time, state >> 20);
            (void)writer.add(record);
            writer.series().add(trace::Series::bytes_up, record.peer, record.size);
            if (record.type == static_cast<std::uint8_t>(trace::Type::drop))
                writer.series().add(trace::Series::lost_up, record.peer, 1);
        }
        for (std::uint32_t peer = 1; peer <= wanted.bots && wanted.records > 0; ++peer) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            const std::uint16_t who = static_cast<std::uint16_t>(peer);
            writer.series().add(trace::Series::rtt, who,
                                60'000 + static_cast<std::int64_t>(state % 40'000));
            writer.series().add(trace::Series::snapshot_age, who,
                                50'000 + static_cast<std::int64_t>(state / 64 % 60'000));
            writer.series().add(trace::Series::queue_age_up, who,
                                static_cast<std::int64_t>(state / 4'096 % 9'000));
        }
        cell = at;
        writer.advance(at);
    }
    for (std::int64_t i = 1; i <= 5 && wanted.bots > 0 && wanted.records > 0; ++i) {
        writer.add_anomaly({.time = end * i / 6,
                            .record = trace::no_record,
                            .value = 8,
                            .peer = static_cast<std::uint16_t>(1 + i % wanted.bots),
                            .anomaly = static_cast<std::uint16_t>(trace::AnomalyKind::loss_burst),
                            .detail = 0});
    }
    trace::Writer::Ending ending;
    ending.end_ns = end;
    ending.outcome = outcome_synthetic(wanted);
    return writer.finish(ending);
}

inline std::vector<std::uint8_t> synthetic_bytes(const SyntheticTrace& wanted) {
    std::vector<std::uint8_t> bytes;
    trace::Output output(bytes);
    (void)write_synthetic(wanted, output);
    return bytes;
}

}  // namespace wt::test
