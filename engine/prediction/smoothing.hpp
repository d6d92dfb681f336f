// SPDX-License-Identifier: MIT
//
// Presentation apart from truth: a correction moves the true state at once, the picture follows
// over a short while. What is shown is truth plus an offset that halves every `half_life`; an
// offset too large to be an error of prediction (a teleport) is not smoothed.
// Spec: 001, replication and latency hiding.
#pragma once

#include <cstdint>

#include "engine/base/time.hpp"

namespace wt::prediction {

class Smoothing {
public:
    struct Config {
        Duration half_life = Duration::millis(50);
        std::int64_t snap = 0;  // Larger offsets on either axis are shown at once; 0: none are.
    };
    struct Offset {
        std::int64_t x = 0;
        std::int64_t y = 0;
    };

    explicit Smoothing(const Config& config) : config_(config) {}

    void clear() { offset_ = {}; }
    // The truth moved by `by`; what is shown stays where it is for now.
    void on_correction(Offset by) {
        offset_.x -= by.x;
        offset_.y -= by.y;
        if (config_.snap == 0) return;
        if (is_beyond(offset_.x) || is_beyond(offset_.y)) offset_ = {};
    }
    void advance(Duration by) {
        offset_.x = decayed(offset_.x, by);
        offset_.y = decayed(offset_.y, by);
    }
    // To be added to the true position.
    [[nodiscard]] Offset offset() const { return offset_; }

private:
    [[nodiscard]] bool is_beyond(std::int64_t length) const {
        return length > config_.snap || length < -config_.snap;
    }
    // Halves for each whole half-life, and linearly within one: 1 - t / (2 half-lives).
    [[nodiscard]] std::int64_t decayed(std::int64_t length, Duration by) const {
        const std::int64_t halves = by.ns / config_.half_life.ns;
        if (halves >= 63) return 0;
        const std::int64_t whole = length / (std::int64_t{1} << halves);
        const std::int64_t rest_us = by.ns % config_.half_life.ns / 1'000;
        const std::int64_t span_us = 2 * config_.half_life.ns / 1'000;
        return whole - whole * rest_us / span_us;
    }

    Config config_;
    Offset offset_;
};

}  // namespace wt::prediction
