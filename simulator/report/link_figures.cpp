// SPDX-License-Identifier: MIT
//
// Probes through both directions of one instance of a link, and the words made of them.
#include "simulator/report/link_figures.hpp"

#include <vector>

#include "simulator/link/link_direction.hpp"
#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

constexpr std::uint32_t probes = 100'000;
constexpr std::uint32_t probe_bytes = 200;
constexpr Frequency probe_rate{60};
constexpr std::uint64_t probe_seed = 1;

struct Probed {
    DirectionFigures figures{};
    std::vector<std::int64_t> delays{};  // -1 = lost
};

Probed probe(const LinkConfig& link, std::shared_ptr<const CompiledDirection> compiled,
             std::string_view way, ChunkPool& pool) {
    const LuckKey key = LuckKey::root(probe_seed).with(link.name).with(way);
    LinkDirection direction(key, {{Instant{}, std::move(compiled)}});
    Probed probed;
    probed.delays.assign(probes, -1);
    Histogram delays;
    const auto note = [&](std::size_t number, Instant sent, const Fate& fate) {
        if (fate.copies == 0) return;
        const Duration delay = fate.arrival[0] - sent;
        delays.add(pool, delay.ns);
        probed.delays[number] = delay.ns;
    };
    // Of a queue that judges at turns: what is known before `until`.
    const auto settle = [&](Instant until) {
        Settled settled;
        while (direction.has_turns() && direction.next_turn() < until) {
            const Instant turn = direction.next_turn();
            while (direction.settle(turn, settled))
                note(settled.number, settled.came, settled.fate);
        }
    };
    for (std::uint32_t i = 0; i < probes; ++i) {
        const Instant now = probe_rate.tick(i);
        settle(now);
        note(i, now,
             direction.send(now, probe_bytes, transport::WeatherTag::lane_1, nullptr,
                            {.flow = 0, .number = i}));
        settle(now + Duration::nanos(1));
    }
    settle(Instant::never());
    std::uint64_t lost = 0;
    std::uint64_t runs = 0;
    bool last_lost = false;
    for (const std::int64_t delay : probed.delays) {
        const bool is_lost = delay < 0;
        if (is_lost) ++lost;
        if (is_lost && !last_lost) ++runs;
        last_lost = is_lost;
    }
    probed.figures.delay = stats_of(delays, pool);
    probed.figures.loss_ppb = lost * 1'000'000'000 / probes;
    probed.figures.burst_milli = runs == 0 ? 0 : lost * 1'000 / runs;
    return probed;
}

std::string rate_number(BitRate rate) {
    if (rate.bits_per_second == 0) return "-";
    return format_quotient(rate.bits_per_second, 1'000'000);
}

std::string queue_text(const QueueConfig& queue) {
    switch (queue.unit) {
        case QueueConfig::Unit::none:
            return "-";
        case QueueConfig::Unit::bytes:
            return format_value(Dimension::bytes, static_cast<std::int64_t>(queue.bytes));
        case QueueConfig::Unit::time:
            return format_time(queue.time.ns);
        case QueueConfig::Unit::packets:
            return grouped(queue.packets) + " p";
    }
    return "-";
}

// Equal in both directions: said once.
std::string both(const std::string& up, const std::string& down) {
    return up == down ? up : up + " / " + down;
}

std::string loss_number(std::uint64_t ppb) {
    std::string text = format_value(Dimension::share, static_cast<std::int64_t>(ppb));
    return text.substr(0, text.size() - 2);
}

std::string burst_words(const BurstConfig& burst) {
    if (burst.unit == BurstConfig::Unit::time) return " in bursts of " + format_time(burst.time.ns);
    if (burst.unit == BurstConfig::Unit::packets)
        return " in bursts of " + exact_packets(burst.milli_packets);
    return "";
}

}  // namespace

LinkFigures measure_link(const LinkConfig& link) {
    ChunkPool pool(256);
    const CompiledLink compiled = compile(link);
    const Probed up = probe(link, compiled.up, "up", pool);
    const Probed down = probe(link, compiled.down, "down", pool);
    Histogram rtts;
    for (std::size_t i = 0; i < probes; ++i) {
        if (up.delays[i] >= 0 && down.delays[i] >= 0) rtts.add(pool, up.delays[i] + down.delays[i]);
    }
    return {.up = up.figures, .down = down.figures, .rtt = stats_of(rtts, pool)};
}

std::string describe_link(const LinkConfig& link) {
    const LinkFigures figures = measure_link(link);
    std::string text = link.source + "   rtt p50 " + format_time(figures.rtt.p50) + ", p99 " +
                       format_time(figures.rtt.p99);
    const std::uint64_t up = figures.up.loss_ppb;
    const std::uint64_t down = figures.down.loss_ppb;
    // The two directions of one preset differ by sampling only: their mean says it.
    const bool alike =
        link.up.loss == link.down.loss && link.up.bad.has_value() == link.down.bad.has_value();
    const std::string loss =
        alike ? format_value(Dimension::share, static_cast<std::int64_t>((up + down) / 2))
              : loss_number(up) + " / " + loss_number(down) + " %";
    text += "   loss " + loss + burst_words(link.up.burst);
    if (link.up.rate.bits_per_second > 0 || link.down.rate.bits_per_second > 0) {
        text += "   up " + rate_number(link.up.rate) + ", down " + rate_number(link.down.rate) +
                " Mbit/s";
    }
    return text;
}

std::string links_table(const std::vector<LinkConfig>& links) {
    const auto row = [](const std::array<std::string, 7>& cells) {
        std::string line = pad_right(cells[0], 18) + pad_left(cells[1], 9) + pad_left(cells[2], 9) +
                           "  " + pad_right(cells[3], 18) + pad_right(cells[4], 8) +
                           pad_right(cells[5], 14) + cells[6];
        while (line.ends_with(' '))
            line.pop_back();
        return line + "\n";
    };
    std::string text =
        row({"name", "rtt p50", "rtt p99", "loss up/down", "burst", "Mbit/s up/down", " queue"});
    for (const LinkConfig& link : links) {
        const LinkFigures figures = measure_link(link);
        const std::uint64_t runs = figures.up.burst_milli;
        text +=
            row({link.name, format_time(figures.rtt.p50), format_time(figures.rtt.p99),
                 both(loss_number(figures.up.loss_ppb), loss_number(figures.down.loss_ppb)) + " %",
                 runs == 0 ? "-" : format_quotient(runs, 1'000) + " p",
                 both(rate_number(link.up.rate), rate_number(link.down.rate)),
                 " " + both(queue_text(link.up.queue), queue_text(link.down.queue))});
    }
    return text;
}

}  // namespace wt::sim
