// SPDX-License-Identifier: MIT
//
// A link's keys as TOML: what it has become after its chain of profiles. Reading the text back
// gives the same link; keys at their default are left out.
#include <array>

#include "simulator/link/opportunities.hpp"
#include "simulator/report/link_figures.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

std::string jitter_text(const JitterConfig& jitter) {
    static constexpr std::array<const char*, 7> names{"none",  "uniform", "normal", "lognormal",
                                                      "gamma", "pareto",  "table"};
    if (jitter.kind == JitterConfig::Kind::uniform) return in_quotes(exact_time(jitter.width));
    const bool is_table = jitter.kind == JitterConfig::Kind::table;
    std::string text = std::string("{ kind = \"") + names[static_cast<std::size_t>(jitter.kind)] +
                       "\", p50 = " + in_quotes(exact_time(jitter.p50));
    text += is_table ? ", file = " + in_quotes(jitter.file)
                     : ", p99 = " + in_quotes(exact_time(jitter.p99));
    if (jitter.drift != Duration{}) text += ", drift = " + in_quotes(exact_time(jitter.drift));
    return text + " }";
}

std::string burst_text(const BurstConfig& burst) {
    return in_quotes(burst.unit == BurstConfig::Unit::time ? exact_time(burst.time)
                                                           : exact_packets(burst.milli_packets));
}

std::string bad_text(const BadStateConfig& bad) {
    std::string text = "{ share = " + in_quotes(exact_share(bad.share)) +
                       ", for = " + in_quotes(exact_time(bad.mean)) +
                       ", loss = " + in_quotes(exact_share(bad.loss)) +
                       ", extra_delay = " + in_quotes(exact_time(bad.extra_delay));
    if (bad.rate.bits_per_second > 0) text += ", rate = " + in_quotes(exact_rate(bad.rate));
    return text + " }";
}

std::string queue_value(const QueueConfig& queue) {
    switch (queue.unit) {
        case QueueConfig::Unit::none:
            break;
        case QueueConfig::Unit::bytes:
            return in_quotes(exact_bytes(queue.bytes));
        case QueueConfig::Unit::time:
            return in_quotes(exact_time(queue.time));
        case QueueConfig::Unit::packets:
            return in_quotes(std::to_string(queue.packets) + " packets");
    }
    return in_quotes("none");
}

std::string corrupt_text(const CorruptConfig& corrupt) {
    static constexpr std::array<const char*, 3> names{"flip", "truncate", "junk"};
    return "{ chance = " + in_quotes(exact_share(corrupt.chance)) +
           ", kind = " + in_quotes(names[static_cast<std::size_t>(corrupt.kind)]) + " }";
}

std::string suspend_text(const SuspendConfig& suspend) {
    const bool at_sender = suspend.side == SuspendConfig::Side::sender;
    return "{ every = " + in_quotes(exact_time(suspend.every)) +
           ", for = " + in_quotes(exact_time(suspend.length)) +
           ", side = " + in_quotes(at_sender ? "sender" : "receiver") + " }";
}

std::string nat_text(const NatConfig& nat) {
    static constexpr std::array<const char*, 3> kinds{"port", "address", "both"};
    std::string text = "{ ";
    if (nat.idle != Duration{}) text += "idle = " + in_quotes(exact_time(nat.idle)) + ", ";
    if (nat.every != Duration{}) text += "every = " + in_quotes(exact_time(nat.every)) + ", ";
    return text + "new = " + in_quotes(kinds[static_cast<std::size_t>(nat.gives)]) + " }";
}

std::string times_text(const char* name, Duration value) {
    return value == Duration{} ? ""
                               : std::string(", ") + name + " = " + in_quotes(exact_time(value));
}

std::string drops_text(const DropsConfig& drops) {
    if (drops.every != 0) return "{ every = " + std::to_string(drops.every) + " }";
    std::string text;
    for (const std::uint64_t number : drops.list)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "{ list = [" + text + "] }";
}

std::string medium_text(const DirectionConfig& config) {
    static constexpr std::array<const char*, 6> disciplines{"droptail", "codel",    "red",
                                                            "pie",      "drophead", "fq-codel"};
    std::string text;
    const auto key = [&](const char* name, const std::string& value) {
        text += std::string(name) + " = " + value + "\n";
    };
    const std::string word = in_quotes(disciplines[static_cast<std::size_t>(config.discipline)]);
    if (config.fair != FairQueueConfig{}) {
        key("discipline", "{ kind = " + word +
                              ", buckets = " + std::to_string(config.fair.buckets) +
                              ", quantum = " + in_quotes(exact_bytes(config.fair.quantum)) + " }");
    } else if (config.discipline != Discipline::droptail) {
        key("discipline", word);
    }
    if (config.police.burst != 0) {
        key("police", "{ rate = " + in_quotes(exact_rate(config.police.rate)) +
                          ", burst = " + in_quotes(exact_bytes(config.police.burst)) + " }");
    }
    if (config.handover.every != Duration{}) {
        key("handover", "{ every = " + in_quotes(exact_time(config.handover.every)) +
                            times_text("gap", config.handover.gap) +
                            times_text("step", config.handover.step) +
                            ", loss = " + in_quotes(exact_share(config.handover.loss)) + " }");
    }
    if (config.slot.every != Duration{}) {
        key("slot", "{ every = " + in_quotes(exact_time(config.slot.every)) +
                        ", bytes = " + in_quotes(exact_bytes(config.slot.bytes)) + " }");
    }
    const TraceConfig& trace = config.trace;
    if (trace.opportunities != nullptr || trace.lateness != nullptr) {
        const bool wraps =
            trace.lateness != nullptr ? trace.lateness->wraps : trace.opportunities->wraps;
        key("trace", "{ file = " + in_quotes(trace.file) + (wraps ? "" : ", wrap = false") + " }");
    }
    if (config.drops.every != 0 || !config.drops.list.empty())
        key("drops", drops_text(config.drops));
    return text;
}

std::string cross_text(const std::string& table, const char* way,
                       const std::vector<CrossConfig>& flows) {
    static constexpr std::array<const char*, 4> kinds{"constant", "poisson", "onoff", "greedy"};
    std::string text;
    for (const CrossConfig& flow : flows) {
        text += "\n[" + table + ".cross." + flow.name + "]\ndirection = " + in_quotes(way) +
                "\nkind = " + in_quotes(kinds[static_cast<std::size_t>(flow.kind)]) +
                "\npacket = " + in_quotes(exact_bytes(flow.packet)) + "\n";
        if (flow.rate.bits_per_second > 0)
            text += "rate = " + in_quotes(exact_rate(flow.rate)) + "\n";
        if (flow.on > Duration{}) text += "on = " + in_quotes(exact_time(flow.on)) + "\n";
        if (flow.off > Duration{}) text += "off = " + in_quotes(exact_time(flow.off)) + "\n";
        if (flow.end == Instant::never()) continue;
        text += "time = " + in_quotes(exact_time(flow.start - Instant{})) +
                "\nfor = " + in_quotes(exact_time(flow.end - flow.start)) + "\n";
    }
    return text;
}

std::string direction_text(const DirectionConfig& config) {
    std::string text;
    const auto key = [&](const char* name, const std::string& value) {
        text += std::string(name) + " = " + value + "\n";
    };
    if (config.delay != Duration{}) key("one_way_delay", in_quotes(exact_time(config.delay)));
    if (config.jitter.kind != JitterConfig::Kind::none) key("jitter", jitter_text(config.jitter));
    if (config.order == LinkOrder::free) key("order", in_quotes("free"));
    if (config.loss != Chance::never()) key("loss", in_quotes(exact_share(config.loss)));
    if (config.burst.unit != BurstConfig::Unit::none) key("burst", burst_text(config.burst));
    if (config.bad) key("bad", bad_text(*config.bad));
    if (config.rate.bits_per_second > 0) key("rate", in_quotes(exact_rate(config.rate)));
    if (config.queue.unit != QueueConfig::Unit::none) key("queue", queue_value(config.queue));
    if (config.mtu > 0) key("mtu", in_quotes(exact_bytes(config.mtu)));
    if (config.has_mtu_reply) key("mtu_reply", "true");
    if (config.duplicate.chance != Chance::never()) {
        key("duplicate", "{ chance = " + in_quotes(exact_share(config.duplicate.chance)) +
                             ", delay = " + in_quotes(exact_time(config.duplicate.delay)) + " }");
    }
    if (config.reorder.chance != Chance::never()) {
        key("reorder", "{ chance = " + in_quotes(exact_share(config.reorder.chance)) +
                           ", by = " + in_quotes(exact_time(config.reorder.by)) + " }");
    }
    if (config.corrupt.chance != Chance::never()) key("corrupt", corrupt_text(config.corrupt));
    if (config.suspend.every != Duration{}) key("suspend", suspend_text(config.suspend));
    return text + medium_text(config);
}

std::string table_name(const std::string& link) {
    std::string name = link.substr(0, link.find('@'));
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!plain) c = '-';
    }
    return "links." + name;
}

}  // namespace

std::string link_as_toml(const LinkConfig& link, const std::string& source) {
    const std::string table = table_name(link.name);
    std::string text = "# " + link.source + (source.empty() ? "" : ": " + source) + "\n";
    text += "[" + table + "]\n";
    if (link.n1) {
        text += "model = \"n1\"\ndelay_us = " + std::to_string(link.n1->delay_us) +
                "\njitter_us = " + std::to_string(link.n1->jitter_us) +
                "\nloss = " + std::to_string(link.n1->loss_per_ten_thousand) +
                "\nduplicate = " + std::to_string(link.n1->duplicate_per_ten_thousand) + "\n";
        return text;
    }
    if (!link.via.empty()) text += "via = " + in_quotes(link.via) + "\n";
    if (link.share.kind == ShareConfig::Kind::all) text += "share = \"all\"\n";
    if (link.share.kind == ShareConfig::Kind::count)
        text += "share = " + std::to_string(link.share.count) + "\n";
    if (link.nat) text += "nat = " + nat_text(*link.nat) + "\n";
    text += "\n[" + table + ".up]\n" + direction_text(link.up);
    text += "\n[" + table + ".down]\n" + direction_text(link.down);
    return text + cross_text(table, "up", link.up.cross) +
           cross_text(table, "down", link.down.cross);
}

}  // namespace wt::sim
