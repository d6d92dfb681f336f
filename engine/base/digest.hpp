// SPDX-License-Identifier: MIT
//
// A 128-bit chain over the records of a run. Order matters, every bit of every field matters, and
// the value is the same on every machine. It finds accidents, not adversaries.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "engine/base/hash.hpp"

namespace wt {

struct DigestValue {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend auto operator<=>(const DigestValue&, const DigestValue&) = default;
};

class Digest {
public:
    // Chains one record of four words. Callers pack their fields; unused words are 0.
    void add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
        high_ = mix(high_ ^ a ^ 0x6a09'e667'f3bc'c909, b ^ low_ ^ 0xbb67'ae85'84ca'a73b);
        low_ = mix(low_ ^ c ^ 0x3c6e'f372'fe94'f82b, d ^ high_ ^ 0xa54f'f53a'5f1d'36f1) ^ a ^ d;
        ++records_;
    }
    void add(const DigestValue& other) { add(other.high, other.low, 0, 0); }

    [[nodiscard]] DigestValue value() const { return {high_, low_}; }
    [[nodiscard]] std::uint64_t records() const { return records_; }

private:
    std::uint64_t high_ = 1;
    std::uint64_t low_ = 2;
    std::uint64_t records_ = 0;
};

}  // namespace wt
