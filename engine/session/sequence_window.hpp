// SPDX-License-Identifier: MIT
//
// Which of the last 64 messages of one channel and direction came already. An application filter
// against duplicates, not cryptography and not an acknowledgement: copy the window, observe into
// the copy, judge the payload, and only then assign it back.  Spec: 001, N1 SequenceWindow.
#pragma once

#include <cstdint>

#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"

namespace wt::session {

enum class SequenceResult : std::uint8_t {
    newest,
    out_of_order,  // Older than the newest, inside the window, for the first time.
    duplicate,
    too_old,    // 64 or more behind: nobody knows whether it came.
    ambiguous,  // Exactly half of the range away: neither newer nor older.
};
inline constexpr unsigned sequence_result_count = 5;

class SequenceWindow {
public:
    static constexpr std::uint32_t history = 64;

    // Only newest and out_of_order change the window. The live span of sequences must stay below
    // 2^31, which the channel's owner keeps by never having that many outstanding.
    SequenceResult observe(std::uint32_t sequence) {
        if (mask_ == 0) {
            newest_ = sequence;
            mask_ = 1;
            return SequenceResult::newest;
        }
        const std::uint32_t forward = serial_distance(newest_, sequence);
        if (forward == 0) return SequenceResult::duplicate;
        if (serial_ambiguous(sequence, newest_)) {
            return mutated<"window-antipode">() ? SequenceResult::too_old
                                                : SequenceResult::ambiguous;
        }
        if (serial_newer(sequence, newest_)) {
            mask_ = forward >= history ? 1 : (mask_ << forward) | 1;
            newest_ = sequence;
            return SequenceResult::newest;
        }
        const std::uint32_t age = serial_distance(sequence, newest_);
        if (age >= history - (mutated<"window-64">() ? 1 : 0)) return SequenceResult::too_old;
        const std::uint64_t bit = std::uint64_t{1} << age;
        if ((mask_ & bit) != 0 && !mutated<"window-duplicate">()) return SequenceResult::duplicate;
        mask_ |= bit;
        return SequenceResult::out_of_order;
    }

    [[nodiscard]] bool is_empty() const { return mask_ == 0; }
    [[nodiscard]] std::uint32_t newest() const { return newest_; }
    // Bit n: the message n behind the newest came. 0 before the first.
    [[nodiscard]] std::uint64_t mask() const { return mask_; }

    friend bool operator==(const SequenceWindow&, const SequenceWindow&) = default;

private:
    std::uint64_t mask_ = 0;
    std::uint32_t newest_ = 0;
};

}  // namespace wt::session
