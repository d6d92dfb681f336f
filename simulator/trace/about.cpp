// SPDX-License-Identifier: MIT
//
// Both directions of each part stand side by side: whoever adds a field adds it twice.
#include "simulator/trace/about.hpp"

#include <string_view>

#include "engine/transport/message.hpp"
#include "simulator/link/drop_cause.hpp"
#include "simulator/trace/packing.hpp"

namespace wt::trace {

namespace {

template <std::size_t Count>
std::vector<Word> words_of(const WordText (&texts)[Count]) {
    std::vector<Word> words;
    for (const WordText& text : texts)
        words.push_back({text.value, text.name});
    return words;
}

template <class Enum>
std::vector<Word> named(unsigned count, const char* (*name)(Enum)) {
    std::vector<Word> words;
    for (unsigned i = 0; i < count; ++i)
        words.push_back({i, name(static_cast<Enum>(i))});
    return words;
}

void pack_words(Packer& packer, const std::vector<Word>& words) {
    packer.list(words, [&](const Word& word) {
        packer.number(word.value);
        packer.text(word.name);
    });
}

void unpack_words(Unpacker& unpacker, std::vector<Word>& words) {
    unpacker.list(words, [&](Word& word) {
        word.value = unpacker.number<std::uint32_t>();
        word.name = unpacker.text();
    });
}

void pack_plan(Packer& packer, const About& about) {
    packer.list(about.groups, [&](const std::string& group) { packer.text(group); });
    packer.list(about.peers, [&](const PeerEntry& peer) {
        packer.text(peer.name);
        packer.number(peer.group);
        packer.number(std::uint8_t{peer.is_full ? std::uint8_t{1} : std::uint8_t{0}});
    });
    packer.list(about.phases, [&](const PhaseEntry& phase) {
        packer.text(phase.name);
        packer.time(phase.start);
        packer.time(phase.end);
    });
    packer.list(about.acts, [&](const ActEntry& act) {
        packer.text(act.name);
        packer.text(act.verb);
        packer.text(act.link);
        packer.time(act.start);
        packer.time(act.end);
        packer.list(act.targets, [&](std::uint16_t peer) { packer.number(peer); });
    });
    packer.list(about.gates, [&](const GateEntry& gate) {
        packer.text(gate.name);
        packer.text(gate.text);
    });
}

void unpack_plan(Unpacker& unpacker, About& about) {
    unpacker.list(about.groups, [&](std::string& group) { group = unpacker.text(); });
    unpacker.list(about.peers, [&](PeerEntry& peer) {
        peer.name = unpacker.text();
        peer.group = unpacker.number<std::uint16_t>();
        peer.is_full = unpacker.number<std::uint8_t>() != 0;
    });
    unpacker.list(about.phases, [&](PhaseEntry& phase) {
        phase.name = unpacker.text();
        phase.start = unpacker.time();
        phase.end = unpacker.time();
    });
    unpacker.list(about.acts, [&](ActEntry& act) {
        act.name = unpacker.text();
        act.verb = unpacker.text();
        act.link = unpacker.text();
        act.start = unpacker.time();
        act.end = unpacker.time();
        unpacker.list(act.targets,
                      [&](std::uint16_t& peer) { peer = unpacker.number<std::uint16_t>(); });
    });
    unpacker.list(about.gates, [&](GateEntry& gate) {
        gate.name = unpacker.text();
        gate.text = unpacker.text();
    });
}

// The lists of words in the file's order, so that both directions agree.
template <class AboutType, class Each>
void for_each_words(AboutType& about, Each each) {
    for (auto* words : {&about.types, &about.flags, &about.changes, &about.anomalies, &about.kinds,
                        &about.lanes, &about.causes, &about.reasons, &about.statuses})
        each(*words);
}

}  // namespace

void add_words(About& about) {
    about.types = words_of(type_texts);
    about.flags = words_of(flag_texts);
    about.changes = words_of(change_texts);
    about.anomalies = words_of(anomaly_texts);
    about.kinds = named<transport::Kind>(transport::kind_count, transport::name_of);
    about.lanes = named<transport::Lane>(transport::lane_count, transport::name_of);
    about.causes = named<sim::DropCause>(sim::drop_cause_count, sim::name_of);
    about.reasons =
        named<transport::CloseReason>(transport::close_reason_count, transport::name_of);
    constexpr unsigned statuses = static_cast<unsigned>(transport::SendStatus::unsupported) + 1;
    about.statuses = named<transport::SendStatus>(statuses, transport::name_of);
    about.series.clear();
    for (const SeriesText& text : series_texts)
        about.series.push_back({text.name, text.unit, text.fold});
}

std::string word_of(const std::vector<Word>& words, std::uint32_t value) {
    for (const Word& word : words) {
        if (word.value == value) return word.name;
    }
    return "?" + std::to_string(value);
}

void encode(const About& about, std::vector<std::uint8_t>& out) {
    Packer packer(out);
    for (const std::string* text :
         {&about.scenario, &about.file, &about.text, &about.build, &about.transport, &about.cipher})
        packer.text(*text);
    packer.number(about.input_rate);
    packer.number(about.snapshot_rate);
    packer.time(about.last_ns);
    packer.number(std::uint8_t{about.has_payload ? std::uint8_t{1} : std::uint8_t{0}});
    pack_plan(packer, about);
    for_each_words(about, [&](const std::vector<Word>& words) { pack_words(packer, words); });
    packer.list(about.series, [&](const SeriesEntry& series) {
        packer.text(series.name);
        packer.text(series.unit);
        packer.number(static_cast<std::uint8_t>(series.fold));
    });
}

std::optional<About> decode_about(ConstBytes bytes) {
    About about;
    Unpacker unpacker(bytes);
    for (std::string* text :
         {&about.scenario, &about.file, &about.text, &about.build, &about.transport, &about.cipher})
        *text = unpacker.text();
    about.input_rate = unpacker.number<std::uint32_t>();
    about.snapshot_rate = unpacker.number<std::uint32_t>();
    about.last_ns = unpacker.time();
    about.has_payload = unpacker.number<std::uint8_t>() != 0;
    unpack_plan(unpacker, about);
    for_each_words(about, [&](std::vector<Word>& words) { unpack_words(unpacker, words); });
    unpacker.list(about.series, [&](SeriesEntry& series) {
        series.name = unpacker.text();
        series.unit = unpacker.text();
        const std::uint8_t fold = unpacker.number<std::uint8_t>();
        series.fold = fold <= 2 ? static_cast<Fold>(fold) : Fold::range;
    });
    if (unpacker.failed()) return std::nullopt;
    return about;
}

void encode(const Outcome& outcome, std::vector<std::uint8_t>& out) {
    Packer packer(out);
    packer.time(outcome.ran_until);
    packer.number(outcome.digest.high);
    packer.number(outcome.digest.low);
    packer.number(outcome.events);
    packer.number(outcome.last_draw);
    packer.number(outcome.exit_code);
    packer.list(outcome.gates, [&](const GateOutcome& gate) {
        for (const std::string* text :
             {&gate.name, &gate.subject, &gate.verdict, &gate.value, &gate.bound})
            packer.text(*text);
        packer.time(gate.number);
        packer.number(gate.worst_peer);
        packer.time(gate.worst_time);
        packer.time(gate.worst_number);
    });
}

std::optional<Outcome> decode_outcome(ConstBytes bytes) {
    Outcome outcome;
    Unpacker unpacker(bytes);
    outcome.ran_until = unpacker.time();
    outcome.digest.high = unpacker.number<std::uint64_t>();
    outcome.digest.low = unpacker.number<std::uint64_t>();
    outcome.events = unpacker.number<std::uint64_t>();
    outcome.last_draw = unpacker.number<std::uint64_t>();
    outcome.exit_code = unpacker.number<std::uint8_t>();
    unpacker.list(outcome.gates, [&](GateOutcome& gate) {
        for (std::string* text :
             {&gate.name, &gate.subject, &gate.verdict, &gate.value, &gate.bound})
            *text = unpacker.text();
        gate.number = unpacker.time();
        gate.worst_peer = unpacker.number<std::uint16_t>();
        gate.worst_time = unpacker.time();
        gate.worst_number = unpacker.time();
    });
    if (unpacker.failed()) return std::nullopt;
    return outcome;
}

void encode(const Counts& counts, std::vector<std::uint8_t>& out) {
    Packer packer(out);
    packer.number(counts.kept);
    packer.number(counts.dropped);
    packer.list(counts.by_peer, [&](std::uint64_t count) { packer.number(count); });
}

std::optional<Counts> decode_counts(ConstBytes bytes) {
    Counts counts;
    Unpacker unpacker(bytes);
    counts.kept = unpacker.number<std::uint64_t>();
    counts.dropped = unpacker.number<std::uint64_t>();
    unpacker.list(counts.by_peer,
                  [&](std::uint64_t& count) { count = unpacker.number<std::uint64_t>(); });
    if (unpacker.failed()) return std::nullopt;
    return counts;
}

void encode(const Wall& wall, std::vector<std::uint8_t>& out) {
    Packer packer(out);
    packer.time(wall.wall_ns);
    packer.time(wall.cpu_ns);
    packer.number(wall.memory_bytes);
    for (const std::vector<std::uint32_t>* list : {&wall.tick_max_us, &wall.tick_sum_us})
        packer.list(*list, [&](std::uint32_t value) { packer.number(value); });
}

std::optional<Wall> decode_wall(ConstBytes bytes) {
    Wall wall;
    Unpacker unpacker(bytes);
    wall.wall_ns = unpacker.time();
    wall.cpu_ns = unpacker.time();
    wall.memory_bytes = unpacker.number<std::uint64_t>();
    for (std::vector<std::uint32_t>* list : {&wall.tick_max_us, &wall.tick_sum_us})
        unpacker.list(*list,
                      [&](std::uint32_t& value) { value = unpacker.number<std::uint32_t>(); });
    if (unpacker.failed()) return std::nullopt;
    return wall;
}

}  // namespace wt::trace
