// SPDX-License-Identifier: MIT
//
// A link that lets bytes go at instants only: the slots of a radio, or the delivery opportunities
// of a recorded trace. What an instant has room for and nobody has waiting is wasted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"

namespace wt::sim {

// Instants from 0 on that come again each `period`; the same for every instance of a link.
struct OpportunityTrace {
    std::vector<std::int64_t> times{};  // ns, never falling, below the period or equal to it.
    Duration period{};
    std::uint32_t bytes = 0;  // Of each.
    bool wraps = true;        // False: nothing passes after the last one.
};

class Opportunities {
public:
    // Never any.
    Opportunities() = default;
    Opportunities(std::shared_ptr<const OpportunityTrace> trace, Duration offset)
        : trace_(std::move(trace)), offset_(offset) {}

    struct Service {
        Instant started{};
        Instant left{};
    };
    // Takes `bytes` from the first opportunities at or after `now` that have any left; nothing, and
    // nothing taken, where there are no more. Instants never go back.
    [[nodiscard]] std::optional<Service> serve(Instant now, std::uint32_t bytes);
    // The first of those opportunities; nothing where there are no more.
    [[nodiscard]] std::optional<Instant> first_from(Instant now);
    // What passes in the long run.
    [[nodiscard]] std::uint64_t bits_per_second() const;

private:
    [[nodiscard]] Instant time_of(std::uint64_t number) const;
    [[nodiscard]] bool is_past_end(std::uint64_t number) const;
    void skip_until(Instant now);

    std::shared_ptr<const OpportunityTrace> trace_{};
    Duration offset_{};
    std::uint64_t number_ = 0;
    std::uint32_t taken_ = 0;  // Bytes of opportunity `number_`.
};

}  // namespace wt::sim
