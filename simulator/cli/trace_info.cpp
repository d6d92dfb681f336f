// SPDX-License-Identifier: MIT
//
// `wavetank trace info`: what a trace says of itself, for people or as JSON. Reads every byte, so
// that what is damaged is found.
#include <algorithm>
#include <map>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/cli/trace_input.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/json_writer.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/trace/difference.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t anomalies_shown = 12;

// Of a piece that was cut out: where its records end, not where the run did.
std::int64_t last_record_ns(const trace::TraceFile& file) {
    if (file.counts().dropped == 0 || file.block_count() == 0) return file.last_ns();
    return file.block(file.block_count() - 1).last_time;
}

std::string head_text(const trace::TraceFile& file, const std::string& path) {
    const trace::About& about = file.about();
    std::string text = about.scenario + "   seed " + std::to_string(file.header().seed) + "   " +
                       about.transport + (about.cipher.empty() ? "" : ", " + about.cipher) + "   " +
                       grouped(file.peer_count() - 1) + " bots   " +
                       trace::clock_text(file.header().end) + "\n";
    text += "file       " + path + ", " + grouped(file.file_bytes()) + " B, written by " +
            about.build + "\n";
    text += "records    " + grouped(file.record_count()) + " in " + grouped(file.block_count()) +
            " blocks, " + trace::clock_text(file.first_ns()) + " to " +
            trace::clock_text(last_record_ns(file));
    if (file.counts().dropped > 0)
        text += "; " + grouped(file.counts().dropped) + " more were not kept";
    const auto full = std::count_if(about.peers.begin() + 1, about.peers.end(),
                                    [](const trace::PeerEntry& peer) { return peer.is_full; });
    if (full + 1 < static_cast<std::ptrdiff_t>(file.peer_count()))
        text += "\ncapture    records of " + std::to_string(full) + " bots, series of all";
    text += "\nschemas    " + format_hex(file.header().schema_hash, 16) +
            (file.header().schema_hash == 0 ? " (no game)" : "") + "\n";
    if (about.has_payload) text += "payload    captured\n";
    return text;
}

std::string outcome_text(const trace::TraceFile& file) {
    if (!file.outcome()) return "result     none: the run did not come to its end\n";
    const trace::Outcome& outcome = *file.outcome();
    std::string text = "digest     " + format_digest(outcome.digest) + "   exit code " +
                       std::to_string(outcome.exit_code) + "\n";
    for (const trace::GateOutcome& gate : outcome.gates) {
        text += "  " + pad_right(gate.is_failed() ? "FAIL" : gate.verdict, 4) + "  " +
                pad_right(gate.name, 16) + "  " + pad_right(gate.value, 12) + "  " +
                pad_right(gate.bound, 14) + "  " + gate.subject + "\n";
    }
    return text;
}

std::string types_text(const trace::TraceFile& file) {
    const trace::TraceStatistics statistics = trace::statistics_of(file);
    std::string text = "types     ";
    std::size_t column = text.size();
    for (std::size_t type = 0; type < statistics.by_type.size(); ++type) {
        if (statistics.by_type[type] == 0) continue;
        const std::string part =
            " " + trace::word_of(file.about().types, static_cast<std::uint32_t>(type)) + " " +
            grouped(statistics.by_type[type]);
        if (column + part.size() > 98) {
            text += "\n          ";
            column = 10;
        }
        text += part + " ";
        column += part.size() + 1;
    }
    return text + "\n";
}

std::string anomalies_text(const trace::TraceFile& file) {
    if (file.anomalies().empty()) return "anomalies  none\n";
    struct Kind {
        std::uint64_t count = 0;
        trace::Anomaly first{};
    };
    std::map<std::uint16_t, Kind> kinds;
    for (const trace::Anomaly& anomaly : file.anomalies()) {
        Kind& kind = kinds[anomaly.anomaly];
        if (kind.count++ == 0) kind.first = anomaly;
    }
    std::string text = "anomalies  " + grouped(file.anomalies().size()) + "\n";
    std::size_t shown = 0;
    for (const auto& [number, kind] : kinds) {
        if (shown++ == anomalies_shown) break;
        text += "  " + pad_left(grouped(kind.count), 8) + "  " +
                pad_right(trace::word_of(file.about().anomalies, number), 16) + "  first at " +
                trace::clock_text(kind.first.time) + ", " + file.peer_name(kind.first.peer) + "\n";
    }
    return text;
}

// Reads every byte.
std::string soundness_text(const trace::TraceFile& file) {
    std::string text;
    for (std::size_t block = 0; block < file.block_count(); ++block) {
        if (file.is_block_sound(block)) continue;
        const trace::Block& bad = file.block(block);
        text += "DAMAGED    records " + grouped(bad.first_record) + " to " +
                grouped(bad.first_record + bad.count - 1) + ", at byte " +
                std::to_string(bad.offset) + "\n";
    }
    return text;
}

// Integers in base units; schema 1.
std::string info_json(const trace::TraceFile& file, const std::string& path,
                      const std::string& damage) {
    const trace::About& about = file.about();
    const trace::TraceStatistics statistics = trace::statistics_of(file);
    JsonWriter json;
    json.begin_object();
    json.member("schema", 1);
    json.member("file", path);
    json.member("bytes", file.file_bytes());
    json.member("build", about.build);
    json.member("scenario", about.scenario);
    json.member("seed", file.header().seed);
    json.member("schema_hash", format_hex(file.header().schema_hash, 16));
    json.member("records", file.record_count());
    json.member("dropped", file.counts().dropped);
    json.member("blocks", std::uint64_t{file.block_count()});
    json.member("first_ns", file.first_ns());
    json.member("last_ns", file.last_ns());
    json.object("types");
    for (const trace::Word& word : about.types)
        json.member(word.name, statistics.by_type[word.value & 255]);
    json.end_object();
    json.array("peers");
    for (std::size_t i = 0; i < about.peers.size(); ++i) {
        json.begin_object();
        json.member("name", about.peers[i].name);
        json.member("full", about.peers[i].is_full);
        if (i < file.counts().by_peer.size()) json.member("records", file.counts().by_peer[i]);
        json.end_object();
    }
    json.end_array();
    json.array("anomalies");
    for (const trace::Anomaly& anomaly : file.anomalies()) {
        json.begin_object();
        json.member("kind", trace::word_of(about.anomalies, anomaly.anomaly));
        json.member("time_ns", anomaly.time);
        json.member("peer", file.peer_name(anomaly.peer));
        json.member("value", anomaly.value);
        json.end_object();
    }
    json.end_array();
    if (file.outcome()) {
        json.member("digest", format_hex(file.outcome()->digest.high, 16) +
                                  format_hex(file.outcome()->digest.low, 16));
        json.member("exit_code", std::uint32_t{file.outcome()->exit_code});
    }
    json.member("damage", file.damage() + damage);
    json.end_object();
    return json.take();
}

}  // namespace

int trace_info(const Options& options, const trace::TraceFile& file) {
    const std::string damage = soundness_text(file);
    if (options.query.as_json) {
        print(info_json(file, options.files.front(), damage));
    } else {
        print(head_text(file, options.files.front()) + outcome_text(file) + types_text(file) +
              anomalies_text(file) + damage);
    }
    return damage.empty() && file.damage().empty() ? exit_passed : exit_bad_input;
}

}  // namespace wt::sim
