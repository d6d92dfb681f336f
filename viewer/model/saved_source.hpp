// SPDX-License-Identifier: MIT
//
// A trace file as the viewer sees it. Opening reads the file's tables; records and series are
// looked at where panels ask for them.
#pragma once

#include <memory>
#include <string>

#include "simulator/trace/trace_file.hpp"
#include "viewer/model/run_info.hpp"
#include "viewer/model/scan_index.hpp"

namespace wt::viewer {

class SavedSource final : public Source {
public:
    // The error says what is wrong with the file, which it names.
    [[nodiscard]] static Result<std::unique_ptr<SavedSource>, std::string> open(
        const std::string& path);
    explicit SavedSource(trace::TraceFile file, const std::string& title);

    // The second frame's beginning: the first picture stands, and the rest of the file is looked
    // at.
    void begin_frame() override;
    [[nodiscard]] const RunInfo& info() const override { return info_; }
    [[nodiscard]] Instant end() const override { return end_; }
    [[nodiscard]] std::uint64_t version() const override { return 1; }
    [[nodiscard]] std::span<const AnomalyInfo> anomalies() const override { return anomalies_; }
    std::size_t cells(std::size_t series, PeerIndex peer, Range range, std::span<Cell> out,
                      Detail detail) const override;
    [[nodiscard]] std::uint64_t record_count() const override { return file_.record_count(); }
    [[nodiscard]] trace::Record record(std::uint64_t number) const override {
        return file_.record(number);
    }
    [[nodiscard]] ConstBytes record_bytes(std::uint64_t first) const override;
    [[nodiscard]] const trace::RecordColumns* columns_of(std::uint64_t first) const override;
    void hold_back(bool waits) const override { index_.hold_back(waits); }
    [[nodiscard]] bool is_indexed() const { return index_.is_complete(); }
    [[nodiscard]] std::uint64_t first_record_at(Instant at) const override;
    [[nodiscard]] std::uint64_t neighbour(std::uint64_t number, PeerIndex peer,
                                          int step) const override;
    void each_of_peer(PeerIndex peer, std::uint64_t from, const TakeRecord& take) const override;
    [[nodiscard]] const trace::About& about() const override { return file_.about(); }
    [[nodiscard]] const trace::TraceFile& names() const override { return file_; }
    [[nodiscard]] const trace::TraceFile* file() const override { return &file_; }

private:
    // One stored series at one level of the pyramid, spread over the parts by where cells begin.
    std::size_t spread(const SeriesOrigin& origin, std::uint32_t series, PeerIndex peer,
                       Range range, std::uint32_t level, std::span<Cell> out) const;

    trace::TraceFile file_;
    std::vector<SeriesOrigin> origins_;  // Filled while info_ is made.
    RunInfo info_;
    std::vector<AnomalyInfo> anomalies_;
    Instant end_{};
    bool was_drawn_ = false;
    ScanIndex index_;  // Refers to file_.
};

}  // namespace wt::viewer
