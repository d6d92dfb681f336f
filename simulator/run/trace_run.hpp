// SPDX-License-Identifier: MIT
//
// The trace of one run: what the file says of the scenario before it, and of the result after it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/report/run_result.hpp"
#include "simulator/run/world_builder.hpp"
#include "simulator/trace/capture.hpp"

namespace wt::sim {

struct TraceOptions {
    std::string path{};
    // In its place, for tests: must outlive the run.
    std::vector<std::uint8_t>* memory = nullptr;
    Duration last{};              // Flight recorder: so much of the run's end; 0: all of it.
    std::vector<Target> peers{};  // Whose records are kept; empty: everybody's.
    bool payload = false;         // Bytes of delivered messages too.
};

class TraceRun {
public:
    TraceRun(const TraceOptions& options, const Scenario& scenario, const BuiltWorld& built,
             std::uint64_t seed);

    [[nodiscard]] trace::Capture& capture() { return capture_; }
    // The world has run everything before `now`.
    void reach(Instant now) { capture_.reach(now); }
    // The result is complete. False where the file is not whole.
    bool finish(const RunResult& result, bool has_cost);

    // For whoever shows a run while it runs.
    void listen(trace::Listener listener) { writer_.listen(std::move(listener)); }
    [[nodiscard]] const trace::Writer& writer() const { return writer_; }

private:
    trace::Output output_;
    trace::Writer writer_;
    trace::Capture capture_;
};

// What a trace of this run says of itself before the first record.
[[nodiscard]] trace::About about_run(const TraceOptions& options, const Scenario& scenario,
                                     const BuiltWorld& built, std::uint64_t seed);
[[nodiscard]] trace::Header header_of(const Scenario& scenario, const BuiltWorld& built,
                                      std::uint64_t seed);
[[nodiscard]] trace::Outcome outcome_of(const RunResult& result);

}  // namespace wt::sim
