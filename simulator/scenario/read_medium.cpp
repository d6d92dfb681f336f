// SPDX-License-Identifier: MIT
//
// Keys of a link's direction about its medium: disciplines, policers, handovers, slots, recordings,
// listed losses; and the traffic of others, which is of the whole link.
#include <algorithm>
#include <array>

#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/link_keys.hpp"
#include "simulator/scenario/recording.hpp"

namespace wt::sim {

namespace {

constexpr TimeRange times{Duration{}, Duration::seconds(3'600)};
constexpr TimeRange positive{Duration::micros(1), Duration::seconds(3'600)};
constexpr IntegerRange sizes{64, 1'073'741'824};

// Where `drops = "none"` and its like take away what a profile has.
bool takes_away(const Node& value) {
    return value.is_string() && value.text == "none";
}

// Both keys must stand in the table; a problem with an example where one does not.
bool has_both(Keys& keys, const char* first, const char* second, const std::string& example) {
    if (keys.node().find(first) != nullptr && keys.node().find(second) != nullptr) return true;
    keys.problem(keys.node(), keys.title() + " needs " + first + " and " + second, example);
    return false;
}

// A word, or a table with what a fair queue may be told.
void read_discipline(Keys& outer, DirectionPatch& patch) {
    // In the order of the enumeration.
    const std::vector<std::string> words{"droptail", "codel", "red", "pie", "drophead", "fq-codel"};
    constexpr IntegerRange quanta{68, 65'535};
    const Node* value = outer.take("discipline");
    if (value == nullptr) return;
    std::size_t word = 0;
    FairQueueConfig fair;
    if (value->is_table()) {
        Keys keys(*value, outer.title() + " discipline", outer.reading());
        const bool has_kind = keys.choice("kind", word, words);
        const bool has_buckets = keys.integer("buckets", fair.buckets, {1, 65'536});
        const bool has_quantum = keys.bytes("quantum", fair.quantum, quanta);
        keys.finish("[links.NAME] discipline");
        const std::string example =
            "e.g. discipline = { kind = \"fq-codel\", buckets = 1024, quantum = \"300B\" }";
        if (value->find("kind") == nullptr)
            keys.problem(*value, keys.title() + " needs kind", example);
        if (!has_kind) return;
        const bool is_fair = static_cast<Discipline>(word) == Discipline::fq_codel;
        if (!is_fair && (has_buckets || has_quantum)) {
            keys.problem(*value, "buckets and quantum are of fq-codel", example);
            return;
        }
    } else if (!outer.choice("discipline", word, words)) {
        return;
    }
    patch.values.discipline = static_cast<Discipline>(word);
    patch.values.fair = fair;
    patch.keys |= bit_of(LinkKey::discipline);
}

void read_police(Keys& outer, DirectionPatch& patch) {
    const Node* value = outer.take("police");
    if (value == nullptr) return;
    PoliceConfig police;
    if (!takes_away(*value)) {
        const Node* table = outer.table("police");
        if (table == nullptr) return;
        Keys keys(*table, outer.title() + " police", outer.reading());
        std::uint32_t burst = 0;
        const bool has_rate = keys.rate("rate", police.rate);
        const bool has_burst = keys.bytes("burst", burst, {1'500, sizes.most});
        police.burst = burst;
        keys.finish("[links.NAME] police");
        const bool is_whole = has_both(keys, "rate", "burst",
                                       "e.g. police = { rate = \"2Mbit/s\", burst = \"16KiB\" }");
        if (!is_whole || !has_rate || !has_burst) return;
    }
    patch.values.police = police;
    patch.keys |= bit_of(LinkKey::police);
}

void read_handover(Keys& outer, DirectionPatch& patch) {
    const Node* value = outer.take("handover");
    if (value == nullptr) return;
    HandoverConfig handover;
    if (!takes_away(*value)) {
        const Node* table = outer.table("handover");
        if (table == nullptr) return;
        Keys keys(*table, outer.title() + " handover", outer.reading());
        const bool has_every =
            keys.time("every", handover.every, {Duration::millis(1), times.most});
        keys.time("gap", handover.gap, times);
        keys.time("step", handover.step, times);
        keys.share("loss", handover.loss);
        keys.finish("[links.NAME] handover");
        if (table->find("every") == nullptr) {
            keys.problem(*table, keys.title() + " needs every",
                         "e.g. handover = { every = \"15s\", gap = \"60ms\", step = \"30ms\" }");
        }
        if (!has_every) return;
        if (handover.gap >= handover.every) {
            keys.problem(*table->find("gap"), "the gap never ends", "gap is shorter than every");
            return;
        }
        if (handover.loss != Chance::never() && handover.gap == Duration{}) {
            keys.problem(*table->find("loss"), "loss is of the gap, and there is none",
                         "say gap, e.g. gap = \"60ms\"");
            return;
        }
    }
    patch.values.handover = handover;
    patch.keys |= bit_of(LinkKey::handover);
}

void read_slot(Keys& outer, DirectionPatch& patch) {
    const Node* value = outer.take("slot");
    if (value == nullptr) return;
    SlotConfig slot;
    if (!takes_away(*value)) {
        const Node* table = outer.table("slot");
        if (table == nullptr) return;
        Keys keys(*table, outer.title() + " slot", outer.reading());
        const bool has_every = keys.time("every", slot.every, {Duration::micros(10), times.most});
        const bool has_bytes = keys.bytes("bytes", slot.bytes, sizes);
        keys.finish("[links.NAME] slot");
        const bool is_whole =
            has_both(keys, "every", "bytes", "e.g. slot = { every = \"10ms\", bytes = \"6000B\" }");
        if (!is_whole || !has_every || !has_bytes) return;
    }
    patch.values.slot = slot;
    patch.keys |= bit_of(LinkKey::slot);
}

void read_trace(Keys& outer, DirectionPatch& patch) {
    const Node* value = outer.take("trace");
    if (value == nullptr) return;
    TraceConfig trace;
    if (!takes_away(*value)) {
        const Node* table = outer.table("trace");
        if (table == nullptr) return;
        Keys keys(*table, outer.title() + " trace", outer.reading());
        bool wraps = true;
        const bool has_file = keys.text("file", trace.file);
        keys.flag("wrap", wraps);
        keys.finish("[links.NAME] trace");
        if (table->find("file") == nullptr) {
            keys.problem(*table, keys.title() + " needs file",
                         "e.g. trace = { file = \"drive.down\" }");
        }
        if (!has_file) return;
        if (!read_recording(*table->find("file"), wraps, outer.reading(), trace)) return;
    }
    patch.values.trace = trace;
    patch.keys |= bit_of(LinkKey::trace);
}

void read_drops(Keys& outer, DirectionPatch& patch) {
    constexpr std::size_t list_max = 1'000;
    const Node* value = outer.take("drops");
    if (value == nullptr) return;
    DropsConfig drops;
    if (!takes_away(*value)) {
        const Node* table = outer.table("drops");
        if (table == nullptr) return;
        Keys keys(*table, outer.title() + " drops", outer.reading());
        std::int64_t every = 0;
        keys.integer("every", every, {1, INT64_MAX});
        drops.every = static_cast<std::uint64_t>(every);
        const Node* list = keys.take("list");
        keys.finish("[links.NAME] drops");
        if ((list == nullptr) == (table->find("every") == nullptr)) {
            keys.problem(*table, keys.title() + " needs either every or list",
                         "e.g. drops = { every = 10 } or drops = { list = [3, 4, 9] }");
            return;
        }
        const auto is_number = [](const Node& item) {
            return item.kind == Node::Kind::integer && item.integer > 0;
        };
        if (list != nullptr) {
            if (list->kind != Node::Kind::array || list->items.empty() ||
                list->items.size() > list_max ||
                !std::all_of(list->items.begin(), list->items.end(), is_number)) {
                keys.problem(*list, "list is 1 to 1,000 numbers, the first datagram being 1",
                             "e.g. list = [3, 4, 9]");
                return;
            }
            for (const Node& item : list->items)
                drops.list.push_back(static_cast<std::uint64_t>(item.integer));
            std::sort(drops.list.begin(), drops.list.end());
        }
    }
    patch.values.drops = drops;
    patch.keys |= bit_of(LinkKey::drops);
}

// When a flow runs: a phase, a time with a length, or the whole run.
void read_cross_time(Keys& keys, CrossConfig& cross) {
    Reading& reading = keys.reading();
    const Node* in_phase = keys.take("phase");
    const Node* at = keys.take("time");
    Duration length{};
    const bool has_length =
        keys.time("for", length, {Duration::millis(1), Duration::seconds(604'800)});
    if (in_phase != nullptr && at != nullptr) {
        keys.problem(*at, keys.title() + " has both time and phase", "say one of them");
    } else if (in_phase != nullptr) {
        std::vector<std::string> names;
        for (const Phase& phase : reading.scenario.phases) {
            names.push_back(phase.name);
            if (!in_phase->is_string() || phase.name != in_phase->text) continue;
            cross.start = phase.start;
            cross.end = phase.end;
            return;
        }
        const std::string word = in_phase->is_string() ? in_phase->text : "";
        keys.problem(*in_phase, "unknown phase \"" + word + "\"", did_you_mean(word, names));
    } else if (at != nullptr && read_time_point(*at, reading, cross.start) && has_length) {
        cross.end = cross.start + length;
    }
}

void read_flow(const Node& table, const std::string& title, LinkConfig& link, CrossConfig cross,
               Reading& reading) {
    constexpr std::uint64_t packets_a_second_max = 100'000;
    Keys keys(table, title, reading);
    const std::vector<std::string> ways{"up", "down"};
    const std::vector<std::string> kinds{"constant", "poisson", "onoff", "greedy"};
    std::size_t way = 0;
    std::size_t kind = 0;
    const bool has_way = keys.choice("direction", way, ways);
    const bool has_kind = keys.choice("kind", kind, kinds);
    cross.kind = static_cast<CrossKind>(kind);
    keys.bytes("packet", cross.packet, {36, 65'507});
    const bool has_rate = keys.rate("rate", cross.rate);
    const bool has_on = keys.time("on", cross.on, positive);
    const bool has_off = keys.time("off", cross.off, positive);
    read_cross_time(keys, cross);
    keys.finish("[links.NAME.cross.FLOW]");
    if (table.find("direction") == nullptr || table.find("kind") == nullptr) {
        reading.add(table.place, title + " needs direction and kind",
                    "e.g. direction = \"up\", kind = \"greedy\"");
    }
    if (!has_way || !has_kind) return;
    const bool wants_rate = cross.kind != CrossKind::greedy;
    const bool is_onoff = cross.kind == CrossKind::onoff;
    if (wants_rate && table.find("rate") == nullptr) {
        reading.add(table.place, title + " needs a rate", "how much it sends, e.g. \"2Mbit/s\"");
        return;
    }
    if (!wants_rate && has_rate) {
        keys.problem(*table.find("rate"), "a greedy flow takes what it gets", "leave rate out");
        return;
    }
    if (is_onoff != (has_on && has_off)) {
        reading.add(table.place,
                    is_onoff ? title + " needs on and off" : title + " has on and off of onoff",
                    "mean lengths, e.g. on = \"2s\", off = \"8s\"");
        return;
    }
    const std::uint64_t bits = std::uint64_t{cross.packet + 28} * 8;
    if (wants_rate && cross.rate.bits_per_second / bits > packets_a_second_max) {
        keys.problem(*table.find("rate"), "more than 100,000 packets a second",
                     "larger packets, or a lower rate");
        return;
    }
    if (wants_rate && cross.rate.bits_per_second == 0) {
        keys.problem(*table.find("rate"), "a flow without a rate", "more than 0bit/s");
        return;
    }
    (way == 0 ? link.up : link.down).cross.push_back(std::move(cross));
}

}  // namespace

void read_medium_keys(Keys& keys, DirectionPatch& patch) {
    read_discipline(keys, patch);
    read_police(keys, patch);
    read_handover(keys, patch);
    read_slot(keys, patch);
    read_trace(keys, patch);
    read_drops(keys, patch);
}

void read_cross_traffic(Keys& outer, LinkConfig& link) {
    constexpr std::size_t flows_max = 32;
    const Node* flows = outer.table("cross");
    if (flows == nullptr) return;
    Reading& reading = outer.reading();
    // What a profile has is replaced as a whole: flows have names of their own link.
    link.up.cross.clear();
    link.down.cross.clear();
    std::string front = outer.title();
    if (front.ends_with(']')) front.pop_back();
    if (flows->members.size() > flows_max) {
        reading.add(flows->place, "more than 32 flows on one link",
                    "one flow can be many people's");
        return;
    }
    for (const Member& member : flows->members) {
        const std::string title = front + ".cross." + member.key + "]";
        if (!member.value.is_table()) {
            reading.add(member.key_place, "a flow is a table", title);
            continue;
        }
        CrossConfig cross;
        cross.name = member.key;
        read_flow(member.value, title, link, std::move(cross), reading);
    }
}

}  // namespace wt::sim
