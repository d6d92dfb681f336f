// SPDX-License-Identifier: MIT
//
// Mixing for luck, digests and tables: fast, the same on every machine, and no cryptography.
// Nothing here resists somebody who wants a collision; keyed tables take their key from entropy.
#pragma once

#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/base/wide.hpp"

namespace wt {

// Multiply to 128 bits and fold: the one mixing step of the tree.
[[nodiscard]] inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// A 64-bit hash of bytes under a key. Used for delivered plaintexts and the null cipher's word.
[[nodiscard]] std::uint64_t hash_bytes(ConstBytes bytes, std::uint64_t key);

}  // namespace wt
