// SPDX-License-Identifier: MIT
//
// A run that goes on, as the viewer sees it, and its controls. A change of a link becomes an act of
// the scenario, and the run is begun anew with it and brought to where it was: since a run is a
// function of scenario and seed, that is the same run, and what is saved replays it exactly.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "simulator/trace/trace_file.hpp"
#include "viewer/model/cell_store.hpp"
#include "viewer/model/live_run.hpp"
#include "viewer/model/run_info.hpp"

namespace wt::viewer {

struct LinkChange {
    std::string link{};
    std::string keys{};  // As in a scenario: `loss = "10%", rtt = "200ms"`.
};

class LiveSource final : public Source {
public:
    // Kept for the panels; a trace file has all of them.
    static constexpr std::uint64_t records_max = 8'000'000;

    [[nodiscard]] static Result<std::unique_ptr<LiveSource>, std::string> open(
        const std::string& path, const std::vector<std::string>& settings,
        const LiveOptions& options);

    void begin_frame() override;
    [[nodiscard]] const RunInfo& info() const override { return info_; }
    [[nodiscard]] Instant end() const override { return end_; }
    [[nodiscard]] std::uint64_t version() const override { return version_; }
    [[nodiscard]] std::span<const AnomalyInfo> anomalies() const override { return anomalies_; }
    std::size_t cells(std::size_t series, PeerIndex peer, Range range, std::span<Cell> out,
                      Detail detail) const override;
    [[nodiscard]] std::uint64_t record_count() const override { return counts_.back(); }
    [[nodiscard]] trace::Record record(std::uint64_t number) const override;
    [[nodiscard]] ConstBytes record_bytes(std::uint64_t first) const override;
    [[nodiscard]] std::uint64_t first_record_at(Instant at) const override;
    [[nodiscard]] std::uint64_t neighbour(std::uint64_t number, PeerIndex peer,
                                          int step) const override;
    void each_of_peer(PeerIndex peer, std::uint64_t from, const TakeRecord& take) const override;
    [[nodiscard]] const trace::About& about() const override { return run_->about(); }
    [[nodiscard]] const trace::TraceFile& names() const override { return *names_; }
    [[nodiscard]] LiveSource* live() override { return this; }

    // Controls. All of them may be called at any time.
    void toggle_running();
    void step_tick();
    void set_speed(double speed);
    void scale_speed(double factor);
    void restart();
    // Empty, or why not: the reader's own words.
    [[nodiscard]] std::string change_link(const LinkChange& change);
    void look_at(PeerIndex peer);
    [[nodiscard]] const LiveState& state() const { return state_; }
    [[nodiscard]] const sim::Scenario& scenario() const { return run_->scenario(); }
    // The scenario with all changes, which replays what was seen.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t changes() const { return changes_; }
    [[nodiscard]] sim::RunResult wait_for_end(const std::function<bool()>& wants_stop = {}) {
        return run_->wait_for_end(wants_stop);
    }

private:
    LiveSource() = default;
    void begin(std::unique_ptr<LiveRun> run);
    [[nodiscard]] std::string begin_anew(const std::string& text, Instant catch_up_to);
    void take_records(const std::vector<std::uint8_t>& bytes);

    std::string file_{};
    std::string text_{};
    std::size_t changes_ = 0;
    LiveOptions options_{};
    std::unique_ptr<LiveRun> run_{};
    LiveState state_{};
    std::vector<SeriesOrigin> origins_{};
    RunInfo info_{};
    std::vector<AnomalyInfo> anomalies_{};
    std::optional<trace::TraceFile> names_{};  // An empty trace of this run.
    std::unique_ptr<CellStore> cells_{};
    // Chunks of records, and how many there are before each.
    std::vector<std::vector<std::uint8_t>> chunks_{};
    std::vector<std::uint64_t> counts_{0};
    std::uint64_t version_ = 0;
    Instant end_{};
};

}  // namespace wt::viewer
