// SPDX-License-Identifier: MIT
#include "viewer/model/live_source.hpp"

#include <algorithm>

#include "simulator/scenario/read_scenario.hpp"
#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

constexpr double speed_min = 0.1;
constexpr double speed_max = 64;

struct Read {
    sim::Scenario scenario{};
    std::vector<sim::Gate> gates{};
};

// A scenario and its gates, or all that is wrong with it in the reader's words.
Result<Read, std::string> checked(Result<sim::Scenario, std::vector<sim::Problem>> scenario) {
    if (!scenario) return unexpected(sim::format_problems(scenario.error()));
    Read read;
    read.scenario = std::move(*scenario);
    std::vector<sim::Problem> problems;
    read.gates = sim::compile_gates(read.scenario, problems);
    if (!problems.empty()) return unexpected(sim::format_problems(problems));
    return read;
}

// A trace that has this run's names and nothing else.
trace::TraceFile empty_trace(const trace::Header& header, const trace::About& about) {
    std::vector<std::uint8_t> bytes;
    trace::Output output(bytes);
    trace::Writer writer(header, about, output);
    (void)writer.finish({});
    auto file = trace::TraceFile::parse(std::move(bytes));
    return std::move(file.value());
}

}  // namespace

Result<std::unique_ptr<LiveSource>, std::string> LiveSource::open(
    const std::string& path, const std::vector<std::string>& settings, const LiveOptions& options) {
    auto read = checked(sim::read_scenario(path, settings));
    if (!read) return unexpected(read.error());
    if (read->scenario.bot_count() + 1 >= trace::no_peer)
        return unexpected(path + ": at most 65,534 bots can be shown");
    std::unique_ptr<LiveSource> source(new LiveSource);
    source->file_ = path;
    source->text_ = read->scenario.resolved_text;
    source->options_ = options;
    source->begin(
        std::make_unique<LiveRun>(std::move(read->scenario), std::move(read->gates), options));
    return source;
}

void LiveSource::begin(std::unique_ptr<LiveRun> run) {
    run_.reset();  // The one before ends first: both may write to one trace file.
    run_ = std::move(run);
    origins_.clear();
    info_ = run_info_of(run_->header(), run_->about(), origins_);
    const std::size_t slash = file_.rfind('/');
    info_.title = slash == std::string::npos ? file_ : file_.substr(slash + 1);
    anomalies_.clear();
    names_.reset();
    names_.emplace(empty_trace(run_->header(), run_->about()));
    cells_ = std::make_unique<CellStore>(static_cast<std::uint32_t>(info_.peers.size()));
    chunks_.clear();
    counts_ = {0};
    end_ = {};
    ++version_;
    state_ = run_->state();
}

void LiveSource::take_records(const std::vector<std::uint8_t>& bytes) {
    const std::uint64_t count = bytes.size() / trace::Record::stored_bytes;
    if (count == 0) return;
    if (record_count() + count > records_max) {
        info_.warning =
            "records after the first " + count_text(record_count()) + " are in the trace file only";
        return;
    }
    chunks_.push_back(bytes);
    counts_.push_back(counts_.back() + count);
}

void LiveSource::begin_frame() {
    const LiveBatch batch = run_->take();
    state_ = run_->state();
    for (const auto& row : batch.rows)
        cells_->push(row);
    take_records(batch.records);
    for (const trace::Anomaly& anomaly : batch.anomalies)
        anomalies_.push_back(anomaly_of(anomaly, run_->about(), info_));
    trace::Outcome so_far;
    so_far.gates = state_.gates;
    add_outcome(so_far, info_);
    if (state_.reached != end_ || !batch.rows.empty()) ++version_;
    end_ = state_.reached;
}

std::size_t LiveSource::cells(std::size_t series, PeerIndex peer, Range range, std::span<Cell> out,
                              Detail) const {
    if (series >= origins_.size() || peer >= info_.peers.size() || range.is_empty() || out.empty())
        return 0;
    const SeriesOrigin& origin = origins_[series];
    const std::int64_t part = range.length().ns / static_cast<std::int64_t>(out.size());
    const unsigned level = !origin.is_sum && cells_->row_ns(1) <= part ? 1 : 0;
    const std::int64_t length = cells_->row_ns(level);
    const std::uint64_t begin = static_cast<std::uint64_t>(range.from.ns / length);
    const std::uint64_t end = std::min(
        cells_->rows(level), static_cast<std::uint64_t>((range.to.ns + length - 1) / length));
    const double whole = static_cast<double>(range.length().ns);
    const auto part_of = [&](std::int64_t at) {
        const std::int64_t offset =
            std::clamp<std::int64_t>(at - range.from.ns, 0, range.length().ns - 1);
        const double share = static_cast<double>(offset) / whole;
        return std::min(static_cast<std::size_t>(share * static_cast<double>(out.size())),
                        out.size() - 1);
    };
    const auto add = [&](std::uint32_t from) {
        for (std::uint64_t row = begin; row < end; ++row) {
            const trace::SeriesCell& cell = cells_->at(level, row, peer, from);
            if (cell.is_empty()) continue;
            const std::int64_t at = static_cast<std::int64_t>(row) * length;
            const Cell one{cell.min * origin.scale, cell.max * origin.scale,
                           origin.is_sum ? cell.max * origin.scale : 0};
            const std::size_t first = part_of(at);
            const std::size_t last = origin.is_sum ? first : part_of(at + length - 1);
            for (std::size_t i = first; i <= last; ++i)
                out[i].merge(one);
        }
    };
    add(origin.first);
    if (origin.second >= 0) add(static_cast<std::uint32_t>(origin.second));
    return end > begin ? static_cast<std::size_t>(end - begin) : 0;
}

ConstBytes LiveSource::record_bytes(std::uint64_t first) const {
    if (first >= record_count()) return {};
    const auto after = std::upper_bound(counts_.begin(), counts_.end(), first);
    const std::size_t chunk = static_cast<std::size_t>(after - counts_.begin()) - 1;
    return ConstBytes(chunks_[chunk])
        .subspan(static_cast<std::size_t>(first - counts_[chunk]) * trace::Record::stored_bytes);
}

trace::Record LiveSource::record(std::uint64_t number) const {
    return trace::Record::load(record_bytes(number).data());
}

std::uint64_t LiveSource::first_record_at(Instant at) const {
    std::uint64_t low = 0;
    std::uint64_t high = record_count();
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (record(middle).time < at.ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

std::uint64_t LiveSource::neighbour(std::uint64_t number, PeerIndex peer, int step) const {
    // There is no index of a run that goes on; a peer's next record is a few hundred away.
    std::uint64_t at = std::min(number, record_count());
    for (;;) {
        if (step > 0 ? at + 1 >= record_count() : at == 0) return no_record;
        at = step > 0 ? at + 1 : at - 1;
        if (record(at).peer == peer) return at;
    }
}

void LiveSource::each_of_peer(PeerIndex peer, std::uint64_t from, const TakeRecord& take) const {
    for (std::uint64_t first = from; first < record_count();) {
        const ConstBytes bytes = record_bytes(first);
        const std::size_t count = bytes.size() / trace::Record::stored_bytes;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t* const at = bytes.data() + i * trace::Record::stored_bytes;
            if (load_little<std::uint16_t>(at + trace::Record::offset_peer) != peer) continue;
            if (!take(first + i, trace::Record::load(at))) return;
        }
        first += count;
    }
}

void LiveSource::toggle_running() {
    run_->set_running(!state_.is_running);
    state_ = run_->state();
}

void LiveSource::step_tick() {
    run_->step_tick();
}

void LiveSource::set_speed(double speed) {
    run_->set_speed(speed);
    state_ = run_->state();
}

void LiveSource::scale_speed(double factor) {
    // From "as fast as it goes" the way back begins at the fastest pace there is.
    const double speed = state_.speed <= 0 ? speed_max / factor : state_.speed;
    set_speed(std::clamp(speed * factor, speed_min, speed_max));
}

void LiveSource::look_at(PeerIndex peer) {
    if (peer != no_peer && peer != server_peer) run_->look_at(peer - first_bot);
}

std::string LiveSource::begin_anew(const std::string& text, Instant catch_up_to) {
    auto read = checked(sim::read_scenario_text(text, file_, {}));
    if (!read) return read.error();
    LiveOptions options = options_;
    options.seed = info_.seed;
    options.catch_up_to = catch_up_to;
    options.is_running = state_.is_running;
    options.speed = state_.speed;
    // The old run lets go of the trace file before the new one begins it again.
    run_.reset();
    begin(std::make_unique<LiveRun>(std::move(read->scenario), std::move(read->gates), options));
    return {};
}

void LiveSource::restart() {
    const std::string problem = begin_anew(text_, {});
    if (!problem.empty()) info_.warning = problem;
}

std::string LiveSource::change_link(const LinkChange& change) {
    const Instant reached = run_->state().reached;
    const Instant at{(reached.ns / sim::report_grid.ns + 1) * sim::report_grid.ns};
    const std::string text = text_ + "\n[[at]]\nname = \"viewer-" + std::to_string(changes_ + 1) +
                             "\"\ntime = \"" + std::to_string(at.ns / 1'000'000) +
                             "ms\"\ndo = \"change\"\nlink = \"" + change.link + "\"\nset = { " +
                             change.keys + " }\n";
    const std::string problem = begin_anew(text, reached);
    if (!problem.empty()) return problem;
    text_ = text;
    ++changes_;
    return {};
}

}  // namespace wt::viewer
