// SPDX-License-Identifier: MIT
#include "viewer/model/hit_set.hpp"

#include <algorithm>
#include <bit>

namespace wt::viewer {

namespace {

std::uint64_t ones(std::uint64_t word) {
    return static_cast<std::uint64_t>(std::popcount(word));
}

}  // namespace

void HitSet::reset(std::uint64_t first, std::uint64_t last) {
    base_ = first / word_records;
    const std::uint64_t end = (last + word_records - 1) / word_records;
    words_.assign(static_cast<std::size_t>(end > base_ ? end - base_ : 0), 0);
    before_.clear();
    counted_words_ = 0;
    in_whole_words_ = 0;
    count_ = 0;
}

void HitSet::count_up_to(std::uint64_t end) {
    const std::uint64_t word = end / word_records;
    const std::size_t whole =
        std::min(words_.size(), static_cast<std::size_t>(word > base_ ? word - base_ : 0));
    for (; counted_words_ < whole; ++counted_words_) {
        if (counted_words_ % chunk_words == 0) before_.push_back(in_whole_words_);
        in_whole_words_ += ones(words_[counted_words_]);
    }
    count_ = in_whole_words_;
    // A word that is begun belongs to a chunk that may have none before it.
    if (whole < words_.size()) count_ += ones(words_[whole]);
}

std::uint64_t HitSet::number_at(std::uint64_t place) const {
    const auto behind = std::upper_bound(before_.begin(), before_.end(), place);
    const std::size_t chunk =
        behind == before_.begin() ? 0 : static_cast<std::size_t>(behind - before_.begin() - 1);
    std::uint64_t left = place - (before_.empty() ? 0 : before_[chunk]);
    for (std::size_t at = chunk * chunk_words; at < words_.size(); ++at) {
        std::uint64_t word = words_[at];
        if (ones(word) <= left) {
            left -= ones(word);
            continue;
        }
        for (; left > 0; --left)
            word &= word - 1;
        return (base_ + at) * word_records + static_cast<unsigned>(std::countr_zero(word));
    }
    return (base_ + words_.size()) * word_records;
}

std::uint64_t HitSet::place_of(std::uint64_t number) const {
    const std::uint64_t word = number / word_records;
    if (word < base_) return 0;
    const std::size_t at = static_cast<std::size_t>(word - base_);
    if (at >= words_.size()) return count_;
    const std::size_t chunk = std::min(at / chunk_words, before_.empty() ? 0 : before_.size() - 1);
    std::uint64_t place = before_.empty() ? 0 : before_[chunk];
    for (std::size_t i = chunk * chunk_words; i < at; ++i)
        place += ones(words_[i]);
    const std::uint64_t below = (std::uint64_t{1} << number % word_records) - 1;
    return std::min(count_, place + ones(words_[at] & below));
}

}  // namespace wt::viewer
