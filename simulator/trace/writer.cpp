// SPDX-License-Identifier: MIT
#include "simulator/trace/writer.hpp"

#include <algorithm>
#include <array>

#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::trace {

Writer::Writer(Header header, const About& about, Output& output)
    : about_(about),
      output_(output),
      sections_(output),
      blocks_(header.peers, sections_),
      series_(header.peers),
      payload_(about.last_ns != 0) {
    WT_CHECK(about.peers.size() == header.peers);
    WT_CHECK(header.peers < no_peer);
    if (about.last_ns != 0) ring_ = std::make_unique<Ring>(about.last_ns);
    header.magic = file_magic;
    header.version = format_version;
    header.header_bytes = Header::stored_bytes;
    std::array<std::uint8_t, Header::stored_bytes> bytes{};
    header.store(bytes.data());
    header.hash = hash_bytes(ConstBytes(bytes).first(Header::offset_hash), header_key);
    header.store(bytes.data());
    output_.write(bytes);
    std::vector<std::uint8_t> payload;
    encode(about_, payload);
    (void)sections_.add(Section::about, 0, payload);
}

void Writer::listen(Listener listener) {
    series_.listen(listener.cells);
    listener_ = std::move(listener);
}

void Writer::add_anomaly(const Anomaly& anomaly) {
    if (listener_.anomaly) listener_.anomaly(anomaly);
    if (anomalies_.size() < anomalies_max) anomalies_.push_back(anomaly);
}

void Writer::advance(std::int64_t now_ns) {
    series_.advance(now_ns, sections_);
    payload_.settle(sections_);
}

void Writer::unwind_ring(std::int64_t end_ns) {
    first_kept_ = ring_->first_kept(end_ns);
    counts_.dropped = first_kept_;
    if (ring_->was_full() && first_kept_ < ring_->added()) {
        Anomaly anomaly;
        anomaly.time = Record::load(ring_->at(first_kept_)).time;
        anomaly.record = first_kept_;
        anomaly.value = static_cast<std::int64_t>(first_kept_);
        anomaly.peer = no_peer;
        anomaly.anomaly = static_cast<std::uint16_t>(AnomalyKind::trace_drop);
        add_anomaly(anomaly);
    }
    for (std::uint64_t number = first_kept_; number < ring_->added(); ++number)
        blocks_.add(ring_->at(number));
}

// Numbers count from the first record in the file.
void Writer::write_anomalies() {
    std::stable_sort(anomalies_.begin(), anomalies_.end(),
                     [](const Anomaly& a, const Anomaly& b) { return a.time < b.time; });
    std::vector<std::uint8_t> payload(anomalies_.size() * Anomaly::stored_bytes);
    for (std::size_t i = 0; i < anomalies_.size(); ++i) {
        Anomaly anomaly = anomalies_[i];
        if (anomaly.record != no_record)
            anomaly.record =
                anomaly.record < first_kept_ ? no_record : anomaly.record - first_kept_;
        anomaly.store(payload.data() + i * Anomaly::stored_bytes);
    }
    (void)sections_.add(Section::anomalies, 0, payload);
}

bool Writer::finish(const Ending& ending) {
    if (ring_) unwind_ring(ending.end_ns);
    series_.advance(ending.end_ns, sections_);
    series_.finish(sections_);
    payload_.finish(sections_, first_kept_);
    blocks_.finish();
    write_anomalies();
    counts_.kept = blocks_.count();
    counts_.by_peer = blocks_.by_peer();
    std::vector<std::uint8_t> payload;
    encode(counts_, payload);
    (void)sections_.add(Section::counts, 0, payload);
    payload.clear();
    encode(ending.outcome, payload);
    (void)sections_.add(Section::results, 0, payload);
    payload.clear();
    if (ending.wall) {
        encode(*ending.wall, payload);
        (void)sections_.add(Section::wall, 0, payload);
    }
    sections_.finish();
    return output_.close();
}

}  // namespace wt::trace
