// SPDX-License-Identifier: MIT
#include "engine/base/hash.hpp"

namespace wt {

namespace {
// Odd constants without structure: fractional digits of square roots of 2, 3, 5 and 7.
constexpr std::uint64_t salt_a = 0x6a09'e667'f3bc'c909;
constexpr std::uint64_t salt_b = 0xbb67'ae85'84ca'a73b;
constexpr std::uint64_t salt_c = 0x3c6e'f372'fe94'f82b;
constexpr std::uint64_t salt_d = 0xa54f'f53a'5f1d'36f1;
}  // namespace

std::uint64_t hash_bytes(ConstBytes bytes, std::uint64_t key) {
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t a = key ^ salt_a;
    std::uint64_t b = mix(key ^ salt_b, bytes.size() ^ salt_c);
    // Two independent chains of 16 bytes each keep the multiplier busy.
    while (left >= 32) {
        a = mix(load_u64(at) ^ a, load_u64(at + 8) ^ salt_b);
        b = mix(load_u64(at + 16) ^ b, load_u64(at + 24) ^ salt_c);
        at += 32;
        left -= 32;
    }
    while (left >= 8) {
        a = mix(load_u64(at) ^ a, b ^ salt_d);
        at += 8;
        left -= 8;
    }
    std::uint64_t tail = 0;
    for (std::size_t i = 0; i < left; ++i)
        tail |= std::uint64_t{at[i]} << (8 * i);
    a = mix(a ^ tail, b ^ salt_d);
    return mix(a ^ salt_b, b ^ salt_a ^ bytes.size());
}

}  // namespace wt
