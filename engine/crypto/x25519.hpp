// SPDX-License-Identifier: MIT
//
// X25519 key agreement. Points of low order are refused: with one of them the "shared" secret
// would be known to anybody.  Spec: 000, session keys.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/entropy.hpp"

namespace wt::crypto {

inline constexpr std::size_t x25519_bytes = 32;
using X25519Bytes = std::array<std::uint8_t, x25519_bytes>;

void x25519_key_pair(Entropy& entropy, X25519Bytes& secret_out, X25519Bytes& public_out);

// The public key of a given secret, for tests with known vectors.
void x25519_public(const X25519Bytes& secret, X25519Bytes& public_out);

// False, and `shared_out` untouched, where the other side's key is of low order.
[[nodiscard]] bool x25519_agree(const X25519Bytes& secret, const X25519Bytes& other_public,
                                X25519Bytes& shared_out);

// Whether a public key encodes a point of low order. In constant time; the null suite asks too, so
// that both suites refuse the same keys.
[[nodiscard]] bool is_low_order(const X25519Bytes& public_key);

}  // namespace wt::crypto
