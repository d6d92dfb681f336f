// SPDX-License-Identifier: MIT
//
// The largest value of the last few seconds, in buckets of time: a rise is known at once, a fall
// after the window. What lead and jitter buffer have in common: grow fast, shrink slowly. A few
// buckets may be outliers: being ready for what happens once in a window would cost every frame of
// it, and costs a moment when it is not met.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>

#include "engine/base/time.hpp"

namespace wt::prediction {

class RecentMaximum {
public:
    static constexpr std::uint32_t buckets = 16;

    // `outliers` of the buckets, those with the largest values, are left out of account.
    RecentMaximum(Duration window, std::uint32_t outliers)
        : bucket_{window.ns / buckets}, outliers_(outliers) {
        clear();
    }

    void clear() {
        largest_.fill(none);
        value_ = none;
        has_time_ = false;
    }
    void add(Instant now, std::int64_t value) {
        turn(now);
        std::int64_t& held = largest_[current_];
        if (value <= held) return;
        held = value;
        settle();
    }
    // Lets old buckets go. `now` never goes back.
    void turn(Instant now) {
        if (!has_time_) {
            has_time_ = true;
            bucket_end_ = now + bucket_;
        }
        bool has_lost = false;
        for (std::uint32_t i = 0; now >= bucket_end_ && i < buckets; ++i) {
            current_ = (current_ + 1) % buckets;
            has_lost = has_lost || largest_[current_] != none;
            largest_[current_] = none;
            bucket_end_ += bucket_;
        }
        if (has_lost) settle();
        // After a gap longer than the window all buckets are empty already.
        if (now >= bucket_end_) bucket_end_ = now + bucket_;
    }
    [[nodiscard]] bool empty() const { return value_ == none; }
    // Needs a value. With few buckets filled fewer outliers are left out: the first seconds of a
    // connection know too little to call anything one.
    [[nodiscard]] std::int64_t value() const { return value_; }

private:
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

    // Looked for when a bucket changes, and not each time that somebody asks: every frame does.
    void settle() {
        std::array<std::int64_t, buckets> held = largest_;
        const auto end = std::partition(held.begin(), held.end(),
                                        [](std::int64_t value) { return value != none; });
        const auto filled = static_cast<std::uint32_t>(end - held.begin());
        if (filled == 0) {
            value_ = none;
            return;
        }
        const auto wanted = held.begin() + filled * outliers_ / buckets;
        std::nth_element(held.begin(), wanted, end, std::greater<>());
        value_ = *wanted;
    }

    Duration bucket_;
    std::uint32_t outliers_;
    std::array<std::int64_t, buckets> largest_{};
    std::int64_t value_ = none;
    std::uint32_t current_ = 0;
    bool has_time_ = false;
    Instant bucket_end_{};
};

}  // namespace wt::prediction
