// SPDX-License-Identifier: MIT
//
// Each key sets its value and its bit; the patch is then copied over a link key by key.
#include "simulator/scenario/link_keys.hpp"

#include <array>

#include "engine/base/mutated.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/recording.hpp"

namespace wt::sim {

namespace {

constexpr TimeRange delays{Duration{}, Duration::seconds(3'600)};
constexpr TimeRange positive_delays{Duration::nanos(1), Duration::seconds(3'600)};
constexpr IntegerRange mtu_range{69, 65'535};  // The smallest IPv4 path is 68 B.

bool is_none(const Node& value) {
    return value.is_string() && value.text == "none";
}

void read_delay(Keys& keys, bool whole_link, DirectionPatch& patch) {
    const Node* rtt = keys.member("rtt") != nullptr ? &keys.member("rtt")->value : nullptr;
    if (whole_link) {
        patch.has_rtt = keys.time("rtt", patch.rtt, {Duration{}, Duration::seconds(7'200)});
    } else if (rtt != nullptr) {
        keys.take("rtt");
        keys.problem(*rtt, "rtt is of both directions", "write one_way_delay here");
    }
    const bool one_way = keys.time("one_way_delay", patch.values.delay, delays);
    if (one_way && rtt != nullptr && whole_link) {
        keys.problem(*rtt, "rtt and one_way_delay stand in one table", "say one of them");
        patch.has_rtt = false;
    }
    if (one_way) patch.keys |= bit_of(LinkKey::delay);
}

// A family needs both quantiles, a table the middle one.
bool has_its_quantiles(Keys& keys, const Node& table, bool is_table) {
    const bool has_p50 = table.find("p50") != nullptr;
    const bool has_other = table.find(is_table ? "file" : "p99") != nullptr;
    if (!has_p50 || !has_other) {
        keys.problem(table,
                     is_table ? "a jitter of kind table needs file and p50"
                              : "a jitter table needs p50 and p99",
                     is_table ? "e.g. { kind = \"table\", file = \"wifi.dist\", p50 = \"4ms\" }"
                              : "e.g. { kind = \"lognormal\", p50 = \"2ms\", p99 = \"18ms\" }");
        return false;
    }
    const Node* foreign = table.find(is_table ? "p99" : "file");
    if (foreign == nullptr) return true;
    keys.problem(*foreign,
                 is_table ? "p99 of a table is what its shape says" : "file is of kind table",
                 is_table ? "p50 alone fixes it" : "kind = \"table\", or no file");
    return false;
}

void read_jitter_table(Keys& outer, const Node& table, DirectionPatch& patch) {
    Keys keys(table, outer.title() + " jitter", outer.reading());
    using Kind = JitterConfig::Kind;
    static constexpr std::array kinds{Kind::normal, Kind::lognormal, Kind::gamma, Kind::pareto,
                                      Kind::table};
    const std::vector<std::string> words{"normal", "lognormal", "gamma", "pareto", "table"};
    std::size_t word = 0;
    JitterConfig jitter;
    const bool has_kind = keys.choice("kind", word, words);
    if (!has_kind && table.find("kind") == nullptr) {
        keys.problem(table, "a jitter table needs a kind",
                     "normal, lognormal, gamma, pareto or table");
    }
    const bool is_table = has_kind && kinds[word] == Kind::table;
    const bool has_p50 = keys.time("p50", jitter.p50, positive_delays);
    const bool has_p99 = keys.time("p99", jitter.p99, positive_delays);
    const bool has_file = keys.text("file", jitter.file);
    constexpr TimeRange memories{Duration::millis(10), Duration::seconds(3'600)};
    keys.time("drift", jitter.drift, memories);
    keys.finish(outer.title() + " jitter");
    const bool is_whole = has_its_quantiles(keys, table, is_table);
    if (has_p50 && has_p99 && jitter.p99 <= jitter.p50) {
        keys.problem(*table.find("p99"), "p99 is not above p50",
                     exact_time(jitter.p99) + " and " + exact_time(jitter.p50));
        return;
    }
    if (!has_kind || !is_whole || !has_p50 || !(is_table ? has_file : has_p99)) return;
    if (is_table) {
        jitter.table = read_delay_table(*table.find("file"), outer.reading());
        if (jitter.table == nullptr) return;
    }
    jitter.kind = kinds[word];
    patch.values.jitter = jitter;
    patch.keys |= bit_of(LinkKey::jitter);
}

void read_jitter(Keys& keys, DirectionPatch& patch) {
    const Node* value = keys.take("jitter");
    if (value == nullptr) return;
    if (value->is_table()) {
        read_jitter_table(keys, *value, patch);
        return;
    }
    Duration width{};
    if (!keys.time("jitter", width, delays)) return;
    if (width > Duration{}) {
        patch.values.jitter.kind = JitterConfig::Kind::uniform;
        patch.values.jitter.width = width;
    }
    patch.keys |= bit_of(LinkKey::jitter);
}

void read_burst(Keys& keys, DirectionPatch& patch) {
    const Node* value = keys.take("burst");
    if (value == nullptr) return;
    BurstConfig burst;
    if (!is_none(*value)) {
        Quantity length;
        if (!keys.quantity("burst", *value, {Dimension::packets, Dimension::time}, length)) return;
        if (length.base <= 0 || length.base > Duration::seconds(3'600).ns) {
            keys.problem(*value, "a burst of \"" + value->text + "\" is out of range",
                         "above 0, at most 1h");
            return;
        }
        if (length.dimension == Dimension::packets) {
            burst.unit = BurstConfig::Unit::packets;
            burst.milli_packets = static_cast<std::uint64_t>(length.base);
        } else {
            burst.unit = BurstConfig::Unit::time;
            burst.time = length.duration();
        }
    }
    patch.values.burst = burst;
    patch.keys |= bit_of(LinkKey::burst);
}

void read_bad(Keys& outer, DirectionPatch& patch) {
    const Node* value = outer.take("bad");
    if (value == nullptr) return;
    if (is_none(*value)) {
        patch.keys |= bit_of(LinkKey::bad);
        return;
    }
    const Node* table = outer.table("bad");
    if (table == nullptr) return;
    Keys keys(*table, outer.title() + " bad", outer.reading());
    BadStateConfig bad;
    const bool has_share = keys.share("share", bad.share);
    const bool has_mean =
        keys.time("for", bad.mean, {Duration::micros(1), Duration::seconds(3'600)});
    keys.share("loss", bad.loss);
    keys.time("extra_delay", bad.extra_delay, delays);
    keys.rate("rate", bad.rate);
    keys.finish("[links.NAME] bad");
    if (table->find("share") == nullptr || table->find("for") == nullptr) {
        keys.problem(*table, "a bad state needs share and for",
                     "e.g. bad = { share = \"6%\", for = \"150ms\", loss = \"50%\" }");
    }
    if (!has_share || !has_mean) return;
    if (bad.share == Chance::always() || bad.share == Chance::never()) {
        keys.problem(*table->find("share"), "a bad state of 0% or 100% of the time is no state",
                     "more than 0%, less than 100%");
        return;
    }
    patch.values.bad = bad;
    patch.keys |= bit_of(LinkKey::bad);
}

void read_queue(Keys& keys, DirectionPatch& patch) {
    const Node* value = keys.take("queue");
    if (value == nullptr) return;
    QueueConfig queue;
    if (!is_none(*value)) {
        Quantity size;
        if (!keys.quantity("queue", *value, {Dimension::bytes, Dimension::time, Dimension::packets},
                           size)) {
            return;
        }
        constexpr std::int64_t bytes_max = 1'073'741'824;
        const bool fits = size.base > 0 && (size.dimension == Dimension::time
                                                ? size.duration() <= Duration::seconds(600)
                                                : size.base <= bytes_max);
        const bool whole = size.dimension != Dimension::packets || size.base % 1'000 == 0;
        if (!fits || !whole) {
            keys.problem(*value, "a queue of \"" + value->text + "\" is out of range",
                         "up to 1GiB, 600s or whole packets");
            return;
        }
        const std::uint64_t amount = static_cast<std::uint64_t>(size.base);
        if (size.dimension == Dimension::bytes)
            queue = {.unit = QueueConfig::Unit::bytes, .bytes = amount};
        else if (size.dimension == Dimension::time)
            queue = {.unit = QueueConfig::Unit::time, .time = size.duration()};
        else
            queue = {.unit = QueueConfig::Unit::packets, .packets = amount / 1'000};
    }
    patch.values.queue = queue;
    patch.keys |= bit_of(LinkKey::queue);
}

void read_mtu(Keys& keys, DirectionPatch& patch) {
    const Node* value = keys.take("mtu");
    if (value == nullptr) return;
    std::uint32_t mtu = 0;
    if (!is_none(*value) && !keys.bytes("mtu", mtu, mtu_range)) return;
    patch.values.mtu = mtu;
    patch.keys |= bit_of(LinkKey::mtu);
}

// duplicate, reorder, corrupt: a table with a chance.
void read_faults(Keys& outer, DirectionPatch& patch) {
    if (const Node* table = outer.table("duplicate")) {
        Keys keys(*table, outer.title() + " duplicate", outer.reading());
        keys.share("chance", patch.values.duplicate.chance);
        keys.time("delay", patch.values.duplicate.delay, delays);
        keys.finish("duplicate");
        patch.keys |= bit_of(LinkKey::duplicate);
    }
    if (const Node* table = outer.table("reorder")) {
        Keys keys(*table, outer.title() + " reorder", outer.reading());
        keys.share("chance", patch.values.reorder.chance);
        if (!keys.time("by", patch.values.reorder.by, positive_delays) &&
            table->find("by") == nullptr) {
            keys.problem(*table, "reorder needs by", "how much later the chosen ones come");
        }
        keys.finish("reorder");
        patch.keys |= bit_of(LinkKey::reorder);
    }
    if (const Node* table = outer.table("corrupt")) {
        Keys keys(*table, outer.title() + " corrupt", outer.reading());
        using Kind = CorruptConfig::Kind;
        static constexpr std::array kinds{Kind::flip, Kind::truncate, Kind::junk};
        const std::vector<std::string> words{"flip", "truncate", "junk"};
        std::size_t word = 0;
        keys.share("chance", patch.values.corrupt.chance);
        if (keys.choice("kind", word, words)) patch.values.corrupt.kind = kinds[word];
        keys.finish("corrupt");
        patch.keys |= bit_of(LinkKey::corrupt);
    }
}

void read_suspend(Keys& outer, DirectionPatch& patch) {
    const Node* value = outer.take("suspend");
    if (value == nullptr) return;
    SuspendConfig suspend;
    if (!is_none(*value)) {
        const Node* table = outer.table("suspend");
        if (table == nullptr) return;
        Keys keys(*table, outer.title() + " suspend", outer.reading());
        const bool has_every =
            keys.time("every", suspend.every, {Duration::millis(1), delays.most});
        const bool has_length =
            keys.time("for", suspend.length, {Duration::micros(1), delays.most});
        const std::vector<std::string> sides{"receiver", "sender"};
        std::size_t word = 0;
        if (keys.choice("side", word, sides)) {
            suspend.side = static_cast<SuspendConfig::Side>(word);
        }
        keys.finish("[links.NAME] suspend");
        if (table->find("every") == nullptr || table->find("for") == nullptr) {
            keys.problem(*table, "suspend needs every and for",
                         "e.g. suspend = { every = \"2s\", for = \"50ms\" }");
        }
        if (!has_every || !has_length) return;
        if (suspend.length >= suspend.every) {
            keys.problem(*table->find("for"), "the link would be suspended for ever",
                         "for is shorter than every");
            return;
        }
    }
    patch.values.suspend = suspend;
    patch.keys |= bit_of(LinkKey::suspend);
}

}  // namespace

DirectionPatch read_direction_keys(Keys& keys, bool whole_link) {
    DirectionPatch patch;
    read_delay(keys, whole_link, patch);
    read_jitter(keys, patch);
    const std::vector<std::string> orders{"keep", "free"};
    std::size_t word = 0;
    if (keys.choice("order", word, orders)) {
        patch.values.order = word == 0 ? LinkOrder::keep : LinkOrder::free;
        patch.keys |= bit_of(LinkKey::order);
    }
    if (keys.share("loss", patch.values.loss)) patch.keys |= bit_of(LinkKey::loss);
    read_burst(keys, patch);
    read_bad(keys, patch);
    if (keys.rate("rate", patch.values.rate)) patch.keys |= bit_of(LinkKey::rate);
    read_queue(keys, patch);
    read_mtu(keys, patch);
    if (keys.flag("mtu_reply", patch.values.has_mtu_reply))
        patch.keys |= bit_of(LinkKey::mtu_reply);
    read_faults(keys, patch);
    read_suspend(keys, patch);
    read_medium_keys(keys, patch);
    return patch;
}

void copy_link_keys(std::uint32_t keys, const DirectionConfig& from, DirectionConfig& to) {
    const auto has = [&](LinkKey key) { return (keys & bit_of(key)) != 0; };
    if (has(LinkKey::delay)) to.delay = from.delay;
    if (has(LinkKey::jitter)) to.jitter = from.jitter;
    if (has(LinkKey::order)) to.order = from.order;
    if (has(LinkKey::loss)) to.loss = from.loss;
    if (has(LinkKey::burst)) to.burst = from.burst;
    if (has(LinkKey::bad)) to.bad = from.bad;
    if (has(LinkKey::rate)) to.rate = from.rate;
    if (has(LinkKey::queue)) to.queue = from.queue;
    if (has(LinkKey::mtu)) to.mtu = from.mtu;
    if (has(LinkKey::mtu_reply)) to.has_mtu_reply = from.has_mtu_reply;
    if (has(LinkKey::duplicate)) to.duplicate = from.duplicate;
    if (has(LinkKey::reorder)) to.reorder = from.reorder;
    if (has(LinkKey::corrupt)) to.corrupt = from.corrupt;
    if (has(LinkKey::suspend)) to.suspend = from.suspend;
    if (has(LinkKey::discipline)) {
        to.discipline = from.discipline;
        to.fair = from.fair;
    }
    if (has(LinkKey::police)) to.police = from.police;
    if (has(LinkKey::handover)) to.handover = from.handover;
    if (has(LinkKey::slot)) to.slot = from.slot;
    if (has(LinkKey::trace)) to.trace = from.trace;
    if (has(LinkKey::drops)) to.drops = from.drops;
}

LinkPatch apply_link_keys(Keys& keys, LinkConfig& into) {
    LinkPatch touched;
    const DirectionPatch both = read_direction_keys(keys, true);
    copy_link_keys(both.keys, both.values, into.up);
    copy_link_keys(both.keys, both.values, into.down);
    touched.up_keys = both.keys;
    touched.down_keys = both.keys;
    if (both.has_rtt) {
        // Two equal halves; an odd nanosecond goes up.
        into.down.delay = both.rtt / (mutated<"t09-halves">() ? 1 : 2);
        into.up.delay = both.rtt - into.down.delay;
        touched.up_keys |= bit_of(LinkKey::delay);
        touched.down_keys |= bit_of(LinkKey::delay);
    }
    const auto one_way = [&](std::string_view name, DirectionConfig& direction) {
        const Node* table = keys.table(name);
        if (table == nullptr) return std::uint32_t{0};
        std::string title = keys.title();
        if (title.ends_with(']')) title.insert(title.size() - 1, "." + std::string(name));
        Keys inner(*table, title, keys.reading());
        const DirectionPatch patch = read_direction_keys(inner, false);
        copy_link_keys(patch.keys, patch.values, direction);
        inner.finish("[links.NAME." + std::string(name) + "]");
        return patch.keys;
    };
    touched.up_keys |= one_way("up", into.up);
    touched.down_keys |= one_way("down", into.down);
    return touched;
}

}  // namespace wt::sim
