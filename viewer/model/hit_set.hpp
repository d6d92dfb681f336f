// SPDX-License-Identifier: MIT
//
// Which records of a stretch a filter takes: one bit a record, and how many there are before each
// 4,096 of them. So a place in the list is found as quickly as a record is, a trace of ten million
// needs 1.3 MB whatever is taken, and two threads may fill in words that are not the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wt::viewer {

class HitSet {
public:
    static constexpr std::uint64_t word_records = 64;

    // Nothing taken of [first, last).
    void reset(std::uint64_t first, std::uint64_t last);
    // Bits of records that lie in one word, the lowest being `number`'s. Not yet counted.
    void add(std::uint64_t number, std::uint64_t bits) {
        words_[static_cast<std::size_t>(number / word_records - base_)] |= bits
                                                                           << number % word_records;
    }
    // Everything below `end` is filled in and stays as it is; the rest is added and counted later.
    void count_up_to(std::uint64_t end);

    // Of what was counted.
    [[nodiscard]] std::uint64_t count() const { return count_; }
    // The record at a place below count().
    [[nodiscard]] std::uint64_t number_at(std::uint64_t place) const;
    // How many are before a record: its own place, if it is taken.
    [[nodiscard]] std::uint64_t place_of(std::uint64_t number) const;

private:
    static constexpr std::size_t chunk_words = 64;

    std::uint64_t base_ = 0;  // The first word's records begin with base_ * 64.
    std::vector<std::uint64_t> words_{};
    std::vector<std::uint64_t> before_{};  // By chunk that was begun: hits before it.
    std::size_t counted_words_ = 0;        // Whole ones; `count_` has the one behind as well.
    std::uint64_t in_whole_words_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace wt::viewer
