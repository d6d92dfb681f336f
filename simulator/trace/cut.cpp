// SPDX-License-Identifier: MIT
//
// A trace with fewer records. Names, series, results and wall-clock figures come along unchanged;
// anomalies and payloads go where their records go.
#include <algorithm>

#include "simulator/trace/block_writer.hpp"
#include "simulator/trace/exporter.hpp"
#include "simulator/trace/payload_store.hpp"

namespace wt::trace {

namespace {

void write_anomalies(const TraceFile& trace, const std::vector<std::uint64_t>& kept,
                     SectionWriter& sections) {
    std::vector<std::uint8_t> payload(trace.anomalies().size() * Anomaly::stored_bytes);
    std::size_t at = 0;
    for (Anomaly anomaly : trace.anomalies()) {
        const auto found = std::lower_bound(kept.begin(), kept.end(), anomaly.record);
        const bool is_kept = found != kept.end() && *found == anomaly.record;
        anomaly.record = is_kept ? static_cast<std::uint64_t>(found - kept.begin()) : no_record;
        anomaly.store(payload.data() + at);
        at += Anomaly::stored_bytes;
    }
    (void)sections.add(Section::anomalies, 0, payload);
}

}  // namespace

std::uint64_t cut_trace(const TraceFile& trace, const Selection& selection, Output& output) {
    const ConstBytes head = trace.bytes().first(Header::stored_bytes);
    output.write(head);
    SectionWriter sections(output);
    std::vector<std::uint8_t> payload;
    encode(trace.about(), payload);
    (void)sections.add(Section::about, 0, payload);
    trace.series().copy_to(sections);
    BlockWriter blocks(trace.peer_count(), sections);
    PayloadStore bytes(false);
    std::vector<std::uint64_t> kept;  // Old numbers, in their new order.
    for_each_record(trace, selection.filter, selection.range,
                    [&](std::uint64_t number, const std::uint8_t* stored) {
                        const Record record = Record::load(stored);
                        if ((record.flags & flag::payload) != 0) {
                            if (const auto found = trace.payload_of(number)) {
                                bytes.add(blocks.count(), *found);
                                bytes.settle(sections);
                            }
                        }
                        kept.push_back(number);
                        blocks.add(stored);
                        return true;
                    });
    bytes.finish(sections, 0);
    blocks.finish();
    write_anomalies(trace, kept, sections);
    Counts counts;
    counts.kept = blocks.count();
    counts.dropped = trace.counts().dropped + trace.record_count() - counts.kept;
    counts.by_peer = blocks.by_peer();
    payload.clear();
    encode(counts, payload);
    (void)sections.add(Section::counts, 0, payload);
    if (trace.outcome()) {
        payload.clear();
        encode(*trace.outcome(), payload);
        (void)sections.add(Section::results, 0, payload);
    }
    if (trace.wall()) {
        payload.clear();
        encode(*trace.wall(), payload);
        (void)sections.add(Section::wall, 0, payload);
    }
    sections.finish();
    return counts.kept;
}

}  // namespace wt::trace
