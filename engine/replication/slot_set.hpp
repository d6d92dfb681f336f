// SPDX-License-Identifier: MIT
//
// A set of object slots in two levels of bits: walking it costs what is in it, plus one word for
// 4,096 slots. Walks go up, which is the order in which objects stand on the wire.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/replication/schema.hpp"

namespace wt::replication {

class SlotSet {
public:
    SlotSet() = default;
    explicit SlotSet(std::uint32_t capacity) { reset(capacity); }

    // Empty, with room for slots below `capacity`.
    void reset(std::uint32_t capacity) {
        WT_CHECK(capacity <= slots_max);
        words_.assign((capacity + 63) / 64, 0);
        top_.fill(0);
    }
    // Room for slots below `capacity`, if that is more; what is in it stays.
    void grow(std::uint32_t capacity) {
        WT_CHECK(capacity <= slots_max);
        const std::size_t words = (capacity + 63) / 64;
        if (words <= words_.size()) return;
        words_.reserve(words);
        words_.resize(words, 0);
    }
    void insert(std::uint32_t slot) {
        words_[slot / 64] |= bit(slot);
        top_[slot / 4'096] |= bit(slot / 64);
    }
    void erase(std::uint32_t slot) {
        words_[slot / 64] &= ~bit(slot);
        if (words_[slot / 64] == 0) top_[slot / 4'096] &= ~bit(slot / 64);
    }
    [[nodiscard]] bool has(std::uint32_t slot) const {
        return (words_[slot / 64] & bit(slot)) != 0;
    }
    [[nodiscard]] bool empty() const {
        return std::all_of(top_.begin(), top_.end(), [](std::uint64_t w) { return w == 0; });
    }
    [[nodiscard]] std::uint32_t count() const {
        std::uint32_t total = 0;
        visit_words([&](std::uint32_t, std::uint64_t word) {
            total += static_cast<std::uint32_t>(std::popcount(word));
        });
        return total;
    }
    void clear() {
        for (std::size_t t = 0; t < top_.size(); ++t) {
            for (std::uint64_t rest = top_[t]; rest != 0; rest &= rest - 1)
                words_[t * 64 + static_cast<std::size_t>(std::countr_zero(rest))] = 0;
            top_[t] = 0;
        }
    }
    void unite(const SlotSet& other) {
        other.visit_words([&](std::uint32_t index, std::uint64_t word) {
            words_[index] |= word;
            top_[index / 64] |= bit(index);
        });
    }
    // Adds slots of one word.
    void unite_word(std::uint32_t index, std::uint64_t bits) {
        words_[index] |= bits;
        if (words_[index] != 0) top_[index / 64] |= bit(index);
    }
    // Takes slots of one word away.
    void erase_word(std::uint32_t index, std::uint64_t bits) {
        words_[index] &= ~bits;
        if (words_[index] == 0) top_[index / 64] &= ~bit(index);
    }
    [[nodiscard]] std::uint64_t word(std::uint32_t index) const { return words_[index]; }

    // visit(index of 64 slots, their bits) for every word that is not zero. `visit` may erase what
    // it was shown.
    template <class Visit>
    void visit_words(Visit&& visit) const {
        for (std::uint32_t t = 0; t < top_.size(); ++t) {
            for (std::uint64_t rest = top_[t]; rest != 0; rest &= rest - 1) {
                const std::uint32_t index =
                    t * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
                visit(index, words_[index]);
            }
        }
    }
    // visit(slot), upwards. `visit` may erase what it was shown.
    template <class Visit>
    void visit(Visit&& visit_slot) const {
        visit_words([&](std::uint32_t index, std::uint64_t word) {
            for (; word != 0; word &= word - 1)
                visit_slot(index * 64 + static_cast<std::uint32_t>(std::countr_zero(word)));
        });
    }
    // The lowest slot, or slots_max when empty.
    [[nodiscard]] std::uint32_t lowest() const { return lowest_from(0); }
    // The lowest slot that is not below `from`, or slots_max.
    [[nodiscard]] std::uint32_t lowest_from(std::uint32_t from) const {
        if (from / 64 >= words_.size()) return slots_max;
        const std::uint64_t here = words_[from / 64] >> (from % 64);
        if (here != 0) return from + static_cast<std::uint32_t>(std::countr_zero(here));
        const std::uint32_t next = from / 64 + 1;
        for (std::uint32_t t = next / 64; t < top_.size(); ++t) {
            const std::uint64_t mask =
                t == next / 64 ? ~std::uint64_t{0} << (next % 64) : ~std::uint64_t{0};
            const std::uint64_t top = top_[t] & mask;
            if (top == 0) continue;
            const std::uint32_t index = t * 64 + static_cast<std::uint32_t>(std::countr_zero(top));
            return index * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[index]));
        }
        return slots_max;
    }
    [[nodiscard]] std::size_t memory() const { return words_.size() * 8 + sizeof *this; }

private:
    [[nodiscard]] static std::uint64_t bit(std::uint32_t n) { return std::uint64_t{1} << (n % 64); }

    std::vector<std::uint64_t> words_{};
    std::array<std::uint64_t, slots_max / 4'096> top_{};  // Bit n of word t: words_[64 t + n] != 0.
};

}  // namespace wt::replication
