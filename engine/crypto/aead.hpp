// SPDX-License-Identifier: MIT
//
// ChaCha20-Poly1305 as in RFC 8439, in place, with a detached tag. The transport uses it in two
// ways: a record is encrypted without associated data; a packet is only authenticated, its bytes
// being the associated data of an empty plaintext. A (key, nonce) pair must never be sealed
// twice, which is the caller's rule to keep.
// Spec: 000, encrypted records and authenticated datagrams.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/bytes.hpp"

namespace wt::crypto {

inline constexpr std::size_t aead_key_bytes = 32;
inline constexpr std::size_t aead_tag_bytes = 16;
inline constexpr std::size_t aead_nonce_bytes = 12;
using AeadKey = std::array<std::uint8_t, aead_key_bytes>;
using AeadNonce = std::array<std::uint8_t, aead_nonce_bytes>;

// The nonce of a counter: 4 zero bytes, then the counter, little endian.
[[nodiscard]] inline AeadNonce nonce_of(std::uint64_t counter) {
    AeadNonce nonce{};
    store_u64(nonce.data() + 4, counter);
    return nonce;
}

// Encrypts `bytes` (may be empty) where they lie and writes their 16-byte tag.
void aead_seal(const AeadKey& key, const AeadNonce& nonce, ConstBytes associated,
               MutableBytes bytes, std::uint8_t* tag_out);

// Decrypts `bytes` where they lie. False where the tag does not fit; the bytes are then zeros,
// never a wrong plaintext.
[[nodiscard]] bool aead_open(const AeadKey& key, const AeadNonce& nonce, ConstBytes associated,
                             MutableBytes bytes, const std::uint8_t* tag);

}  // namespace wt::crypto
