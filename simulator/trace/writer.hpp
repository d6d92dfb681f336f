// SPDX-License-Identifier: MIT
//
// Writes one trace: records in order of time, series, payloads, and at the end what came out. It
// never waits for anything but the write itself, keeps a bounded amount of memory (two blocks, or
// the ring, and sixteen cells a series), and knows nothing of worlds: Capture feeds it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/trace/about.hpp"
#include "simulator/trace/block_writer.hpp"
#include "simulator/trace/payload_store.hpp"
#include "simulator/trace/ring.hpp"
#include "simulator/trace/series_builder.hpp"

namespace wt::trace {

// For whoever shows a run while it is written: told of everything in the order in which it is
// added.
struct Listener {
    std::function<void(const std::uint8_t* stored)> record{};
    SeriesBuilder::CellsClosed cells{};
    std::function<void(const Anomaly&)> anomaly{};
};

class Writer {
public:
    // Writes header and `about` at once. Both must have as many peers.
    Writer(Header header, const About& about, Output& output);

    // Returns the record's number, counted from the first one ever added.
    std::uint64_t add(const Record& record) {
        std::uint8_t stored[Record::stored_bytes];
        record.store(stored);
        if (listener_.record) listener_.record(stored);
        if (ring_) {
            ring_->add(stored);
            return ring_->added() - 1;
        }
        blocks_.add(stored);
        return blocks_.count() - 1;
    }
    // The bytes of the message whose `deliver` record was added last.
    void add_payload(std::uint64_t record, ConstBytes bytes) { payload_.add(record, bytes); }
    void add_anomaly(const Anomaly& anomaly);
    void listen(Listener listener);
    [[nodiscard]] SeriesBuilder& series() { return series_; }
    // Everything before `now_ns` was added.
    void advance(std::int64_t now_ns);

    struct Ending {
        std::int64_t end_ns = 0;  // Where the run came to.
        Outcome outcome{};
        std::optional<Wall> wall{};
    };
    // Everything that was open is written; false where the output is not whole.
    bool finish(const Ending& ending);

    [[nodiscard]] const Counts& counts() const { return counts_; }
    [[nodiscard]] const About& about() const { return about_; }
    // Of all records, once finished.
    [[nodiscard]] DigestValue digest() const { return blocks_.digest(); }

private:
    // Anomalies are for people: the first so many are kept, all are counted.
    static constexpr std::size_t anomalies_max = 65'536;

    void unwind_ring(std::int64_t end_ns);
    void write_anomalies();

    About about_;
    Output& output_;
    SectionWriter sections_;
    BlockWriter blocks_;
    SeriesBuilder series_;
    PayloadStore payload_;
    std::unique_ptr<Ring> ring_{};
    std::vector<Anomaly> anomalies_{};
    Listener listener_{};
    std::uint64_t first_kept_ = 0;
    Counts counts_{};
};

}  // namespace wt::trace
