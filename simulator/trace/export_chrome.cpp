// SPDX-License-Identifier: MIT
//
// Trace event JSON. A process is a peer, a thread one of its lanes. Datagrams are short slices at
// both ends with a flow between them; what is on its way is an async span from send to receive or
// drop. Series become counters, one value a cell. Spec: Trace Event Format (Google), JSON object
// format.
#include <algorithm>

#include "simulator/report/json_writer.hpp"
#include "simulator/trace/exporter.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::trace {

namespace {

// Long enough to be seen, short enough that slices of one thread do not overlap: flushes and polls
// are milliseconds apart.
constexpr const char* slice_us = "20";
// Threads: lanes 0 to 7, datagrams without a lane, the game.
constexpr unsigned thread_bare = 8;
constexpr unsigned thread_game = 9;

class ChromeExport {
public:
    ChromeExport(const TraceFile& trace, Output& output) : trace_(trace), text_(output) {}

    std::uint64_t write(const Selection& selection) {
        const Header& header = trace_.header();
        text_ << "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"seed\":\""
              << std::to_string(header.seed)
              << "\",\"scenario\":" << sim::json_string(trace_.about().scenario) << ",\"schema\":\""
              << std::to_string(header.schema_hash) << "\"},\"traceEvents\":[";
        write_names();
        std::uint64_t count = 0;
        for_each_record(trace_, selection.filter, selection.range,
                        [&](std::uint64_t, const std::uint8_t* stored) {
                            write_record(Record::load(stored));
                            ++count;
                            return true;
                        });
        write_counters(selection);
        text_ << "\n]}\n";
        return count;
    }

private:
    // "28410.123": microseconds.
    static std::string us(std::int64_t ns) {
        // Only a damaged record's time is negative.
        ns = std::max<std::int64_t>(ns, 0);
        std::string part = std::to_string(ns % 1'000);
        part.insert(0, 3 - part.size(), '0');
        return std::to_string(ns / 1'000) + "." + part;
    }
    // pid 1 is the server; 0 is nobody's.
    static std::string pid(std::uint16_t peer) {
        return std::to_string(peer == no_peer ? 0 : peer + 1);
    }

    void begin(const char* phase, std::uint16_t peer, unsigned thread, const std::string& name) {
        text_ << (is_first_ ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << pid(peer)
              << ",\"tid\":" << std::to_string(thread) << ",\"name\":" << sim::json_string(name);
        is_first_ = false;
    }
    void meta(const char* what, std::uint16_t peer, unsigned thread, const std::string& name) {
        begin("M", peer, thread, what);
        text_ << ",\"args\":{\"name\":" << sim::json_string(name) << "}}";
    }

    void write_names() {
        const About& about = trace_.about();
        meta("process_name", no_peer, 0, "timeline");
        for (std::size_t i = 0; i < about.peers.size(); ++i) {
            const std::uint16_t peer = static_cast<std::uint16_t>(i);
            meta("process_name", peer, 0, about.peers[i].name);
            begin("M", peer, 0, "process_sort_index");
            text_ << ",\"args\":{\"sort_index\":" << std::to_string(i) << "}}";
            for (const Word& lane : about.lanes)
                meta("thread_name", peer, lane.value, lane.name);
            meta("thread_name", peer, thread_bare, "handshake, ack, keepalive");
            meta("thread_name", peer, thread_game, "game");
        }
    }

    static unsigned thread_of(const Record& record) {
        return record.lane < thread_bare ? record.lane : thread_bare;
    }
    // Who noted it: the server's part of a peer's record belongs to the server.
    static std::uint16_t place_of(const Record& record) {
        return (record.flags & flag::server_side) != 0 ? std::uint16_t{0} : record.peer;
    }
    std::string id_of(const Record& record) const {
        return std::string((record.flags & flag::down) != 0 ? "d" : "u") +
               std::to_string(record.peer) + "." + std::to_string(record.sequence);
    }
    std::string name_of(const Record& record) const {
        const std::string kind = kind_text(trace_.about(), record);
        return kind.empty() ? type_text(trace_.about(), record) : kind;
    }
    void arguments(const Record& record) {
        text_ << ",\"args\":{\"peer\":" << sim::json_string(trace_.peer_name(record.peer))
              << ",\"sequence\":" << std::to_string(record.sequence)
              << ",\"tick\":" << std::to_string(record.tick)
              << ",\"bytes\":" << std::to_string(record.size);
        const std::string detail = detail_text(trace_.about(), record);
        if (!detail.empty()) text_ << ",\"detail\":" << sim::json_string(detail);
        text_ << "}}";
    }
    void flow(const Record& record, const char* phase) {
        begin(phase, place_of(record), thread_of(record), "datagram");
        text_ << ",\"ts\":" << us(record.time) << ",\"cat\":\"flow\",\"id\":\"" << id_of(record)
              << "\"" << (*phase == 'f' ? ",\"bp\":\"e\"}" : "}");
    }
    void flight(const Record& record, const char* phase) {
        begin(phase, record.peer, thread_of(record), name_of(record));
        text_ << ",\"ts\":" << us(record.time) << ",\"cat\":\"flight\",\"id\":\"" << id_of(record)
              << "\"}";
    }
    void slice(const Record& record, const std::string& name, unsigned thread) {
        begin("X", place_of(record), thread, name);
        text_ << ",\"ts\":" << us(record.time) << ",\"dur\":" << slice_us << ",\"cat\":\""
              << type_text(trace_.about(), record) << "\"";
        arguments(record);
    }
    void instant(const Record& record, const std::string& name) {
        begin("i", place_of(record), thread_game, name);
        text_ << ",\"ts\":" << us(record.time) << ",\"s\":\"p\"";
        arguments(record);
    }

    void write_record(const Record& record) {
        switch (static_cast<Type>(record.type)) {
            case Type::send:
                slice(record, "send " + name_of(record), thread_of(record));
                flow(record, "s");
                return flight(record, "b");
            case Type::receive:
                slice(record, "receive " + name_of(record), thread_of(record));
                // A copy's flow begins nowhere: its number is its own.
                if ((record.flags & flag::copy) != 0) return;
                flow(record, "f");
                return flight(record, "e");
            case Type::drop:
                instant(record, "dropped: " + detail_text(trace_.about(), record));
                if ((record.flags & flag::copy) == 0) flight(record, "e");
                return;
            case Type::tick:
                return slice(record, "tick", thread_game);
            case Type::connection:
            case Type::refuse:
            case Type::correction:
            case Type::baseline_miss:
            case Type::keyframe_request:
            case Type::desync:
            case Type::input_missing:
            case Type::ticket_refused:
            case Type::act_begin:
            case Type::act_end: {
                const std::string detail = detail_text(trace_.about(), record);
                return instant(record, type_text(trace_.about(), record) + " " +
                                           kind_text(trace_.about(), record) +
                                           (detail.empty() ? "" : " " + detail));
            }
            case Type::deliver:
            case Type::apply:
                return slice(
                    record,
                    type_text(trace_.about(), record) + " " + kind_text(trace_.about(), record),
                    thread_game);
            case Type::fragment:
            case Type::duplicate:
            case Type::queue:
            case Type::acked:
            case Type::rtt:
            case Type::input:
            case Type::response:
                return;
        }
    }

    // Of the stretch of time that the records are from.
    void write_counters(const Selection& selection) {
        const std::vector<SeriesEntry>& series = trace_.about().series;
        if (selection.range.count() == 0) return;
        const std::int64_t cells = static_cast<std::int64_t>(trace_.series().cells(0));
        const std::int64_t first =
            std::max<std::int64_t>(trace_.record(selection.range.first).time / cell_ns, 0);
        const std::int64_t last =
            std::min(trace_.record(selection.range.last - 1).time / cell_ns, cells - 1);
        for (std::uint32_t peer = 0; peer < trace_.peer_count(); ++peer) {
            const std::optional<std::uint16_t> only = selection.filter.only_peer();
            if (only && *only != peer) continue;
            for (std::uint32_t number = 0; number < series.size(); ++number) {
                if (!is_counter(series[number].name)) continue;
                for (std::int64_t cell = first; cell <= last; ++cell)
                    write_cell(number, static_cast<std::uint16_t>(peer), cell);
            }
        }
    }
    static bool is_counter(std::string_view name) {
        return name == "rtt" || name == "queue_age_up" || name == "queue_age_down" ||
               name == "backlog" || name == "corrections" || name == "snapshot_age";
    }
    void write_cell(std::uint32_t number, std::uint16_t peer, std::int64_t cell) {
        SeriesCell value;
        trace_.series().read(number, peer, 0, static_cast<std::uint64_t>(cell), {&value, 1});
        if (value.is_empty()) return;
        const SeriesEntry& series = trace_.about().series[number];
        begin("C", peer, 0, series.name + " " + series.unit);
        text_ << ",\"ts\":" << us(cell * cell_ns)
              << ",\"args\":{\"max\":" << std::to_string(value.max) << "}}";
    }

    const TraceFile& trace_;
    TextOutput text_;
    bool is_first_ = true;
};

}  // namespace

std::uint64_t export_chrome(const TraceFile& trace, const Selection& selection, Output& output) {
    return ChromeExport(trace, output).write(selection);
}

}  // namespace wt::trace
