// SPDX-License-Identifier: MIT
//
// CSV and JSON lines: one record a line, numbers as they are and words beside them.
#include "simulator/report/json_writer.hpp"
#include "simulator/trace/exporter.hpp"
#include "simulator/trace/payload_text.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::trace {

namespace {

// Quoted where a comma, a quote or a line feed would be taken for structure.
std::string csv_word(const std::string& word) {
    if (word.find_first_of(",\"\n\r") == std::string::npos) return word;
    std::string quoted = "\"";
    for (const char c : word) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string way_text(const Record& record) {
    return (record.flags & flag::down) != 0 ? "down" : "up";
}

// What a message told of objects, field by field as the schema names them.
void write_objects(const std::vector<ToldObject>& objects, TextOutput& text) {
    if (objects.empty()) return;
    const replication::SchemaSet& set = replay_schemas();
    text << ",\"objects\":[";
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const ToldObject& object = objects[i];
        text << (i > 0 ? ",{" : "{") << "\"slot\":" << std::to_string(object.id.slot)
             << ",\"generation\":" << std::to_string(object.id.generation);
        if (object.is_gone) {
            text << ",\"gone\":true}";
            continue;
        }
        text << ",\"kind\":" << sim::json_string(object_kind_name(object.kind));
        const std::uint8_t found = set.find(object.kind);
        const unsigned fields = found == replication::no_schema ? 0 : set.at(found).field_count;
        for (unsigned field = 0; field < fields; ++field)
            text << "," << sim::json_string(set.at(found).fields[field].name) << ":"
                 << std::to_string(object.state.fields[field]);
        text << "}";
    }
    text << "]";
}

}  // namespace

std::uint64_t export_csv(const TraceFile& trace, const Selection& selection, Output& output) {
    TextOutput text(output);
    text
        << "number,time_s,peer,way,lane,type,kind,flags,sequence,tick,size,age_us,detail,meaning\n";
    std::uint64_t count = 0;
    for_each_record(trace, selection.filter, selection.range,
                    [&](std::uint64_t number, const std::uint8_t* stored) {
                        const Record record = Record::load(stored);
                        text << std::to_string(number) << "," << seconds_text(record.time) << ","
                             << csv_word(trace.peer_name(record.peer)) << "," << way_text(record)
                             << "," << csv_word(lane_text(trace.about(), record.lane)) << ","
                             << csv_word(type_text(trace.about(), record)) << ","
                             << csv_word(kind_text(trace.about(), record)) << ","
                             << csv_word(flags_text(trace.about(), record)) << ","
                             << std::to_string(record.sequence) << ","
                             << std::to_string(record.tick) << "," << std::to_string(record.size)
                             << "," << std::to_string(record.age) << ","
                             << std::to_string(record.detail) << ","
                             << csv_word(detail_text(trace.about(), record)) << "\n";
                        ++count;
                        return true;
                    });
    return count;
}

std::uint64_t export_jsonl(const TraceFile& trace, const Selection& selection, Output& output) {
    TextOutput text(output);
    PayloadTeller teller(trace);
    std::uint64_t count = 0;
    for_each_record(trace, selection.filter, selection.range,
                    [&](std::uint64_t number, const std::uint8_t* stored) {
                        const Record record = Record::load(stored);
                        const auto word = [&](const char* name, const std::string& value) {
                            if (!value.empty())
                                text << ",\"" << name << "\":" << sim::json_string(value);
                        };
                        text << "{\"number\":" << std::to_string(number)
                             << ",\"time_ns\":" << std::to_string(record.time);
                        word("type", type_text(trace.about(), record));
                        word("peer", trace.peer_name(record.peer));
                        word("way", way_text(record));
                        word("lane", lane_text(trace.about(), record.lane));
                        word("kind", kind_text(trace.about(), record));
                        word("flags", flags_text(trace.about(), record));
                        text << ",\"sequence\":" << std::to_string(record.sequence)
                             << ",\"tick\":" << std::to_string(record.tick)
                             << ",\"size\":" << std::to_string(record.size)
                             << ",\"age_us\":" << std::to_string(record.age)
                             << ",\"detail\":" << std::to_string(record.detail);
                        word("meaning", detail_text(trace.about(), record));
                        if ((record.flags & flag::payload) != 0) {
                            const Told told = teller.tell(number);
                            const std::string envelope =
                                told.envelope.empty() ? "" : told.envelope + ": ";
                            word("payload", envelope + told.text);
                            write_objects(told.objects, text);
                        }
                        text << "}\n";
                        ++count;
                        return true;
                    });
    return count;
}

std::uint64_t export_records(ExportFormat format, const TraceFile& trace,
                             const Selection& selection, Output& output) {
    switch (format) {
        case ExportFormat::csv:
            return export_csv(trace, selection, output);
        case ExportFormat::jsonl:
            return export_jsonl(trace, selection, output);
        case ExportFormat::chrome:
            return export_chrome(trace, selection, output);
        case ExportFormat::pcapng:
            return export_pcapng(trace, selection, output);
    }
    return 0;
}

}  // namespace wt::trace
