// SPDX-License-Identifier: MIT
#include "simulator/link/n1_model.hpp"

#include <limits>

#include "engine/base/mutated.hpp"

namespace wt::sim {

namespace {
constexpr std::uint64_t u64_max = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint16_t certain = 10'000;
}  // namespace

bool N1Model::reset(const N1Config& config, std::uint32_t seed, std::uint64_t first_order) {
    if (config.loss_per_ten_thousand > certain) return false;
    if (config.duplicate_per_ten_thousand > certain) return false;
    if (config.delay_us > u64_max - config.jitter_us) return false;
    *this = N1Model{};
    config_ = config;
    state_ = seed;
    next_order_ = first_order;
    return true;
}

N1Outcome N1Model::send(std::uint64_t now_us) {
    if (now_us < now_us_) return {N1Status::invalid_argument, 0, 0};
    const std::uint32_t before = state_;
    const N1Outcome outcome = admit(now_us);
    const bool is_taken =
        outcome.status == N1Status::accepted || outcome.status == N1Status::dropped;
    // A full link takes nothing, but it was asked at that time.
    const bool is_full = outcome.status == N1Status::full;
    if (is_taken || (is_full && !mutated<"n1-full-time">())) now_us_ = now_us;
    if (!is_taken && !mutated<"n1-draws">()) state_ = before;
    return outcome;
}

N1Outcome N1Model::admit(std::uint64_t now_us) {
    if (draw() % certain < config_.loss_per_ten_thousand) {
        ++counters_.dropped;
        return {N1Status::dropped, 0, 0};
    }
    // Modulo jitter + 1 in 64 bits: the largest jitter must not wrap to a division by 0.
    const std::uint64_t jitter = draw() % (std::uint64_t{config_.jitter_us} + 1);
    const bool is_doubled = draw() % certain < config_.duplicate_per_ten_thousand;
    const std::uint32_t copies = is_doubled ? 2 : 1;
    const std::uint64_t delay = config_.delay_us + jitter;
    if (now_us > u64_max - delay) return {N1Status::time_overflow, 0, 0};
    if (next_order_ > u64_max - copies) return {N1Status::sequence_exhausted, 0, 0};
    if (capacity - count_ < copies) {
        ++counters_.rejected_full;
        return {N1Status::full, 0, 0};
    }
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
        waiting_[count_++] = {now_us + delay, next_order_++};
    }
    ++counters_.accepted;
    if (is_doubled) ++counters_.duplicated;
    return {N1Status::accepted, copies, now_us + delay};
}

bool N1Model::deliver(std::uint64_t now_us, std::uint64_t& order_out) {
    if (now_us < now_us_) return false;
    now_us_ = now_us;
    std::uint32_t best = count_;
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (waiting_[i].due_us > now_us) continue;
        const bool is_earlier =
            best == count_ || waiting_[i].due_us < waiting_[best].due_us ||
            (waiting_[i].due_us == waiting_[best].due_us &&
             waiting_[i].order < waiting_[best].order && !mutated<"n1-order">());
        if (is_earlier) best = i;
    }
    if (best == count_) return false;
    order_out = waiting_[best].order;
    waiting_[best] = waiting_[--count_];
    ++counters_.delivered;
    return true;
}

}  // namespace wt::sim
