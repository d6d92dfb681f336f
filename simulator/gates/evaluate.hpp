// SPDX-License-Identifier: MIT
//
// From what a run has gathered to verdicts. A gate without values fails: a silent pass is the one
// thing a gate must never do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/gates/gate.hpp"
#include "simulator/metrics/collector.hpp"

namespace wt::sim {

enum class Verdict : std::uint8_t { ok, fail, no_values, not_counted };
[[nodiscard]] const char* name_of(Verdict verdict);

struct GateResult {
    Gate gate{};
    Verdict verdict = Verdict::no_values;
    bool holds = false;           // Also for gates that are not counted.
    std::int64_t value = 0;       // In the gate's dimension; meaningless without values.
    std::int64_t margin_ppb = 0;  // (bound - value) / bound in the good direction; 10^-9.
    std::uint64_t values = 0;     // How many values lay in scope.
    Taken worst{};
    std::uint64_t worst_tick = 0;
    std::string worst_bot{};  // Name, or empty.
    std::uint32_t bots_in_scope = 0;
    std::uint32_t bots_breaking = 0;
    std::uint32_t bots_left_out = 0;  // Rates: less than 1 s of Active time.
    // Of a gate `for every TIME`: the window that decided, and how many did not hold.
    Instant window_start{};
    std::uint32_t windows = 0;  // 0 = no such gate.
    std::uint32_t windows_breaking = 0;
    std::string weather{};  // What the link did at the worst moment; the runner fills it.
};

struct EvaluateOptions {
    bool count_cost = false;
};

// One result a gate, in order. The collector was built from watches_of(gates).
[[nodiscard]] std::vector<GateResult> evaluate(const Scenario& scenario,
                                               const std::vector<Gate>& gates,
                                               const Collector& collector,
                                               const EvaluateOptions& options);

// How many counted gates have failed for good already, whatever comes: for --fail-fast and the
// progress line. Cheap enough for every 100 ms of virtual time.
[[nodiscard]] std::uint32_t failed_for_good(const std::vector<Gate>& gates,
                                            const Collector& collector);

// "runner-7" for a bot's index.
[[nodiscard]] std::string bot_name(const Scenario& scenario, BotIndex bot);

}  // namespace wt::sim
