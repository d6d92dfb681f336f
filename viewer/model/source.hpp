// SPDX-License-Identifier: MIT
//
// The one seam of the viewer: what it knows of a run, be it a file, a run that is going on, or a
// test's invention. Everything is pulled in bounded pieces, so that no panel can ask for all
// records in one frame. Calls are made from the window's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.hpp"
#include "simulator/scenario/quantity.hpp"
#include "simulator/trace/about.hpp"
#include "simulator/trace/layout.hpp"
#include "simulator/trace/record_columns.hpp"

namespace wt::trace {
class TraceFile;
}

namespace wt::viewer {

// Index into RunInfo::peers, as in traces: the server first, then the bots.
using PeerIndex = std::uint32_t;
inline constexpr PeerIndex no_peer = 0xffff'ffff;
inline constexpr PeerIndex server_peer = 0;
inline constexpr PeerIndex first_bot = 1;
inline constexpr std::uint64_t no_record = ~std::uint64_t{0};

// Half open: [from, to).
struct Range {
    Instant from{};
    Instant to{};

    [[nodiscard]] Duration length() const { return to - from; }
    [[nodiscard]] bool is_empty() const { return to <= from; }
    [[nodiscard]] bool holds(Instant at) const { return from <= at && at < to; }
    friend bool operator==(const Range&, const Range&) = default;
};

// What a stretch of a series was: a spike inside it stays visible however far away one looks.
struct Cell {
    std::int64_t min = std::numeric_limits<std::int64_t>::max();
    std::int64_t max = std::numeric_limits<std::int64_t>::min();
    std::int64_t sum = 0;  // Of a series that adds up: the total. Else meaningless.

    void add(std::int64_t value) { merge({value, value, value}); }
    void merge(const Cell& other) {
        if (other.min < min) min = other.min;
        if (other.max > max) max = other.max;
        sum += other.sum;
    }
    [[nodiscard]] bool is_empty() const { return max < min; }
    [[nodiscard]] std::int64_t middle() const { return is_empty() ? 0 : min + (max - min) / 2; }
};

struct SeriesInfo {
    std::string key{};    // "rtt", "queue_age_bulk": what panels look for.
    std::string title{};  // As people read it.
    sim::Dimension dimension = sim::Dimension::count;
    // Values add up (corrections, bytes); `min` and `max` are then of the shortest stretches that
    // the source knows, RunInfo::cell_ns long.
    bool is_sum = false;
    bool is_servers = false;  // Bots have none of it.
};

struct PeerInfo {
    std::string name{};
    std::string group{};
    bool has_records = true;  // Else it has series only.
};

struct PhaseInfo {
    std::string name{};
    Range range{};
};

struct ActInfo {
    std::string name{};
    std::string what{};
    Range range{};
};

struct AnomalyInfo {
    std::uint16_t kind = 0;  // Index into RunInfo::anomaly_kinds.
    Instant at{};
    PeerIndex peer = no_peer;
    std::uint64_t record = no_record;
    std::string text{};  // What the value was, in words.
};

struct GateInfo {
    enum class State : std::uint8_t { pending, ok, fail, not_counted };
    std::string name{};
    std::string text{};   // The whole gate, as written.
    std::string value{};  // "118 ms", or empty while nothing was measured.
    std::string bound{};  // "< 150 ms"
    State state = State::pending;
    PeerIndex worst_peer = no_peer;
    Instant worst_at = Instant::never();  // never: not known.
    // Of a gate that holds a series below a bound: which, and where; for the plots.
    std::string series{};
    std::int64_t series_bound = 0;
};

// What the tick plot reckons counted work at: as the scenario declares it for its server. Where it
// declares nothing each counts one, and the plot says counts: no time is made up.
struct WorkCosts {
    std::int64_t datagram_ns = 1;  // Opened or sealed.
    std::int64_t object_ns = 1;    // Looked at, or written.
    bool is_declared = false;
};

// Small next to the records; stays valid and unmoved while the source lives.
struct RunInfo {
    std::string title{};     // File or scenario.
    std::string scenario{};  // Name.
    std::uint64_t seed = 0;
    std::string build{};
    std::string transport{};
    std::string warning{};  // What a reader has to know first: a damaged file, dropped records.
    std::int64_t tick_ns = 16'666'667;
    std::int64_t cell_ns = 100'000'000;
    std::uint32_t initial_tick = 0;
    WorkCosts costs{};
    std::vector<PeerInfo> peers{};
    PeerIndex recorded_bots = 0;  // Of whom there are records.
    std::vector<PhaseInfo> phases{};
    std::vector<ActInfo> acts{};
    std::vector<GateInfo> gates{};
    std::vector<SeriesInfo> series{};
    std::vector<std::string> anomaly_kinds{};

    [[nodiscard]] PeerIndex bot_count() const {
        return peers.empty() ? 0 : static_cast<PeerIndex>(peers.size() - 1);
    }
    // The place of a series, or -1: not every run has every series.
    [[nodiscard]] int find_series(std::string_view key) const {
        for (std::size_t i = 0; i < series.size(); ++i) {
            if (series[i].key == key) return static_cast<int>(i);
        }
        return -1;
    }
    [[nodiscard]] PeerIndex find_peer(std::string_view name) const {
        for (std::size_t i = 0; i < peers.size(); ++i) {
            if (peers[i].name == name) return static_cast<PeerIndex>(i);
        }
        return no_peer;
    }
};

enum class Detail : std::uint8_t { rough, exact };

using TakeRecord = std::function<bool(std::uint64_t number, const trace::Record& record)>;

class LiveSource;

class Source {
public:
    virtual ~Source() = default;

    // Before each frame: what has happened since. Nothing else changes while a frame is drawn.
    virtual void begin_frame() {}
    // Its controls, if it is a run that goes on.
    [[nodiscard]] virtual LiveSource* live() { return nullptr; }

    [[nodiscard]] virtual const RunInfo& info() const = 0;
    // Up to where there is anything, and a number that rises whenever there is more.
    [[nodiscard]] virtual Instant end() const = 0;
    [[nodiscard]] virtual std::uint64_t version() const = 0;

    // In order of time.
    [[nodiscard]] virtual std::span<const AnomalyInfo> anomalies() const = 0;

    // The range in equal parts, one cell each, merged into `out`. Returns how many stored cells it
    // looked at. A rough answer looks at as few as there are parts or fewer, and may show a spike
    // in the parts beside its own as well.
    virtual std::size_t cells(std::size_t series, PeerIndex peer, Range range, std::span<Cell> out,
                              Detail detail) const = 0;

    // Records by number, in order of time. Reading one past the end is a bug.
    [[nodiscard]] virtual std::uint64_t record_count() const = 0;
    [[nodiscard]] virtual trace::Record record(std::uint64_t number) const = 0;
    // Records from `first` on as they lie behind each other in the file, 32 bytes each; at least
    // one where there is one, as many as lie together. Valid until the source changes.
    [[nodiscard]] virtual ConstBytes record_bytes(std::uint64_t first) const = 0;
    // The same records by columns, where the source has them: record `first` is number
    // `first % trace::block_records` in there.
    [[nodiscard]] virtual const trace::RecordColumns* columns_of(std::uint64_t first) const {
        (void)first;
        return nullptr;
    }
    // While `waits`, what is being prepared in the background leaves the machine to who asks.
    virtual void hold_back(bool waits) const { (void)waits; }
    // Number of the first record at or after an instant.
    [[nodiscard]] virtual std::uint64_t first_record_at(Instant at) const = 0;
    // A peer's nearest record behind (step 1) or before (-1) a number; no_record: none.
    [[nodiscard]] virtual std::uint64_t neighbour(std::uint64_t number, PeerIndex peer,
                                                  int step) const = 0;
    // A peer's records from a number on, in order, until `take` says false.
    virtual void each_of_peer(PeerIndex peer, std::uint64_t from, const TakeRecord& take) const = 0;
    // The words that numbers in records stand for.
    [[nodiscard]] virtual const trace::About& about() const = 0;
    // A trace with the same names, to compile filters with.
    [[nodiscard]] virtual const trace::TraceFile& names() const = 0;
    // The file behind it, for what only a whole trace can answer; nullptr while a run goes on.
    [[nodiscard]] virtual const trace::TraceFile* file() const { return nullptr; }

    [[nodiscard]] Cell cell(std::size_t series, PeerIndex peer, Range range) const {
        Cell one;
        (void)cells(series, peer, range, {&one, 1}, Detail::exact);
        return one;
    }
};

}  // namespace wt::viewer
