// SPDX-License-Identifier: MIT
//
// What the transport asks of a cipher suite. The endpoint is a template over it: the real suite
// (X25519, HKDF-SHA-256, ChaCha20-Poly1305) lives in engine/crypto; the null suite, which protects
// nothing, lives in simulator/cipher and is never installed.  Spec: 000, session keys.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/base/entropy.hpp"

namespace wt::secure {

inline constexpr std::size_t key_bytes = 32;
inline constexpr std::size_t tag_bytes = 16;
inline constexpr std::size_t cookie_bytes = 16;
inline constexpr std::size_t proof_bytes = 32;

using Key = std::array<std::uint8_t, key_bytes>;
using PublicKey = std::array<std::uint8_t, key_bytes>;
using SecretKey = std::array<std::uint8_t, key_bytes>;
using Proof = std::array<std::uint8_t, proof_bytes>;
using Cookie = std::array<std::uint8_t, cookie_bytes>;

// The four keys of one end of a connection; the other end has them swapped. A packet key never
// doubles as a record key.
struct SessionKeys {
    Key record_out{};
    Key record_in{};
    Key packet_out{};
    Key packet_in{};
};

// All functions are static. Sizes, call counts and refusals are the same in every suite, so that a
// run's digest does not depend on which one it uses.
template <class S>
concept Suite = requires(Entropy& entropy, const Key& key, Key& key_out, SecretKey& secret,
                         PublicKey& public_key, Proof& proof, std::uint64_t counter,
                         MutableBytes in_place, ConstBytes bytes, std::uint8_t* tag,
                         const std::uint8_t* tag_in, const char* label) {
    { S::make_key_pair(entropy, secret, public_key) } -> std::same_as<void>;
    // The shared secret; false where the other key is of low order.
    { S::agree(secret, public_key, key_out) } -> std::same_as<bool>;
    // key_out = derive(secret key material, context bytes, label).
    { S::derive(key, bytes, label, key_out) } -> std::same_as<void>;
    // A 32-byte keyed proof over bytes; cookies use its first 16 bytes.
    { S::prove(key, bytes, proof) } -> std::same_as<void>;
    { S::verify(key, bytes, proof) } -> std::same_as<bool>;
    // Encrypts `in_place` where it lies and writes its 16-byte tag.
    { S::seal_record(key, counter, in_place, tag) } -> std::same_as<void>;
    // Decrypts `in_place`; false (bytes then undefined) where the tag does not fit.
    { S::open_record(key, counter, in_place, tag_in) } -> std::same_as<bool>;
    // Tag over `bytes` as associated data, empty plaintext.
    { S::seal_packet(key, counter, bytes, tag) } -> std::same_as<void>;
    { S::open_packet(key, counter, bytes, tag_in) } -> std::same_as<bool>;
};

}  // namespace wt::secure
